import type { Engine } from '../model/engine'
import { known } from '../model/refusal'
import type { UserRow } from '../model/user-tables'
import { createCode } from './verification-codes'

/** Throws if the user needs a second factor; the error's attempt code continues the sign-in. */
export function requireSecondFactor(engine: Engine, user: UserRow): void {
  if (!user.requiresTotpMfa) return
  const attemptCode = createCode(engine, 'mfa-attempt', { userId: user.id })
  // Keeps the attempt, though this request is refused.
  engine.keep()
  throw known('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 'This user needs a second factor to sign in.', { attemptCode })
}
