import { catchError, defer, finalize, from, of, Observable, switchMap, takeUntil, throwError } from 'rxjs'
import { onAbort, throwIfAborted } from '../core/signals'
import { isAuthError } from '../errors/auth-error'
import { isApiTarget } from '../navigation/targets'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { addressOf, bearerOf } from './bearer'

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
