import type { SignedOutReason } from '../session/identity'
import { claimsIn } from '../transport/access-token'
import type { Tokens } from '../transport/credentials'
import { coreOf } from './kit'
import type { Kit } from './kit'

/** Held by no token store. */
const nobody: Tokens = { accessToken: null, refreshToken: 'nobody' }

/** Throws TOKENS_UNAVAILABLE, before a sign-in is sent, where its session could not be kept. */
export async function assertKeepsSessions(kit: Kit<never>): Promise<void> {
  // Changes nothing: a store that can write answers false, one that cannot throws.
  await coreOf(kit).session.store.replace(nobody, null)
}

/** Begins the session that the platform has just answered; everything of the one before is dropped. */
export function startSession(kit: Kit<never>, { accessToken, refreshToken }: Tokens): Promise<void> {
  return coreOf(kit).session.start({ accessToken, refreshToken })
}

/** Ends the present session here; the platform already knows. */
export async function endSession(kit: Kit<never>, reason: SignedOutReason): Promise<void> {
  const { session } = coreOf(kit)
  await session.end(session.stored, reason)
}

/**
 * A write has changed which team is selected. The access tokens of newer releases name the team: one that names a wrong one
 * is dropped, and the next call that needs one, to the app's own backend too, takes one that is right.
 */
export function renewTeamClaim(kit: Kit<never>, isWrong: (selectedTeamId: unknown) => boolean): void {
  const { session } = coreOf(kit)
  const { accessToken, refreshToken } = session.tokens ?? {}
  if (!accessToken || !refreshToken) return
  const named = claimsIn(accessToken)?.['selected_team_id']
  if (named !== undefined && isWrong(named)) session.refused(accessToken)
}
