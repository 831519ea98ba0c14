import type { TeamInvitation } from '../../entities/team-invitations/client'
import type { Engine } from '../model/engine'
import { normalizeEmail } from '../model/users'
import { known } from '../model/refusal'
import { restrictionOf } from '../model/restriction'
import type { UserRow } from '../model/users'
import type { VerificationCodeRow } from '../model/sessions'

/** The unused and unexpired invitations of a team, oldest first. */
export function openInvitations(engine: Engine, teamId: string): VerificationCodeRow[] {
  return engine.tables.verificationCodes.by('teamId', teamId).filter(isOpen(engine))
}

/** The open invitations sent to the user's verified addresses. */
export function invitationsTo(engine: Engine, user: UserRow): VerificationCodeRow[] {
  return verifiedAddresses(engine, user)
    .flatMap(address => engine.tables.verificationCodes.by('invited', address))
    .filter(isOpen(engine))
    .filter(({ subject }) => engine.tables.teams.get(subject.teamId ?? ''))
}

/** In normal form. */
export function verifiedAddresses({ tables }: Engine, { id }: UserRow): string[] {
  const channels = tables.contactChannels.by('userId', id)
  return channels.filter(({ isVerified }) => isVerified).map(({ value }) => normalizeEmail(value))
}

function isOpen({ clock }: Engine) {
  return ({ usedAt, expiresAt }: VerificationCodeRow) => usedAt === null && expiresAt > clock.now()
}

/** An invitation as lists show it; only the newer release has the team's name. */
export function toInvitation(
  { tables }: Engine,
  { id, subject: { teamId = '', email = '' }, expiresAt }: VerificationCodeRow,
): TeamInvitation & { readonly teamDisplayName: string | undefined } {
  const teamDisplayName = tables.teams.get(teamId)?.displayName
  return { id, teamId, teamDisplayName, recipientEmail: email, expiresAt: new Date(expiresAt) }
}

/** Refuses a restricted user. */
export function requireUnrestricted(engine: Engine, user: UserRow): void {
  const restriction = restrictionOf(engine, user)
  if (restriction)
    throw known(
      'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED',
      `A restricted user (${restriction.type}) joins no team.`,
      { restrictedReason: restriction },
    )
}
