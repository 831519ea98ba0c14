import { afterAuth } from '../navigation/targets'
import { coreOf } from '../store/core'
import type { Kit } from '../store/kit'

/**
 * A successful sign-in. It does not navigate by itself.
 *
 * @example
 * const afterwards = ({ isNewUser, next }: SignedIn) => (isNewUser ? '/welcome' : next)
 */
export interface SignedIn {
  readonly userId: string
  readonly isNewUser: boolean
  /** The trusted URL to go to: the return address, else the after-sign-up or after-sign-in page. */
  readonly next: string
}

/** `returnTo`: the return address, if the page's own URL has none. */
export function signedIn(
  kit: Kit<never>,
  userId: string,
  isNewUser: boolean,
  returnTo: string | null = null,
): SignedIn {
  return { userId, isNewUser, next: afterAuth(coreOf(kit).navigation, isNewUser, returnTo) }
}

/** Throws before the request of a sign-in what a function of `urls` would throw after it. */
export function assertNext(kit: Kit<never>, returnTo: string | null): void {
  for (const isNewUser of [false, true]) signedIn(kit, '', isNewUser, returnTo)
}
