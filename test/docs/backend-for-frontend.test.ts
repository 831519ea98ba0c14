import * as client from 'rxauth'
import type { ClientApp, ClientOptions } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { imported, readExamples, run } from './blocks'

const page = 'docs/content-security-policy.md'
const origin = 'https://app.example.com'

interface Frontend {
  readonly app: ClientApp
  signIn(email: string, password: string): Promise<boolean>
}

/** The exports of a file of the recipe, with a platform in process instead of the one in the environment. */
async function file<T>(name: string, options: Partial<ClientOptions>): Promise<T> {
  const examples = readExamples(page)
  const example = imported(
    examples,
    examples.find(each => each.file)!,
    `./${name}`,
  )!
  const createClientApp = (given: ClientOptions) => client.createClientApp({ ...given, ...options })
  const load = (from: string): unknown =>
    from === 'rxauth' ? { ...client, createClientApp } : jest.requireActual<object>(from)
  const exported = {}
  await run(example, load, exported)
  return exported as T
}

/** A browser with the recipe's page open: its cookies are out of reach of the page, its origin is sent with every POST. */
async function open() {
  const users = [{ email: 'ada@example.com', password: 'correct horse' }]
  const platform = createPlatform({ seed: { users } })
  const { server } = await file<{ server: { fetch(request: Request): Promise<Response> } }>('server', platform.options)
  const cookies = new Map<string, string>()
  const written: string[] = []
  const from = { origin }
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '))
    headers.set('origin', from.origin)
    const answer = await server.fetch(new Request(new URL(input as string, origin), { ...init, headers }))
    for (const text of answer.headers.getSetCookie()) {
      written.push(text)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/max-age=0/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  })
  const load = () => file<Frontend>('auth', platform.options)
  return { cookies, written, from, load }
}

describe('the recipe of a backend that keeps the refresh token', () => {
  afterEach(() => jest.restoreAllMocks())

  it('signs in, keeps the session over a reload, and out of the page', async () => {
    const { written, load } = await open()
    const before = await load()
    expect(await before.app.user$.get()).toBeNull()
    expect(await before.signIn('ada@example.com', 'wrong')).toBe(false)
    expect(await before.signIn('ada@example.com', 'correct horse')).toBe(true)
    expect(written).toEqual([expect.stringMatching(/^session=[^;]+; .*HttpOnly; Secure; SameSite=Strict$/)])

    const { app } = await load()
    expect(await app.user$.get()).toMatchObject({ primaryEmail: 'ada@example.com' })
    const tokens = await new Promise(resolve => app.tokens$.subscribe(resolve))
    expect(tokens).toEqual({ accessToken: expect.any(String) as string, refreshToken: null })
  })

  it('signs out, which ends the session on the platform and in the browser', async () => {
    const { cookies, load } = await open()
    await (await load()).signIn('ada@example.com', 'correct horse')
    const { app } = await load()
    await app.user$.get()
    const [kept] = cookies.values()
    await app.signOut()
    expect(await app.user$.get()).toBeNull()
    expect(cookies.size).toBe(0)
    cookies.set('session', kept!)
    const { app: again } = await load()
    expect(await again.user$.get()).toBeNull()
  })

  it('gives no token to a page of another origin', async () => {
    const { from, load } = await open()
    await (await load()).signIn('ada@example.com', 'correct horse')
    from.origin = 'https://evil.example'
    expect((await fetch('/api/access-token', { method: 'POST' })).status).toBe(403)
  })
})
