'use client'
import { AuthError } from 'rxauth'
import type { CurrentUser } from 'rxauth'
import { useApp } from './provider'
import { useValue } from './use-value'

/**
 * The signed-in user. Suspends until it is known who that is; a first load that fails goes to the error boundary.
 *
 * While signed out: null; with `or: 'throw'` USER_AUTHENTICATION_REQUIRED goes to the error boundary. An anonymous user
 * counts as signed out; with `or: 'anonymous'` it is a user like any other.
 */
export function useUser(options: { readonly or: 'throw' }): CurrentUser
export function useUser(options?: { readonly or?: 'null' | 'anonymous' | 'throw' }): CurrentUser | null
export function useUser({ or = 'null' }: { readonly or?: 'null' | 'anonymous' | 'throw' } = {}): CurrentUser | null {
  const app = useApp()
  const user = useValue(or === 'anonymous' ? app.anyUser$ : app.user$)
  if (user === null && or === 'throw')
    throw new AuthError(
      'USER_AUTHENTICATION_REQUIRED',
      'this component is for signed-in users only, and nobody is signed in',
    )
  return user
}
