import * as v from 'valibot'
import { items } from '../../core/wire'
import type { Shape } from '../../core/wire'
import { query } from '../../store/query'
import { endpoint, withFields } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { contactChannels$ } from '../contact-channels/client-contact-channels'
import { teamInvitationFields } from './shape-team-invitation-fields'
import { teamInvitations$ } from './client-team-invitations'
import { teams$ } from '../teams/client'

const ownTeamInvitation = v.object(withFields(teamInvitationFields, { teamDisplayName: v.string() }))

/**
 * An invitation to a user, with the name of the team. It is neither used nor expired.
 *
 * @example
 * const question = ({ teamDisplayName, recipientEmail }: OwnTeamInvitation) => `Join ${teamDisplayName} as ${recipientEmail}?`
 */
export interface OwnTeamInvitation extends v.InferOutput<typeof ownTeamInvitation> {}
export const OwnTeamInvitation: Shape<OwnTeamInvitation> = ownTeamInvitation

/**
 * The open invitations to the verified addresses of the signed-in user. Fails with NOT_ON_THIS_PLATFORM on a release that
 * accepts invitations by their codes only, such as 2.8.18.
 *
 * @example
 * app.ownTeamInvitations$.subscribe(invitations => console.log(invitations.map(({ teamDisplayName }) => teamDisplayName)))
 */
export const ownTeamInvitations$ = query(
  endpoint('GET /team-invitations', {
    access: 'client',
    fixed: { user_id: 'me' },
    returns: items(OwnTeamInvitation),
    notOnPlatform: lacking('user_id'),
  }),
  // An invitation goes with its team, and is shown only while its address is a verified one of the user.
  { partOf: 'teams', signedOut: [], '~follows': [teams$, contactChannels$, teamInvitations$] },
)
