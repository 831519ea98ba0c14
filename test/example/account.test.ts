import { confirmIdentity, createClientApp, memoryTokens, orThrow, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { EMPTY, type Observable } from 'rxjs'

interface Options {
  platformUrl: string
  projectId: string
  webhookSecret: string
  ownerKey: string
  webhooks$: Observable<never>
  port: number
}
interface Module {
  serveBackend(options: Options): Promise<{ readonly url: string; close(): Promise<void> }>
}

/** It has no types of its own. */
const file: string = '../../react/example/server/backend.mjs'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }

let signedIn: (person: typeof ada) => Promise<ClientApp>
/** Asks the backend, as `app`, to delete the account of its user. */
let deleteAccount: (app: ClientApp | null, confirmation?: string) => Promise<readonly [number, unknown]>
const closing: (() => unknown)[] = []

beforeAll(async () => {
  const { serveBackend } = (await import(file)) as Module
  const platform = createPlatform({ seed: { users: [ada, grace] } })
  const { url: baseUrl, close } = await listen(platform, { port: 0 })
  closing.push(close)
  const { projectId, publishableClientKey } = platform.options
  const webhookSecret = platform.webhooks.secret
  const backend = await serveBackend({
    platformUrl: baseUrl,
    projectId,
    webhookSecret,
    ownerKey: '',
    webhooks$: EMPTY,
    port: 0,
  })
  closing.push(backend.close)
  signedIn = async person => {
    const app = createClientApp({ baseUrl, projectId, publishableClientKey, tokens: memoryTokens() })
    closing.push(() => app.dispose())
    orThrow(await app.signInWithPassword(person))
    return app
  }
  deleteAccount = async (app, confirmation) => {
    const token = await app?.accessToken()
    const response = await fetch(`${backend.url}/api/account`, {
      method: 'DELETE',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(confirmation && { 'x-confirmation': confirmation }),
      },
    })
    return [response.status, await response.json().catch(() => undefined)]
  }
})

afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const confirmation = async (app: ClientApp, { password }: typeof ada) =>
  orThrow(await confirmIdentity(app, { method: 'password', password })).confirmation

describe('the backend of the example', () => {
  it('deletes no account without a confirmation of its user', async () => {
    const app = await signedIn(ada)
    const refused = [403, { error: 'Confirm that it is you.' }]
    expect(await deleteAccount(null)).toEqual([401, { code: 'USER_AUTHENTICATION_REQUIRED' }])
    expect(await deleteAccount(app)).toEqual(refused)
    expect(await deleteAccount(app, 'nonsense')).toEqual(refused)
    expect(await deleteAccount(app, (await app.accessToken())!)).toEqual(refused)
    expect(await deleteAccount(app, await confirmation(await signedIn(grace), grace))).toEqual(refused)
    expect(await app.user$.refresh()).toMatchObject({ primaryEmail: ada.email })
  })

  it('deletes the account of a user who has confirmed, once', async () => {
    const app = await signedIn(ada)
    const good = await confirmation(app, ada)
    const all = await Promise.all([deleteAccount(app, good), deleteAccount(app, good)])
    expect(all.map(([status]) => status).sort()).toEqual([204, 403])
    expect(await app.user$.refresh()).toBeNull()
  })
})
