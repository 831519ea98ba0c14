import { createClientApp, createOwnedProject, memoryTokens, orThrow, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { createServerApp, type ServerApp } from 'rxauth/server'
import { heading, password, plantSession } from './person'
import { at, page, running } from './stage'

/** The seeded owner of the example's project, in another browser. */
export let owner: ClientApp
/** A server app of the example's project. */
export let server: ServerApp
let tokens = memoryTokens()

/** An app of a user with projects. The key of the project "internal" is the same on every local platform. */
export function ownersApp(options: { readonly tokens: ReturnType<typeof memoryTokens> }): ClientApp {
  const { publishableClientKey } = createPlatform().ownerOptions
  return createClientApp({ baseUrl: running.platform, projectId: 'internal', publishableClientKey, ...options })
}

/** After `useExample`: `server`. */
export function useServer(): void {
  beforeAll(() => {
    server = createServerApp({ baseUrl: running.platform, projectId: running.projectId })
  })
  afterAll(() => server.dispose())
}

/** After `useExample`: `owner` and `server`. */
export function useOwner(): void {
  useServer()
  beforeAll(async () => {
    tokens = memoryTokens()
    owner = ownersApp({ tokens })
    orThrow(await owner.signInWithPassword({ email: 'owner@example.com', password }))
  })

  afterAll(() => owner.dispose())
}

/** A page of a project in the admin area; the default is the example's own project. */
export const inProject = (path = '', projectId = running.projectId) => at(`/admin/projects/${projectId}${path}`)

export const signInOwner = () => plantSession(page, tokens, { address: running.address, projectId: 'internal' })

/** Opens a page of the admin area in a browser in which the owner is signed in already. */
export async function open(path: string, title: string): Promise<void> {
  await signInOwner()
  await page.goto(path)
  await heading(page, title).waitFor()
}

/** A project of the owner that no other test changes; its id. */
export async function ownProject(displayName: string): Promise<string> {
  const { id } = await createOwnedProject(owner, { displayName })
  return id
}
