import { jsonText } from '../../core/values'
import { Observable } from 'rxjs'
import { isBrowser, isEdge } from '../../core/host'
import { OUTSIDE_BROWSERS } from '../../core/outside-browsers'
import { thenSync, Turns, type Maybe } from '../../core/promises'
import type { Tokens } from '../../transport/access-token'
import { assertCalled, checkedTokens, holdsSame, storeFails, usableTokens, type TokenStore } from '../token-store'
import type { OwnStore } from '../guarded-store'
import { fingerprint, readCookies } from './cookie-format'

/** localStorage, React Native's storage, Electron's, a file: any object with these methods, synchronous or not. */
export interface TokenStorage {
  getItem(key: string): Maybe<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/**
 * Tokens under one key of a storage, as JSON.
 *
 * The browser's localStorage is shared by all tabs of the origin: they refresh once together and see each other's sign-in
 * and sign-out. Any other storage is treated as private to this kit.
 *
 * @example
 * const app = createClientApp({ tokens: storageTokens(localStorage, { key: 'my-app' }) })
 */
export function storageTokens(storage: TokenStorage, options: { readonly key?: string } = {}): TokenStore {
  assertCalled(storage, 'storageTokens(localStorage)')
  const { key = 'rxauth-tokens' } = options
  const sharedAs = isLocalStorage(storage) ? `rxauth:${key}` : undefined
  const turns = new Turns()
  const kind = sharedAs === undefined ? undefined : kindOf(key)
  const read = () =>
    thenSync(
      () => storage.getItem(key),
      text => {
        const held = parse(text)
        if (!held || !kind?.isOver(held)) return held
        storage.removeItem(key)
        kind.end()
        store['~over']?.(held)
        return null
      },
      error => storeFails('the storage of the tokens cannot be read', error, []),
    )
  const overwrite = () =>
    thenSync(
      () => thenSync(() => storage.setItem(key, 'null'), read),
      left => {
        if (left) throw new Error('it keeps what it has')
      },
    )
  /** A storage may refuse to delete, or ignore it. */
  const remove = () =>
    thenSync(
      () => thenSync(() => storage.removeItem(key), read),
      left => (left ? overwrite() : undefined),
      overwrite,
    )
  const write = (next: Tokens | null) =>
    thenSync<unknown, boolean>(
      () => {
        if (!next) return remove()
        // First the mark: of a page that dies in between, no session outlasts the browser.
        kind?.keep(next)
        return storage.setItem(key, jsonText(checkedTokens(next)))
      },
      () => {
        if (!next) kind?.end()
        if (sharedAs !== undefined) tellPage(sharedAs)
        return true
      },
      error => storeFails('the storage of the tokens cannot be written', error, textsOf(next)),
    )
  const store: OwnStore = {
    ...(sharedAs !== undefined && { sharedAs, changes$: changesOf(key, sharedAs) }),
    ...(kind && {
      '~over': undefined,
      '~remember': (lasts: boolean) => {
        if (!lasts) kind.begin()
        return thenSync(read, held => {
          if (lasts) kind.end()
          else if (held) kind.keep(held)
          return kind.isBrief() !== lasts
        })
      },
    }),
    read,
    replace(expected, next) {
      const run = () => thenSync(read, held => holdsSame(held, expected) && write(next))
      // On an edge runtime, a write of a request that was cancelled never ends.
      if (OUTSIDE_BROWSERS && isEdge()) return run()
      // Turns keep the order: this kit must not write between a read and its write.
      return turns.take(run)
    },
  }
  return store
}

/**
 * The kind of a session in localStorage, which outlasts the browser: a mark beside the tokens names the session that does not, and
 * a cookie that ends with the browser is the witness, as with `cookieTokens`.
 */
function kindOf(key: string) {
  const mark = `${key}-brief`
  const witness = `rxauth-witness-${encodeURIComponent(key)}`
  const isBrief = () => readCookies(document.cookie).has(witness)
  const witnessed = (attributes = '') => {
    document.cookie = `${witness}=1; path=/; samesite=lax${attributes}`
  }
  return {
    isBrief,
    begin: () => witnessed(),
    isOver: ({ refreshToken }: Tokens) => window.localStorage.getItem(mark) === fingerprint(refreshToken) && !isBrief(),
    /** Notes the session that is written. */
    keep({ refreshToken }: Tokens) {
      if (isBrief()) window.localStorage.setItem(mark, fingerprint(refreshToken))
      else window.localStorage.removeItem(mark)
    },
    /** The next session lasts. The witness goes last: without it a marked session is over. */
    end() {
      window.localStorage.removeItem(mark)
      if (isBrief()) witnessed('; max-age=0')
    },
  }
}

function textsOf(tokens: Tokens | null): string[] {
  return [tokens?.accessToken, tokens?.refreshToken].filter(text => typeof text === 'string')
}

function parse(text: string | null): Tokens | null {
  if (!text) return null
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) return null
    const { accessToken = null, refreshToken = null } = stored as Partial<Tokens>
    return usableTokens({ accessToken, refreshToken })
  } catch {
    // Another value under this key is no session.
    return null
  }
}

function isLocalStorage(storage: TokenStorage): boolean {
  try {
    return isBrowser() && storage === window.localStorage
  } catch {
    // Reading the property throws if the browser blocks storage.
    return false
  }
}

/** Tells the other kits of this page, which browsers do not, once this kit has done what its write is part of. */
function tellPage(name: string): void {
  void Promise.resolve().then(() => window.dispatchEvent(new Event(name)))
}

/** Browsers report a change to every other tab; `key` is null when everything was cleared, and missing in what `tellPage` tells. */
function changesOf(key: string, name: string): Observable<void> {
  return new Observable(subscriber => {
    const hear = (event: Event & Partial<StorageEvent>) => {
      if ((event.key ?? key) === key) subscriber.next()
    }
    for (const type of ['storage', name]) {
      window.addEventListener(type, hear)
      subscriber.add(() => {
        window.removeEventListener(type, hear)
      })
    }
  })
}
