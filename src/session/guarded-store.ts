import { isEdge, type Host } from '../core/host'
import type { Tap } from '../core/tap'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { SingleFlight, thenSync } from '../core/promises'
import { misuse, toAuthError, type AuthError } from '../errors/auth-error'
import type { Tokens } from '../transport/access-token'
import { storeFails, type TokenCookie, type TokenStore } from './token-store'

/** Callers may ask for an access token that is valid for less than this; a refreshed one of this age may have expired. */
export const maxMinMillis = 60_000

/** Throws INVALID_INPUT for a period that no access token is asked for. */
export function assertMinMillis(minMillis: number): void {
  if (!(minMillis >= 0 && minMillis < maxMinMillis))
    throw misuse('minMillis', `must be at least 0 and below ${maxMinMillis}, not ${minMillis}`)
}

/** The outcome of a refresh, and the new access token, even if it was not stored. */
export interface Refreshed {
  /** 'taken-over': the store has changed meanwhile; read it again. */
  readonly outcome: 'refreshed' | 'taken-over' | 'ended'
  readonly accessToken: string | null
  /** When the request of the refresh was sent. */
  readonly askedAt?: number
  /** Why the session has ended. */
  readonly refusal?: AuthError | undefined
}

/** A token store as a session uses it. */
export interface GuardedStore extends Pick<TokenStore, 'read' | 'replace'> {
  readonly changes$: TokenStore['changes$'] | undefined
  readonly sharedAs: TokenStore['sharedAs'] | undefined
  /** The store as the app made it. */
  readonly own: OwnStore
  /** Refreshes under way, by refresh token, of all kits with this store: those of one request refresh at the same time. */
  readonly refreshes: SingleFlight<Refreshed>
  /** The refresh token whose refusal may be due to a refresh of another tab, and since when. */
  doubted?: { readonly refreshToken: string; readonly since: number }
}

/** A token store with members for this kit, so that a copy of the store by a spread has them too. */
export interface OwnStore extends TokenStore {
  /** Throws where nothing may be written with the session in the store; `begins`: where no session may begin. */
  readonly '~assertOwn'?: (begins?: boolean) => void
  /** Sets whether the session, and those that follow it until a sign-out, outlast the browser; false: it cannot be set. */
  readonly '~remember'?: (lasts: boolean) => boolean | Promise<boolean>
  /** Whether the session is an impersonation, of which this browser keeps nothing. */
  readonly '~impersonates'?: (tokens: Tokens | null) => boolean
  /** Set by an app, which revokes a session that the store has deleted, as one that has ended with the browser. */
  '~over'?: ((tokens: Tokens) => void) | undefined
  /** Sets cookies as the store of a browser's cookies does; `over`: they delete this session, which has ended with the browser. */
  '~set'?: (cookies: readonly TokenCookie[], over?: Tokens) => void
}

/** Module state holds nothing of an app: entries are collected with their stores. */
const flights = /* @__PURE__ */ new WeakMap<TokenStore, SingleFlight<Refreshed>>()

/**
 * A token store as the session of one kit uses it: promises are of this realm, failures are AuthErrors. All kits with the store share
 * its refreshes.
 */
export function asSessionStore(store: TokenStore, tap?: Tap): GuardedStore {
  const { changes$, sharedAs } = store
  // On an edge runtime requests may not wait for each other: only a store of one request has refreshes for all of its kits.
  const isShared = !OUTSIDE_BROWSERS || '~assertOwn' in store || !isEdge()
  const refreshes = (isShared ? flights.get(store) : undefined) ?? new SingleFlight()
  flights.set(store, refreshes)
  return {
    changes$,
    sharedAs,
    own: store,
    refreshes,
    read: () =>
      thenSync(
        () => store.read(),
        read => read,
        error => {
          tap?.tell?.({ in: 'unread' })
          throw toAuthError(error)
        },
      ),
    replace: (expected, next) =>
      thenSync(
        () => store.replace(expected, next),
        isDone => {
          tap?.tell?.({ in: 'kept', is: !isDone })
          return isDone
        },
        error => {
          throw toAuthError(error)
        },
      ),
  }
}

type CookieAccess = NonNullable<Host['cookies']>

/** A page's cookies. If the browser blocks them (a sandboxed frame), reads and writes throw TOKENS_UNAVAILABLE. */
export function guardedCookies(cookies: CookieAccess): CookieAccess {
  return {
    get() {
      try {
        return cookies.get()
      } catch (error) {
        return storeFails('the cookies of this page cannot be read', error, [])
      }
    },
    set(cookie) {
      try {
        cookies.set(cookie)
      } catch (error) {
        const value = cookie.slice(cookie.indexOf('=') + 1).split(';', 1)
        storeFails('the cookies of this page cannot be written', error, value)
      }
    },
  }
}
