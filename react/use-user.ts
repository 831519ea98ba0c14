'use client'
import { anyUser$, AuthError, redirectTo, slot, user$, type CurrentUser, type Kit, type Store } from 'rxauth'
import { coreOf, isServer } from '../src/inside'
import { countDown, thrownTurns } from './attempts'
import { useKit } from './provider'
import { useValue } from './use-value'

/**
 * The signed-in user. Suspends until it is known; a first load that fails goes to the error boundary.
 *
 * While signed out: null; with `or: 'redirect'` the page redirects to the sign-in page, which returns here (suspended
 * meanwhile; if the kit does not navigate, and on a server, like `'throw'`); with `or: 'throw'`,
 * USER_AUTHENTICATION_REQUIRED goes to the error boundary. An anonymous user counts as signed out; with `or: 'anonymous'`,
 * as a user.
 *
 * A restricted user (`user.restriction`) is returned unless `or` says otherwise: with `'redirect'` the page redirects to the
 * e-mail verification page if that ends the restriction; else, and with `'throw'`, RESTRICTED_USER_NOT_ALLOWED goes to the
 * boundary.
 *
 * @example
 * ```tsx
 * export const Page = () => {
 *   const user = useUser({ or: 'redirect' })
 *   return <h1>Hello {user.displayName}</h1>
 * }
 * ```
 */
export function useUser(options: { readonly or: 'redirect' | 'throw' }): CurrentUser
export function useUser(options?: { readonly or?: 'null' | 'anonymous' | 'redirect' | 'throw' }): CurrentUser | null
export function useUser({
  or = 'null',
}: { readonly or?: 'null' | 'anonymous' | 'redirect' | 'throw' } = {}): CurrentUser | null {
  const kit = useKit()
  const user = useValue(handleOf(kit, or === 'anonymous' ? anyUser : ownUser))
  if (or === 'null' || or === 'anonymous') return user
  const restriction = user?.restriction
  if (user && !restriction) return user
  if (or === 'redirect' && !isServer()) {
    if (!restriction) wait(kit, signInKey, () => redirectTo(kit, 'signIn', quietly))
    if (restriction?.type === 'email_not_verified')
      wait(kit, verificationKey, () => redirectTo(kit, 'emailVerification', quietly))
  }
  if (restriction)
    throw new AuthError(
      'RESTRICTED_USER_NOT_ALLOWED',
      `this component is for unrestricted users only, and the user is restricted: ${restriction.type}`,
      { details: { restrictedReason: restriction } },
    )
  throw new AuthError(
    'USER_AUTHENTICATION_REQUIRED',
    'this component is for signed-in users only, and no user is signed in',
  )
}

const ownUser = (kit: Kit) => user$(kit)
const anyUser = (kit: Kit) => anyUser$(kit)

/** One handle for all components and renders, or React would do more work. */
function handleOf<T>(kit: Kit, store: (kit: Kit) => Store<T>): Store<T> {
  return slot(kit, store, () => store(kit))
}

const quietly = { automatic: true, replace: true }

interface Going {
  /** The owner of the session for which the page redirects. */
  readonly owner: object
  promise?: Promise<void> | undefined
  /** The error for the next render: the redirect failed. */
  failure?: { readonly error: unknown } | undefined
  /** Cancels the failure's expiry. */
  cancel?: (() => void) | undefined
  /** This kit does not navigate, so no component has to wait. */
  stays?: boolean
}

const signInKey = {}
const verificationKey = {}

/**
 * Suspends while the page redirects: once for all components that request it, and not during rendering, which must have no
 * effects. Returns if the kit does not navigate.
 */
function wait(kit: Kit, key: object, go: () => Promise<boolean>): void {
  const { clock, committedSession } = coreOf(kit)
  const { owner } = committedSession.identity
  const last = slot<{ going?: Going }>(kit, key, () => ({}))
  // A sign-in has ended the redirect before.
  if (last.going?.owner !== owner) last.going = { owner }
  const { going } = last
  const { failure } = going
  if (failure) {
    // Thrown until React has shown it, like a failed load; a boundary that is reset later tries again.
    going.cancel?.()
    going.cancel = countDown(clock, thrownTurns, () => (going.failure = undefined))
    throw failure.error
  }
  if (going.stays) return
  going.promise ??= Promise.resolve()
    .then(() => {
      let stop: (() => void) | undefined
      // A user who signs in meanwhile is shown at once.
      const changed = new Promise<boolean>(resolve => {
        stop = handleOf(kit, ownUser).listen(() => committedSession.identity.owner !== owner && resolve(true))
      })
      return Promise.race([go(), changed]).finally(stop)
    })
    .then(
      went => {
        going.stays = !went
      },
      (error: unknown) => {
        going.failure = { error }
      },
    )
    .finally(() => {
      going.promise = undefined
    })
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  throw going.promise
}
