import { abortError } from '../../errors/abort'
import { isAuthError, toAuthError } from '../../errors/auth-error'
import type { Kit } from '../../store/kit'
import type { ReadOptions, Store } from '../../store/store'
import { auth$ } from './auth-state'
import type { Auth } from './auth-state'
import { anyUser$ } from './client-current-user'

/**
 * `auth$` as soon as it is not 'unknown': for a guard of a router, and for code outside components.
 *
 * Reads the token store. A user that the kit knows needs no request, at any age; one that a write has made stale is loaded
 * again. Rejects like a read if the user cannot be loaded (NETWORK_ERROR after the last attempt), with the error in `auth$`
 * if the session has no user, and with ABORTED or DISPOSED. Follows a sign-in or sign-out that happens meanwhile.
 *
 * @example
 * const auth = await whenKnown(app, { signal: AbortSignal.timeout(5_000) })
 * if (auth.status === 'signed-in') console.log(auth.user.displayName)
 */
export async function whenKnown(
  kit: Kit,
  options: ReadOptions = {},
): Promise<Exclude<Auth, { readonly status: 'unknown' }>> {
  const { signal } = options
  if (signal?.aborted) throw abortError(signal)
  const user$ = anyUser$(kit)
  // Watched throughout: over an asynchronous token store an unwatched value counts as unknown.
  const release = user$.listen(() => undefined)
  try {
    for (;;) {
      const failure = await known(user$, options).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (isAuthError(failure, 'ABORTED', 'DISPOSED')) throw failure
      const auth = auth$(kit).value
      if (auth.status !== 'unknown') return auth
      if (auth.error) throw auth.error
      // Another identity is present now, whose user is loaded next.
      if (failure !== undefined && !isAuthError(failure, 'SESSION_CHANGED')) throw toAuthError(failure)
    }
  } finally {
    release()
  }
}

/** The known value, unless it is stale; if its refresh has failed, the last one. */
export async function known<T>(store: Store<T>, options: ReadOptions): Promise<T> {
  const { snapshot } = store
  if (snapshot.status === 'ready' && snapshot.error) return snapshot.value
  return store.get({ maxAgeMillis: Infinity, ...options })
}
