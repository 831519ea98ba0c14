import { confirmIdentity, createClientApp, isAuthError, memoryTokens, orThrow, storageTokens } from 'rxauth'
import { ada, world } from '../world'

/** What signals of React Native lack: it has the package abort-controller. */
const lacking = [
  [AbortSignal.prototype, 'reason'],
  [AbortSignal.prototype, 'throwIfAborted'],
  [AbortSignal, 'any'],
  [AbortSignal, 'timeout'],
] as const
const had = lacking.map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)!] as const)

beforeEach(() => {
  for (const [object, name] of lacking) Reflect.deleteProperty(object, name)
})
afterEach(() => {
  for (const [object, name, property] of had) Object.defineProperty(object, name, property)
})

/** A storage whose calls are asynchronous, as AsyncStorage's. */
function asyncStorage() {
  const items = new Map<string, string>()
  return {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
  }
}

describe('with signals as in React Native, without a reason,', () => {
  it('a user signs in, reads, writes, refreshes and signs out', async () => {
    const { platform, inTime, clock } = await world()
    const app = createClientApp({ ...platform.options, tokens: storageTokens(asyncStorage()) })
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    orThrow(await inTime(app.signInWithPassword({ email: ada.email, password: ada.password })))
    await inTime(app.updateUser({ displayName: 'Countess' }))
    await clock.advance(3_600_000)
    expect(await inTime(app.user$.refresh())).toMatchObject({ displayName: 'Countess' })
    expect((await inTime(confirmIdentity(app, { method: 'password', password: ada.password }))).ok).toBe(true)
    await inTime(app.signOut())
    expect(names.at(-1)).toBeUndefined()
  })

  it('what waits is told why it ends: by its caller, by the session, by the kit', async () => {
    const { platform, app, newApp, tokensOf, settled } = await world()
    const code = (promise: Promise<unknown>) =>
      promise.then(
        () => 'resolved',
        (error: unknown) => (isAuthError(error) ? error.code : error),
      )
    platform.faults.every('GET /users/me', { delayMillis: 5000 })
    const caller = new AbortController()
    const byCaller = code(app.user$.get({ signal: caller.signal }))
    caller.abort()
    expect(await settled(byCaller)).toBe('ABORTED')
    const other = newApp({ tokens: await tokensOf(ada) })
    const bySignOut = code(other.user$.get())
    await settled(other.signOut())
    expect(await settled(bySignOut)).toBe('SESSION_CHANGED')
    const byKit = code(app.teams$.get())
    app.dispose()
    expect(await settled(byKit)).toBe('DISPOSED')
    expect(await settled(code(app.accessToken()))).toBe('DISPOSED')
    let told: unknown
    app.user$.subscribe({ error: (error: unknown) => (told = error) })
    expect(told).toMatchObject({ code: 'DISPOSED' })
  })
})

it('OAuth names the part of Web Crypto that Hermes lacks', async () => {
  const { platform } = await world()
  const app = createClientApp({
    ...platform.options,
    tokens: memoryTokens(),
    host: { cookies: { get: () => '', set: () => undefined } },
    urls: { oauthCallback: 'https://example.com/oauth-callback' },
    navigate: () => undefined,
  })
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
  const signIn = app.signInWithOAuth({ provider: 'github' })
  Object.defineProperty(globalThis, 'crypto', own)
  await expect(signIn).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'crypto.subtle' } })
})
