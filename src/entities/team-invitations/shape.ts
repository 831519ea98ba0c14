import * as v from 'valibot'
import { endpoint, lacking, millis } from '../declare'
import { checksCode, codeErrors } from '../mailed-code'

/** The fields of an invitation that the team and the invited user see. */
export const teamInvitationFields = {
  id: v.string(),
  teamId: v.string(),
  recipientEmail: v.string(),
  expiresAt: millis(),
}

/** Why newer releases refuse an invitation to a user whom it is not for. */
export const invitedErrors = ['TEAM_INVITATION_EMAIL_MISMATCH', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'] as const

const fails = [...codeErrors, ...invitedErrors] as const

/** Makes the user a member. Without a user, the code is consumed all the same. */
export const acceptInvitation = endpoint('POST /team-invitations/accept', {
  access: 'client',
  body: { code: v.string() },
  fails,
})

/** The team of an invitation, for a signed-in user. */
export const invitationDetails = endpoint('POST /team-invitations/accept/details', {
  access: 'client',
  body: { code: v.string() },
  returns: v.object({ teamId: v.string(), teamDisplayName: v.string() }),
  fails,
})

export const checkInvitationCode = endpoint('POST /team-invitations/accept/check-code', checksCode)

/** Makes the signed-in user a member, by the invitation's id in place of its code. */
export const acceptOwnInvitation = endpoint('POST /team-invitations/{invitationId}/accept', {
  access: 'client',
  query: { userId: v.string() },
  fails: ['VERIFICATION_CODE_NOT_FOUND', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'],
  notOnPlatform: lacking(404),
})
