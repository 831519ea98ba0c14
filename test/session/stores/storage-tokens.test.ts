import { storageTokens, type TokenStorage, type TokenStore } from 'rxauth'
import { tokenStoreConformance } from 'rxauth/platform'
import { nextTask, unhandled } from '../../unhandled'
import { ada, world } from '../../world'
import { accessTokenText } from '../access-token-text'

const tokens = { accessToken: accessTokenText(), refreshToken: 'refresh-1' }

/** A synchronous Map with the three methods. */
function storage(): TokenStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    getItem: key => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: key => values.delete(key),
  }
}

/** The same by promise, each call a few microtasks later. */
function slowStorage(): TokenStorage {
  const inner = storage()
  const later = async <T>(run: () => T) => {
    for (let turn = 0; turn < 3; turn++) await Promise.resolve()
    return run()
  }
  return {
    getItem: key => later(() => inner.values.get(key) ?? null),
    setItem: (key, value) => later(() => inner.values.set(key, value)),
    removeItem: key => later(() => inner.values.delete(key)),
  }
}

describe('storageTokens over a synchronous storage', () => {
  tokenStoreConformance(test, () => storageTokens(storage()))
})

describe('storageTokens over an asynchronous storage', () => {
  tokenStoreConformance(test, () => storageTokens(slowStorage()))
})

describe('storageTokens', () => {
  it('keeps the tokens as JSON under its key', () => {
    const kept = storage()
    const store = storageTokens(kept, { key: 'mine' })
    expect(store.replace(null, tokens)).toBe(true)
    expect([...kept.values]).toEqual([['mine', JSON.stringify(tokens)]])
    expect(store.replace(tokens, null)).toBe(true)
    expect(kept.values.size).toBe(0)
  })

  it.each(['', 'null', '5', '[]', '{"accessToken":5}', '{"refreshToken":"undefined"}', '{broken'])(
    'treats %j as no session',
    text => {
      const kept = storage()
      kept.values.set('rxauth-tokens', text)
      expect(storageTokens(kept).read()).toBeNull()
    },
  )

  it('continues after a write that failed', async () => {
    const kept = slowStorage()
    let isFull = true
    const store: TokenStore = storageTokens({
      ...kept,
      setItem: (key, value) => (isFull ? Promise.reject(new Error('full')) : kept.setItem(key, value)),
    })
    await expect(store.replace(null, tokens)).rejects.toThrow('full')
    isFull = false
    expect(await store.replace(null, tokens)).toBe(true)
    expect(await store.read()).toEqual(tokens)
  })

  it('keeps a session for the next process', async () => {
    const { newApp, settled } = await world()
    const kept = slowStorage()
    await settled(
      newApp({ tokens: storageTokens(kept) }).signInWithPassword({ email: ada.email, password: ada.password }),
    )
    const next = newApp({ tokens: storageTokens(kept) })
    expect((await settled(next.user$.get()))?.displayName).toBe(ada.displayName)
  })

  it('is private to this kit', () => {
    const store = storageTokens(storage())
    expect(store.sharedAs).toBeUndefined()
    expect(store.changes$).toBeUndefined()
  })

  // Promise: no-globals-at-import
  it.each([{}, { document: { createElement: () => undefined } }])(
    'is private too where a window tells no events, as in React Native, and nothing is rejected: %j',
    async globals => {
      const localStorage = storage()
      const shown = { window: { localStorage }, ...globals }
      const rejections = unhandled()
      Object.assign(globalThis, shown)
      try {
        const store = storageTokens(localStorage)
        expect(store.replace(null, tokens)).toBe(true)
        store.changes$?.subscribe().unsubscribe()
        await nextTask()
        expect(store.sharedAs).toBeUndefined()
        expect(rejections).toEqual([])
      } finally {
        for (const name of Object.keys(shown)) Reflect.deleteProperty(globalThis, name)
      }
    },
  )
})
