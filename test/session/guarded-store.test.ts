import { memoryTokens, mutation, storageTokens, type TokenStorage, type TokenStore } from 'rxauth'
import { asSessionStore } from '../../src/session/guarded-store'
import { credentialsOf } from '../tabs'
import { nextTask, unhandled } from '../unhandled'
import { ada, world } from '../world'
import { kindsOfPromise, type Later } from './foreign'

function slowTokens(later: Later, inner: TokenStore = memoryTokens()): TokenStore {
  return {
    read: () => later(() => inner.read() as never),
    replace: (expected, next) => later(() => inner.replace(expected, next) as never),
  }
}

function slowStorage(later: Later): TokenStorage {
  const values = new Map<string, string>()
  return {
    getItem: key => later(() => values.get(key) ?? null),
    setItem: (key, value) => later(() => values.set(key, value)),
    removeItem: key => later(() => values.delete(key)),
  }
}

describe.each(kindsOfPromise)('a token store that answers by a promise of %s', (_, later) => {
  // Promise: token-store-fails
  it('does not count as signed out', async () => {
    const { clock, newApp, platform, settled } = await world()
    const app = newApp({ tokens: slowTokens(later, await platform.tokensFor(ada.email)) })
    const statuses: string[] = []
    app.auth$.subscribe(({ status }) => statuses.push(status))
    await clock.advance(0)
    expect(statuses).toEqual(['unknown', 'signed-in'])
    expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
    expect(await settled(app.accessToken())).toMatch(/^ey/)
  })

  it.each([
    ['itself', (later: Later) => slowTokens(later)],
    ['over a storage', (later: Later) => storageTokens(slowStorage(later))],
  ])('keeps a session, %s', async (_how, make) => {
    const { newApp, settled } = await world()
    const tokens = make(later)
    const app = newApp({ tokens })
    expect(await settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
    expect((await settled(newApp({ tokens }).user$.get()))?.displayName).toBe('Ada')
    await settled(app.signOut())
    expect(await tokens.read()).toBeNull()
  })

  it('shows no value of a session that another kit has replaced meanwhile', async () => {
    const { clock, newApp, platform, settled } = await world()
    const inner = memoryTokens((await platform.tokensFor(ada.email)).read()!)
    const app = newApp({ tokens: slowTokens(later, inner) })
    await settled(app.user$.get())
    expect(await inner.replace(await inner.read(), null)).toBe(true)
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    await clock.advance(0)
  })

  // Promise: token-store-fails
  it('fails a sign-in that it rejects to keep, with nothing unhandled', async () => {
    const { newApp, settled } = await world()
    const seen = unhandled()
    const full = new Error('quota exceeded')
    const refuse = () =>
      later(() => {
        throw full
      })
    const app = newApp({ tokens: storageTokens({ ...slowStorage(later), setItem: refuse }) })
    await expect(settled(app.signInWithPassword(credentialsOf(ada)))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
      cause: full,
    })
    await nextTask()
    expect(seen).toEqual([])
    expect(await settled(app.user$.get())).toBeNull()
  })
})

describe('a token store that throws', () => {
  const thrown = new Error('locked')
  const broken: TokenStore = {
    read() {
      throw thrown
    },
    replace() {
      throw thrown
    },
  }

  // Promise: token-store-fails
  it.each(['accessToken', 'authHeaders', 'signInWithPassword', 'get', 'own endpoint'] as const)(
    'is an AuthError with its cause in %s',
    async what => {
      const { newApp, settled } = await world()
      const app = newApp({ tokens: broken })
      const asked = {
        accessToken: () => app.accessToken(),
        authHeaders: () => app.authHeaders(),
        signInWithPassword: () => app.signInWithPassword(credentialsOf(ada)),
        get: () => app.user$.get(),
        'own endpoint': () => mutation(() => Promise.resolve(1), { refreshes: () => [] })(app, {}),
      }[what]()
      await expect(settled<unknown>(asked)).rejects.toMatchObject({
        name: 'AuthError',
        code: 'CALLBACK_FAILED',
        cause: thrown,
      })
    },
  )

  it('throws only AuthErrors itself', () => {
    const store = asSessionStore(broken)
    expect(() => store.read()).toThrow(expect.objectContaining({ code: 'CALLBACK_FAILED', cause: thrown }))
    expect(() => store.replace(null, null)).toThrow(expect.objectContaining({ code: 'CALLBACK_FAILED' }))
  })

  it('has one guard for all kits', () => {
    const tokens = memoryTokens()
    expect(asSessionStore(tokens).refreshes).toBe(asSessionStore(tokens).refreshes)
    expect(asSessionStore(tokens).refreshes).not.toBe(asSessionStore(memoryTokens()).refreshes)
  })
})

describe('a storage that fails', () => {
  const full = new Error('could not keep {"refreshToken":"refresh-of-ada"}')
  const refuse = () => {
    throw full
  }
  const empty = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

  // Promise: token-store-fails
  it.each([
    ['is full', { ...empty, setItem: refuse }, /cannot be written/],
    ['cannot be read', { ...empty, getItem: refuse }, /cannot be read/],
  ])('because it %s is TOKENS_UNAVAILABLE with this reason', async (_, storage, message) => {
    const { newApp, settled } = await world()
    const app = newApp({ tokens: storageTokens(storage) })
    await expect(settled(app.signInWithPassword(credentialsOf(ada)))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
      message: expect.stringMatching(message) as string,
      cause: full,
    })
  })

  it('reveals no token', () => {
    const store = storageTokens({ ...empty, setItem: refuse })
    expect(() => store.replace(null, { accessToken: null, refreshToken: 'refresh-of-ada' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('refresh-of-ada') as string }),
    )
  })
})
