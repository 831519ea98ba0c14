import type { SignedOutReason } from '../session/identity'
import type { Session } from '../session/session'
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
 * A write has changed what `userId` may do. If that is the present user, the access token is dropped: the next call that
 * needs one, to the app's own backend too, takes a new one. A backend keeps what it has found out about a token for as long
 * as it sees that token, and the tokens of newer releases name the selected team.
 */
export function renewToken(kit: Kit<never>, userId = 'me'): Promise<void> | undefined {
  const { session } = coreOf(kit)
  const renew = () => {
    if (userId === 'me' || userId === session.identity.userId) drop(session)
  }
  if (session.identity.kind !== 'unknown') {
    renew()
    return undefined
  }
  // A server writes without having looked at the tokens of its request; those that cannot be read need no renewal.
  return session.capture().then(renew, () => undefined)
}

/** The same after a write that has selected a team, for a token that names another one; tokens that name none stay. */
export function renewTeamClaim(kit: Kit<never>, selectedTeamId: string | null | undefined, userId = 'me'): void {
  const { session } = coreOf(kit)
  if (userId !== 'me' && userId !== session.identity.userId) return
  const named = claimsIn(session.tokens?.accessToken ?? '')?.['selected_team_id']
  if (named !== undefined && selectedTeamId !== undefined && named !== selectedTeamId) drop(session)
}

/** Without a refresh token there would be no other access token. */
function drop(session: Session): void {
  const { accessToken, refreshToken } = session.tokens ?? {}
  if (accessToken && refreshToken) session.refused(accessToken)
}
