import { signOutSession } from '../session/sign-out'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'

/**
 * Signs out, also an anonymous user: first here and in the other tabs, then on the platform. Never rejects; resolves when
 * the platform has revoked the session, or after 2 s without an answer.
 *
 * @example
 * await app.signOut()
 */
export function signOut(kit: Kit): Promise<void> {
  return signOutSession(coreOf(kit).session)
}
