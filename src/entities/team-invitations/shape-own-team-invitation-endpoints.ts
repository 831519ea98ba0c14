import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'

/** Makes the signed-in user a member, by the invitation's id in place of its code. */
export const acceptOwnInvitation = endpoint('POST /team-invitations/{invitationId}/accept', {
  access: 'client',
  query: { userId: v.string() },
  fails: ['VERIFICATION_CODE_NOT_FOUND', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'],
  notOnPlatform: lacking(404),
})
