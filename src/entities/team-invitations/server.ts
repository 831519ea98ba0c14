import * as v from 'valibot'
import { allOf, email, items, lacking, only, renewToken, serverStore, serverWrite } from '../declare'
import { callbackUrl } from '../mailed-code'
import { TeamInvitation, teamInvitations$, OwnTeamInvitation } from './client'
import { isUnlisted, withoutRow } from '../rows'
import { mailsSent } from '../emails/shape'
import { contactChannelsOf$ } from '../contact-channels/server'
import { wholeUser } from '../server-touched'

/**
 * The open invitations to any team.
 *
 * @example
 * const invitations = await server.teamInvitationsOf$({ teamId: 'team-1' }).get()
 */
export const teamInvitationsOf$ = serverStore('GET /team-invitations', {
  query: { teamId: v.string() },
  returns: items(TeamInvitation),
  partOf: 'team',
})

const showing = (teamId: string) => [only(teamInvitationsOf$, { teamId }), only(teamInvitations$, { teamId })]

/**
 * Mails an invitation to any team, as `sendTeamInvitation` does for a member with the permission.
 *
 * @example
 * const callbackUrl = 'https://app.example.com/handler/team-invitation'
 * await server.sendTeamInvitationById({ teamId: 'team-1', email: 'grace@example.com', callbackUrl })
 */
export const sendTeamInvitationById = serverWrite('POST /team-invitations/send-code', {
  body: { teamId: v.string(), email: email(), callbackUrl: v.string() },
  returns: v.object({ id: v.string() }),
  prepare: (kit, input: { readonly teamId: string; readonly email: string; readonly callbackUrl?: string }) => ({
    ...input,
    callbackUrl: callbackUrl(kit, 'teamInvitation', input.callbackUrl),
  }),
  refreshes: ({ teamId }) => [...showing(teamId), mailsSent],
})

/**
 * Revokes an invitation to any team; one that is already gone counts as done.
 *
 * @example
 * await server.revokeTeamInvitationById({ teamId: 'team-1', invitationId: 'invitation-1' })
 */
export const revokeTeamInvitationById = serverWrite('DELETE /team-invitations/{invitationId}', {
  query: { teamId: v.string() },
  done: isUnlisted(teamInvitationsOf$, 'invitationId'),
  refreshes: ({ teamId }) => showing(teamId),
  writes: ({ teamId, invitationId }) => [withoutRow(teamInvitationsOf$, { teamId }, invitationId)],
})

/**
 * The open invitations to the verified addresses of a user. Fails with NOT_ON_THIS_PLATFORM on a release that accepts
 * invitations by their codes only, such as 2.8.18.
 *
 * @example
 * const invitations = await server.ownTeamInvitationsOf$({ userId: 'user-1' }).get()
 */
export const ownTeamInvitationsOf$ = serverStore('GET /team-invitations', {
  // The platform refuses another text with an error that names the field, as a release without the call does.
  query: { userId: v.pipe(v.string(), v.uuid()) },
  returns: items(OwnTeamInvitation),
  notOnPlatform: lacking('user_id'),
  partOf: ['teams', 'owned'],
  follows: [contactChannelsOf$, teamInvitationsOf$],
})

/**
 * Makes a user a member of the team of an invitation in `ownTeamInvitationsOf$`, with the refusals of
 * `acceptOwnTeamInvitation`.
 *
 * @example
 * const result = await server.acceptOwnTeamInvitationById({ userId: 'user-1', invitationId: 'invitation-1' })
 */
export const acceptOwnTeamInvitationById = serverWrite('POST /team-invitations/{invitationId}/accept', {
  query: { userId: v.string() },
  fails: ['USER_NOT_FOUND', 'VERIFICATION_CODE_NOT_FOUND', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'],
  notOnPlatform: lacking(404),
  // The answer does not name the team.
  refreshes: ({ userId }) => [allOf('teams', {}), allOf('team', {}), ...wholeUser({ userId })],
  settled: (kit, _, { userId }) => renewToken(kit, userId),
})
