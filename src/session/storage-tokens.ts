import { fromEvent, filter, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Tokens } from '../transport/credentials'
import { checkedTokens, holdsSame, usableTokens } from './token-store'
import type { TokenStore } from './token-store'

type Maybe<T> = T | Promise<T>

/** localStorage, React Native's, Electron's, a file: anything with these three methods, at once or by promise. */
export interface TokenStorage {
  getItem(key: string): Maybe<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/**
 * Tokens under one key of a storage, as JSON.
 *
 * The browser's localStorage is shared by all tabs of the origin: they refresh once together and see each other's sign-in
 * and sign-out. Any other storage is taken to be this kit's own.
 */
export function storageTokens(storage: TokenStorage, options: { readonly key?: string } = {}): TokenStore {
  const { key = 'rxauth-tokens' } = options
  let turn: Promise<unknown> | undefined
  const write = (next: Tokens | null): unknown =>
    next ? storage.setItem(key, JSON.stringify(checkedTokens(next))) : storage.removeItem(key)
  const replace = (held: Tokens | null, expected: Tokens | null, next: Tokens | null): Maybe<boolean> => {
    if (!holdsSame(held, expected)) return false
    const written = write(next)
    return written instanceof Promise ? written.then(() => true) : true
  }
  return {
    ...(isLocalStorage(storage) && { sharedAs: `rxauth:${key}`, changes$: storageEvents(key) }),
    read() {
      const text = storage.getItem(key)
      return text instanceof Promise ? text.then(parse) : parse(text)
    },
    replace(expected, next) {
      const read = turn ? turn.then(() => storage.getItem(key)) : storage.getItem(key)
      if (!(read instanceof Promise)) return replace(parse(read), expected, next)
      // One after the other: between a read and its write nobody of this kit may write.
      const done = read.then(text => replace(parse(text), expected, next))
      const mine = done
        .catch(() => undefined)
        .finally(() => {
          if (turn === mine) turn = undefined
        })
      turn = mine
      return done
    },
  }
}

function parse(text: string | null): Tokens | null {
  if (!text) return null
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) return null
    const { accessToken = null, refreshToken = null } = stored as Partial<Tokens>
    return usableTokens({ accessToken, refreshToken })
  } catch {
    // Something else's value under our key holds no session.
    return null
  }
}

function isLocalStorage(storage: TokenStorage): boolean {
  try {
    return typeof window !== 'undefined' && storage === window.localStorage
  } catch {
    // Reading the property throws where the user blocks storage.
    return false
  }
}

/** Browsers tell every other tab of a change; `key` is null when everything was cleared. */
function storageEvents(key: string): Observable<void> {
  return fromEvent<StorageEvent>(window, 'storage').pipe(
    filter(event => event.key === key || event.key === null),
    map(() => undefined),
  )
}
