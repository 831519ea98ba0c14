import { coreOf, slot, type Kit } from '../declare'
import { jsonText } from '../../core/values'
import { isAuthError, toAuthError, developerError, abortError, type AuthError } from '../../errors/auth-error'
import type { Identity, SignedOutReason } from '../../session/identity'
import type { CommittedSession, LastKnownUser } from '../../store/committed-session'
import type { Snapshot } from '../../store/snapshot'
import { KitState, type State } from '../../store/read/state'
import type { Store, ReadOptions } from '../../store/store'
import { anyUser$, type CurrentUser, type Restriction } from './client'
import { noUser } from './shape'

/**
 * The state of the session. While it is unknown, it is never reported as signed out. `lastKnown` is for display alone: with
 * `rememberLastKnown`, the user of this session whom this browser has loaded last.
 *
 * @example
 * const nameOf = (auth: Auth) => (auth.status === 'signed-in' ? auth.user.displayName : null)
 */
export type Auth =
  | { readonly status: 'unknown'; readonly error?: AuthError; readonly lastKnown?: LastKnownUser }
  | { readonly status: 'signed-out'; readonly reason: SignedOutReason }
  | { readonly status: 'anonymous'; readonly user: CurrentUser }
  /** `restriction`: the requirement of the project that the user has yet to meet. */
  | { readonly status: 'signed-in'; readonly user: CurrentUser; readonly restriction?: Restriction }

/** The type of `auth$`. */
export type Auth$ = State<Auth>

/**
 * The state of the session: emits the present state at once, then each later one. 'signed-out' has a reason: never signed
 * in, signed out here, elsewhere (another tab or process), expired (the platform refused the session), deleted (the user no
 * longer exists), idle or limit (`sessionLimits` here).
 *
 * @example
 * app.auth$.subscribe(auth => {
 *   if (auth.status === 'signed-out' && auth.reason === 'expired') console.log('Please sign in again.')
 * })
 */
export function auth$(kit: Kit): Auth$ {
  return slot(kit, authKey, () => authOf(kit))
}

const authKey = {}

function authOf(kit: Kit): Auth$ {
  const { committedSession } = coreOf(kit)
  const user$ = anyUser$(kit)
  const cached = new CachedAuth(committedSession, user$)
  return new KitState(
    () => cached.value,
    (subscriber, callback) => {
      subscriber.add(user$.listen(callback))
      committedSession.listen(subscriber, callback)
    },
    committedSession,
  )
}

/** Read by each component of a page on every change, so it is computed only from new inputs. */
class CachedAuth {
  readonly #session: CommittedSession
  readonly #user$: Store<CurrentUser | null>
  #last: Auth = { status: 'unknown' }
  #userless: AuthError | undefined
  /** The inputs of the last state. */
  #kind: Identity['kind'] | undefined
  #reason: SignedOutReason | undefined
  #user: Snapshot<CurrentUser | null> | undefined
  #lastKnown: LastKnownUser | undefined

  constructor(session: CommittedSession, user$: Store<CurrentUser | null>) {
    this.#session = session
    this.#user$ = user$
  }

  get value(): Auth {
    // Session and user are as of the last commit, so the state never mixes two commits.
    const { kind, reason, lastKnown } = this.#session
    const user = this.#user$.snapshot
    const isSameUser = user === this.#user && lastKnown === this.#lastKnown
    if (isSameUser && kind === this.#kind && reason === this.#reason) return this.#last
    this.#kind = kind
    this.#reason = reason
    this.#user = user
    this.#lastKnown = lastKnown
    let next = stateOf(kind, reason, user)
    if (next === null) {
      this.#userless ??= developerError(noUser, 'the platform knows no user of this session, and has not ended it')
      next = { status: 'unknown', error: this.#userless }
    }
    if (lastKnown && next.status === 'unknown') next = { ...next, lastKnown }
    if (!isSame(this.#last, next)) this.#last = next
    return this.#last
  }
}

/** Null: a session without a user. */
export function stateOf(
  kind: 'unknown' | 'signed-out' | 'user',
  reason: SignedOutReason,
  user: Snapshot<CurrentUser | null>,
): Auth | null {
  if (kind === 'signed-out') return { status: 'signed-out', reason }
  if (user.status === 'failed') return { status: 'unknown', error: user.error }
  if (user.status === 'pending') return { status: 'unknown' }
  if (user.value === null) return null
  const { isAnonymous, restriction } = user.value
  if (isAnonymous) return { status: 'anonymous', user: user.value }
  return { status: 'signed-in', user: user.value, ...(restriction && { restriction }) }
}

function isSame(a: Auth, b: Auth): boolean {
  const parts = Object.entries({ ...b })
  return (
    parts.length === Object.keys(a).length &&
    parts.every(([key, value]) => Object.is((a as unknown as Record<string, unknown>)[key], value))
  )
}

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

/**
 * Calls `run` after each change of who is signed in, for a router that runs its guards again: a sign-in, a sign-out (here, in
 * another tab, by the platform), another user, and a restriction of the user that begins or ends. Not for new tokens of the
 * same session, not for other changes of the user, and not while the state is unknown. What `run` throws goes to
 * `onUnhandled`. Returns a function that ends it.
 *
 * @example
 * const stop = onIdentityChange(app, () => location.reload())
 * stop()
 */
export function onIdentityChange(kit: Kit, run: () => void): () => void {
  let before: string | undefined
  const watching = auth$(kit).subscribe(auth => {
    if (auth.status === 'unknown') return
    const now = identityOf(auth)
    const isOther = before !== undefined && before !== now
    before = now
    if (!isOther) return
    try {
      run()
    } catch (error) {
      coreOf(kit).onUnhandled(toAuthError(error))
    }
  })
  return () => {
    watching.unsubscribe()
  }
}

/** Equal texts: the same user under the same restriction, or no user. */
export function identityOf(auth: Auth): string {
  if (!('user' in auth)) return ''
  const { id, isAnonymous, restriction } = auth.user
  return jsonText([id, isAnonymous, restriction?.type])
}
