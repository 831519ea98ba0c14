import * as v from 'valibot'
import { items } from '../../core/wire'
import { renewToken } from '../../store/session'
import { allOf } from '../../store/definition'
import { mutation } from '../../store/write/mutation'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { OwnTeamInvitation } from './client-own-team-invitations'
import { contactChannelsOf$ } from '../contact-channels/server'
import { wholeUser } from '../server-touched'
import { teamInvitationsOf$ } from './server-team-invitations'

/**
 * The open invitations to the verified addresses of a user. Fails with NOT_ON_THIS_PLATFORM on a release that accepts
 * invitations by their codes only, such as 2.8.18.
 *
 * @example
 * const invitations = await server.ownTeamInvitationsOf$({ userId: 'user-1' }).get()
 */
export const ownTeamInvitationsOf$ = query(
  endpoint('GET /team-invitations', {
    access: 'server',
    // The platform refuses another text with an error that names the field, as a release without the call does.
    query: { userId: v.pipe(v.string(), v.uuid()) },
    returns: items(OwnTeamInvitation),
    notOnPlatform: lacking('user_id'),
  }),
  { partOf: ['teams', 'owned'], '~follows': [contactChannelsOf$, teamInvitationsOf$] },
)

/**
 * Makes a user a member of the team of an invitation in `ownTeamInvitationsOf$`, with the refusals of
 * `acceptOwnTeamInvitation`.
 *
 * @example
 * const result = await server.acceptOwnTeamInvitationById({ userId: 'user-1', invitationId: 'invitation-1' })
 */
export const acceptOwnTeamInvitationById = mutation(
  endpoint('POST /team-invitations/{invitationId}/accept', {
    access: 'server',
    query: { userId: v.string() },
    fails: ['USER_NOT_FOUND', 'VERIFICATION_CODE_NOT_FOUND', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'],
    notOnPlatform: lacking(404),
  }),
  {
    // The answer does not name the team.
    refreshes: ({ userId }) => [allOf('teams', {}), allOf('team', {}), ...wholeUser({ userId })],
    settled: (kit, _, { userId }) => renewToken(kit, userId),
  },
)
