import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { checksCode, codeErrors } from '../../auth/codes/answers'

/** Makes the user a member. Without a user, the code is consumed all the same. */
export const acceptInvitation = endpoint('POST /team-invitations/accept', {
  access: 'client',
  body: { code: v.string() },
  fails: codeErrors,
})

/** The team of an invitation, for a signed-in user. */
export const invitationDetails = endpoint('POST /team-invitations/accept/details', {
  access: 'client',
  body: { code: v.string() },
  returns: v.object({ teamId: v.string(), teamDisplayName: v.string() }),
  fails: codeErrors,
})

/** Checks the code of an invitation. */
export const checkInvitationCode = endpoint('POST /team-invitations/accept/check-code', checksCode)
