import * as v from 'valibot'
import * as shape from '../../entities/team-invitations/shape'
import * as server from '../../entities/team-invitations/server'
import { requireOwnId, type Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { userIdOrMe, laxEmail, uuid } from '../model/limits'
import { hostedFailure, known, refuse, schemaError } from '../model/refusal'
import { serve } from '../http/serve'
import { normalizeEmail, type UserRow } from '../model/users'
import { grantingDefaults } from '../directory/permissions'
import { join, requireRights, requireSignedIn, requireTeam } from '../directory/teams'
import { checking, codeNotFound, createCodeRow, markUsed, lookUpCode } from '../directory/verification-codes'
import * as client from '../../entities/team-invitations/client'
import { send, withCode } from '../mail/mail'
import type { SystemPermission } from '../model/teams'
import type { VerificationCodeRow } from '../model/sessions'
import { requireTrustedUrl } from '../directory/trusted-url'
import { restrictionOf } from '../model/restriction'

/** The newer release's additional routes, which accept an invitation without its mail. */
export const newerRoutes = [
  serve(
    [shape.acceptOwnInvitation, server.acceptOwnTeamInvitationById],
    { query: { userId: userIdOrMe }, answers: v.object({}) },
    ({ engine, caller, input: { invitationId, userId } }) => {
      const user = invitedUser(engine, caller, userId) ?? refuse(codeNotFound())
      if (caller.access === 'client') requireUnrestricted(engine, user)
      const invitation = invitationsTo(engine, user).find(({ id }) => id === invitationId) ?? refuse(codeNotFound())
      markUsed(engine, invitation)
      const { teamId = '' } = invitation.subject
      grantingDefaults(() => join(engine, { teamId, userId: user.id, as: 'member' }))
      return {}
    },
  ),
]

/** The user whose invitations the request reads, if there is one; a client's own user only. */
function invitedUser(engine: Engine, caller: Caller, userId: string): UserRow | undefined {
  requireOwnId(caller, userId, 'A client can list and accept invitations of its own user only: send user_id=me.')
  return engine.tables.users.get(userId)
}

/** The newer release's additions: an invitation has the team's name, and users can list their own. */
const newer = {
  query: { teamId: v.optional(uuid), userId: v.optional(userIdOrMe) },
  answers: { teamDisplayName: v.string() },
}

export const routes = [
  serve(
    [client.sendTeamInvitation, server.sendTeamInvitationById],
    { body: { email: laxEmail }, answers: v.object({ success: v.literal(true), id: v.string() }) },
    async ({ engine, caller, input: { teamId, email, callbackUrl } }) => {
      requireRights(engine, caller, teamId, '$invite_members')
      requireTrustedUrl(engine, callbackUrl)
      const team = engine.tables.teams.get(teamId) ?? refuse(hostedFailure(`There is no team with the id ${teamId}.`))
      const { id, code } = createCodeRow(engine, 'team-invitation', { teamId: team.id, email })
      await send(engine, 'team_invitation', normalizeEmail(email), code, {
        teamDisplayName: team.displayName,
        teamInvitationLink: withCode(callbackUrl, code),
      })
      return { success: true as const, id }
    },
  ),

  serve(
    [client.teamInvitations$, server.teamInvitationsOf$],
    { newer },
    ({ engine, caller, input: { teamId, userId } }) => {
      if ((teamId === undefined) === (userId === undefined)) throw schemaError('query needs either team_id or user_id')
      if (teamId !== undefined) requireTeamRights(engine, caller, teamId, '$read_members', '$invite_members')
      const invited = userId === undefined ? undefined : invitedUser(engine, caller, userId)
      const ofTeam = engine.tables.verificationCodes.by('teamId', teamId ?? '').filter(isOpen(engine))
      const invitations = userId === undefined ? ofTeam : invited ? invitationsTo(engine, invited) : []
      return invitations.map(invitation => toInvitation(engine, invitation))
    },
  ),

  serve([client.revokeTeamInvitation, server.revokeTeamInvitationById], {}, ({ engine, caller, input }) => {
    const { teamId, invitationId } = input
    requireTeamRights(engine, caller, teamId, '$remove_members')
    const { verificationCodes } = engine.tables
    // Used and expired invitations can still be revoked, though lists show open ones only.
    if (verificationCodes.get(invitationId)?.subject.teamId !== teamId)
      throw hostedFailure('There is no such invitation.')
    verificationCodes.delete(invitationId)
  }),

  // The code counts as used even if the caller has no user.
  serve(shape.acceptInvitation, { answers: v.object({}) }, ({ engine, caller, input }) => {
    const invitation = lookUpCode(engine, 'team-invitation', input.code)
    requireInvited(engine, caller, invitation)
    markUsed(engine, invitation)
    const { id: userId } = requireSignedIn(caller)
    const { teamId = '' } = invitation.subject
    const { id } = requireTeam(engine, teamId)
    grantingDefaults(() => join(engine, { teamId: id, userId, as: 'member' }))
    return {}
  }),

  serve(shape.invitationDetails, {}, ({ engine, caller, input }) => {
    const invitation = lookUpCode(engine, 'team-invitation', input.code)
    requireInvited(engine, caller, invitation)
    requireSignedIn(caller)
    const team = engine.tables.teams.get(invitation.subject.teamId ?? '') ?? refuse(codeNotFound())
    return { teamId: team.id, teamDisplayName: team.displayName }
  }),

  serve(shape.checkInvitationCode, {}, checking('team-invitation')),
]

/** Refuses a user whom the invitation is not for; the invitation stays unused. */
function requireInvited(engine: Engine, { user }: Caller, { subject: { email = '' } }: VerificationCodeRow): void {
  if (!engine.rules.checksInvitedUser || !user) return
  requireUnrestricted(engine, user)
  if (!engine.rules.checksInvitedAddress) return
  if (!verifiedAddresses(engine, user).includes(normalizeEmail(email)))
    throw known(
      'TEAM_INVITATION_EMAIL_MISMATCH',
      'The invitation was mailed to an address that is none of the verified addresses of the user.',
    )
}

/** A client needs the permissions in the team; for servers the team must exist. */
function requireTeamRights(engine: Engine, caller: Caller, teamId: string, ...ids: SystemPermission[]): void {
  if (caller.access !== 'client') requireTeam(engine, teamId)
  requireRights(engine, caller, teamId, ...ids)
}

/** The open invitations sent to the user's verified addresses. */
function invitationsTo(engine: Engine, user: UserRow): VerificationCodeRow[] {
  return verifiedAddresses(engine, user)
    .flatMap(address => engine.tables.verificationCodes.by('invited', address))
    .filter(isOpen(engine))
    .filter(({ subject }) => engine.tables.teams.get(subject.teamId ?? ''))
}

/** In normal form. */
function verifiedAddresses({ tables }: Engine, { id }: UserRow): string[] {
  const channels = tables.contactChannels.by('userId', id)
  return channels.filter(({ isVerified }) => isVerified).map(({ value }) => normalizeEmail(value))
}

function isOpen({ clock }: Engine) {
  return ({ usedAt, expiresAt }: VerificationCodeRow) => usedAt === null && expiresAt > clock.now()
}

/** An invitation as lists show it; only the newer release has the team's name. */
function toInvitation(
  { tables }: Engine,
  { id, subject: { teamId = '', email = '' }, expiresAt }: VerificationCodeRow,
) {
  const teamDisplayName = tables.teams.get(teamId)?.displayName
  return { id, teamId, teamDisplayName, recipientEmail: email, expiresAt: new Date(expiresAt) }
}

function requireUnrestricted(engine: Engine, user: UserRow): void {
  const restriction = restrictionOf(engine, user)
  if (restriction)
    throw known(
      'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED',
      `A restricted user (${restriction.type}) joins no team.`,
      { restrictedReason: restriction },
    )
}
