import type { Engine } from './engine'
import { known } from './refusal'
import type { UserRow } from './tables'
import { createCode } from './verification-codes'

/** Refuses a first factor that is not enough; the attempt code continues the sign-in with the second one. */
export function requireSecondFactor(engine: Engine, user: UserRow): void {
  if (!user.requiresTotpMfa) return
  const attemptCode = createCode(engine, 'mfa-attempt', { userId: user.id })
  // The attempt is for the next request, though this one is refused.
  engine.keep()
  throw known('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 'This user signs in with a second factor, too.', { attemptCode })
}
