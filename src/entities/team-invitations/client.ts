import * as v from 'valibot'
import { clientStore, clientWrite, email, items, lacking, only, withFields, type Shape } from '../declare'
import { callbackUrl } from '../mailed-code'
import { teamInvitationFields } from './shape'
import { isUnlisted, withoutRow } from '../rows'
import { contactChannels$ } from '../contact-channels/client'
import { teams$ } from '../teams/client'

const teamInvitation = v.object(teamInvitationFields)

/** An invitation to a team that is neither used nor expired. */
export interface TeamInvitation extends v.InferOutput<typeof teamInvitation> {}
export const TeamInvitation: Shape<TeamInvitation> = teamInvitation

/**
 * The open invitations to a team of the signed-in user. Fails with TEAM_PERMISSION_REQUIRED without the permissions
 * `$read_members` and `$invite_members`.
 *
 * @example
 * app.teamInvitations$({ teamId: 'team-1' }).subscribe(invitations => console.log(invitations.length))
 */
export const teamInvitations$ = clientStore('GET /team-invitations', {
  query: { teamId: v.string() },
  returns: items(TeamInvitation),
  partOf: ['team', 'permission'],
  signedOut: [],
})

/**
 * Mails an invitation to a team, valid for seven days. Its link leads to `callbackUrl` (by default the app's team-invitation
 * page) with `?code=…`. Needs the permission `$invite_members`.
 *
 * Throws INVALID_INPUT outside a browser if `callbackUrl` is missing.
 *
 * @example
 * await app.sendTeamInvitation({ teamId: 'team-1', email: 'grace@example.com' })
 */
export const sendTeamInvitation = clientWrite('POST /team-invitations/send-code', {
  body: { teamId: v.string(), email: email(), callbackUrl: v.string() },
  returns: v.object({ id: v.string() }),
  prepare: (kit, input: { readonly teamId: string; readonly email: string; readonly callbackUrl?: string }) => ({
    ...input,
    callbackUrl: callbackUrl(kit, 'teamInvitation', input.callbackUrl),
  }),
  refreshes: ({ teamId }) => [only(teamInvitations$, { teamId })],
})

/**
 * Revokes an invitation; one that is already gone counts as done. Needs the permission `$remove_members`.
 *
 * @example
 * await app.revokeTeamInvitation({ teamId: 'team-1', invitationId: 'invitation-1' })
 */
export const revokeTeamInvitation = clientWrite('DELETE /team-invitations/{invitationId}', {
  query: { teamId: v.string() },
  done: isUnlisted(teamInvitations$, 'invitationId'),
  refreshes: ({ teamId }) => [only(teamInvitations$, { teamId })],
  optimistic: ({ teamId, invitationId }) => [withoutRow(teamInvitations$, { teamId }, invitationId)],
  writes: ({ teamId, invitationId }) => [withoutRow(teamInvitations$, { teamId }, invitationId)],
})

const ownTeamInvitation = v.object(withFields(teamInvitationFields, { teamDisplayName: v.string() }))

/** An invitation to a user, with the name of the team. It is neither used nor expired. */
export interface OwnTeamInvitation extends v.InferOutput<typeof ownTeamInvitation> {}
export const OwnTeamInvitation: Shape<OwnTeamInvitation> = ownTeamInvitation

/**
 * The open invitations to the verified addresses of the signed-in user. Fails with NOT_ON_THIS_PLATFORM on a release that
 * accepts invitations by their codes only, such as 2.8.18.
 *
 * @example
 * app.ownTeamInvitations$.subscribe(invitations => console.log(invitations.map(({ teamDisplayName }) => teamDisplayName)))
 */
export const ownTeamInvitations$ = clientStore('GET /team-invitations', {
  fixed: { user_id: 'me' },
  returns: items(OwnTeamInvitation),
  notOnPlatform: lacking('user_id'),
  // An invitation goes with its team, and is shown only while its address is a verified one of the user.
  partOf: 'teams',
  signedOut: [],
  follows: [teams$, contactChannels$, teamInvitations$],
})
