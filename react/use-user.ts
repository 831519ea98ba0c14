'use client'
import { AuthError, slot } from 'rxauth'
import type { ClientApp, CurrentUser } from 'rxauth'
import { thrownTurns } from './attempts'
import { countDown } from './count-down'
import { useApp } from './provider'
import { isServer } from './is-server'
import { telling } from './telling'
import { useValue } from './use-value'

/**
 * The signed-in user. Suspends until it is known who that is; a first load that fails goes to the error boundary.
 *
 * While signed out: null; with `or: 'redirect'` the page goes to the sign-in page and comes back (suspended meanwhile; where
 * the kit does not navigate, and on a server, as `'throw'`); with `or: 'throw'` USER_AUTHENTICATION_REQUIRED goes to the error
 * boundary. An anonymous user counts as signed out; with `or: 'anonymous'` it is a user like any other.
 *
 * A restricted user (`user.restriction`) is let in unless `or` says what to do: with `'redirect'` the page goes to the page of
 * e-mail verification if that ends the restriction; else, and with `'throw'`, RESTRICTED_USER_NOT_ALLOWED goes to the boundary.
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
  const app = useApp()
  const user = useValue(or === 'anonymous' ? app.anyUser$ : app.user$)
  if (or === 'null' || or === 'anonymous') return user
  const restriction = user?.restriction
  if (user && !restriction) return user
  if (or === 'redirect' && !isServer()) {
    if (!restriction) wait(app, signInKey, () => app.redirectToSignIn(quietly))
    if (restriction?.type === 'email_not_verified')
      wait(app, verificationKey, () => app.redirectToEmailVerification(quietly))
  }
  if (restriction)
    throw new AuthError(
      'RESTRICTED_USER_NOT_ALLOWED',
      `this component is for unrestricted users only, and the user is restricted: ${restriction.type}`,
      { details: { restrictedReason: restriction } },
    )
  throw new AuthError(
    'USER_AUTHENTICATION_REQUIRED',
    'this component is for signed-in users only, and nobody is signed in',
  )
}

const quietly = { automatic: true, replace: true }

interface Going {
  promise?: Promise<void> | undefined
  /** What the next render throws: where it could not be gone to. */
  failure?: { readonly error: unknown } | undefined
  /** Calls off the end of the failure. */
  cancel?: (() => void) | undefined
  /** This kit does not navigate, so nobody need be kept waiting. */
  stays?: boolean
}

const signInKey = {}
const verificationKey = {}

/**
 * Suspends while the page goes somewhere else: once for all components that want it, and not while rendering, which must
 * not do anything. Returns where the kit does not navigate.
 */
function wait(app: ClientApp, key: object, go: () => Promise<boolean>): void {
  const going = slot<Going>(app, key, () => ({}))
  const { failure } = going
  if (failure) {
    // Thrown until React has shown it, as an attempt to load is; a boundary that is reset later tries again.
    going.cancel?.()
    const parts = telling(app.user$)['~parts']
    going.cancel = parts && countDown(parts.clock, thrownTurns, () => (going.failure = undefined))
    throw failure.error
  }
  if (going.stays) return
  going.promise ??= Promise.resolve()
    .then(go)
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
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what React waits for is a promise
  throw going.promise
}
