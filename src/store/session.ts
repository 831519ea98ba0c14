import type { SignedOutReason } from '../session/identity'
import type { Tokens } from '../transport/credentials'
import { coreOf } from './kit'
import type { Kit } from './kit'

/** Begins the session that the platform has just answered; everything of the one before is dropped. */
export function startSession(kit: Kit<never>, { accessToken, refreshToken }: Tokens): Promise<void> {
  return coreOf(kit).session.start({ accessToken, refreshToken })
}

/** Ends the present session here; the platform already knows. */
export async function endSession(kit: Kit<never>, reason: SignedOutReason): Promise<void> {
  const { session } = coreOf(kit)
  await session.end(session.stored, reason)
}
