import { afterAuth } from '../navigation/targets'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'

/**
 * A sign-in that succeeded. It does not navigate by itself.
 *
 * @example
 * const afterwards = ({ isNewUser, next }: SignedIn) => (isNewUser ? '/welcome' : next)
 */
export interface SignedIn {
  readonly userId: string
  readonly isNewUser: boolean
  /** The trusted address to go to: where the person came from, else the after-sign-up or after-sign-in page. */
  readonly next: string
}

/** `returnTo`: where to come back to, if the page's own address does not say. */
export function signedIn(
  kit: Kit<never>,
  userId: string,
  isNewUser: boolean,
  returnTo: string | null = null,
): SignedIn {
  return { userId, isNewUser, next: afterAuth(coreOf(kit).navigation, isNewUser, returnTo) }
}
