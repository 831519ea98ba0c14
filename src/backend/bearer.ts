import { parseUrl } from '../core/urls'
import { unlessAborted, isAuthError } from '../errors/auth-error'
import { mayAnswer, sessionChanged } from '../session/identity'
import { coreOf, slot, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { abortWith, onAbort, throwIfAborted } from '../core/signals'
import type { Owner } from '../transport/access-token'
import { catchError, defer, finalize, from, of, Observable, switchMap, takeUntil, throwError } from 'rxjs'
import { isApiTarget } from '../navigation/targets'

/** The access token of one request to the app's own backend. Every caller releases it. */
interface Bearer {
  /** Refreshed first if needed; undefined while signed out. Rejects while the session cannot be found out. */
  token(): Promise<string | undefined>
  /** After a 401: the token for the one repetition; undefined: there is none, and the 401 is the answer. */
  another(): Promise<string | undefined>
  /** Aborts when the session of `token` ends, or the kit. */
  readonly ended: AbortSignal
  release(): void
}

/** `isRead`: the request changes nothing, so that a server may send it for another site's page. */
export function bearerOf(kit: Kit, isRead: boolean, signal?: AbortSignal): Bearer {
  const { session } = coreOf(kit)
  let { ended } = session
  let token: string | null | undefined
  let release: (() => void) | undefined
  let isReleased = false
  /** As `fetch` rejects. */
  const unlessAborts = <T>(promise: Promise<T>) =>
    unlessAborted(promise, signal).catch((error: unknown) => Promise.reject(signal?.aborted ? signal.reason : error))
  const currentToken = async () => (await unlessAborts(session.current()))?.accessToken
  return {
    get ended() {
      return ended
    },
    async token() {
      if (!isRead) session.store.own['~assertOwn']?.()
      const { owner } = await unlessAborts(session.capture(true))
      token = await currentToken()
      if (!mayAnswer(owner, session.identity)) throw sessionChanged()
      if (!token) return undefined
      // Until the answer comes, so that the end of the session is noticed.
      if (!isReleased) release = session.retain()
      ended = sentTokensOf(kit).endOf(owner)
      return token
    },
    async another() {
      if (!token || !sentTokensOf(kit).refuse(token)) return undefined
      return (await currentToken()) ?? undefined
    },
    release() {
      isReleased = true
      release?.()
    },
  }
}

/** The address that a text names, resolved as `fetch` does. */
export function addressOf(text: string): URL | null {
  return parseUrl(text, globalThis.document?.baseURI ?? globalThis.location?.href)
}

/** Milliseconds between two refreshes because the app's own backend refuses the token. */
const forcedMillis = 10_000

/** The access tokens that a kit has sent to the app's own backend. */
export interface SentTokens {
  /** Aborts when another owner follows this one, before stores show it, and with the kit. */
  endOf(owner: Owner): AbortSignal
  /**
   * The backend has refused the token. True: the next reader of the session gets another one. False: it was refreshed for
   * this less than 10 s ago, so that a wrong backend does not load the platform.
   */
  refuse(token: string): boolean
}

const sentKey = {}

export function sentTokensOf(kit: Kit<never>): SentTokens {
  return slot(kit, sentKey, () => create(coreOf(kit)))
}

function create({ session, clock, changing }: Core): SentTokens {
  let running: { readonly owner: Owner; readonly controller: AbortController } | undefined
  let forcedAt = -Infinity
  const end = (reason: unknown) => {
    const ended = running
    running = undefined
    if (ended) abortWith(ended.controller, reason)
  }
  onAbort(session.ended, () => {
    end(session.ended.reason)
  })
  changing.add(() => {
    if (running && running.owner !== session.identity.owner) end(sessionChanged())
  })
  return {
    endOf(owner) {
      if (running?.owner !== owner) {
        end(sessionChanged())
        running = { owner, controller: new AbortController() }
      }
      return running.controller.signal
    },
    refuse(token) {
      if (session.tokens?.accessToken !== token) return true
      const now = clock.monotonic()
      if (now - forcedAt < forcedMillis) return false
      forcedAt = now
      session.refused(token)
      return true
    },
  }
}

/**
 * Sends a request of a library that has interceptors in place of a `fetch`, by the rules of `ownFetch`: by `request$` with the
 * token; undefined: without one, as it is for another origin. A 401 is an error with the member `status`, as Angular and RxJS
 * have it.
 */
export function withBearer<T>(
  kit: Kit,
  { url, method }: { readonly url: string; readonly method: string },
  request$: (token: string | undefined) => Observable<T>,
): Observable<T> {
  const to = addressOf(url)
  if (!to || !isApiTarget(coreOf(kit).navigation, to.href)) return request$(undefined)
  return defer(() => {
    const bearer = bearerOf(kit, /^(GET|HEAD)$/i.test(method))
    const repeated$ = (error: unknown) =>
      (isUnauthorized(error) ? from(bearer.another()) : of(undefined)).pipe(
        switchMap(token => (token ? request$(token) : throwError(() => error))),
      )
    return from(bearer.token()).pipe(
      switchMap(token => {
        // The session may have ended since `token()` resolved. `onAbort` does not tell of an earlier abort.
        throwIfAborted(bearer.ended)
        return request$(token).pipe(catchError(repeated$), takeUntil(endOf$(bearer.ended)))
      }),
      takeUntil(endOf$(bearer.ended)),
      finalize(() => {
        bearer.release()
      }),
    )
  })
}

/** The end of a session is an error. The disposal of the kit completes the request. */
function endOf$(ended: AbortSignal): Observable<void> {
  return new Observable(subscriber =>
    onAbort(ended, () => {
      if (isAuthError(ended.reason, 'DISPOSED')) subscriber.next()
      else subscriber.error(ended.reason)
    }),
  )
}

function isUnauthorized(error: unknown): boolean {
  return (Object(error) as { readonly status?: unknown }).status === 401
}
