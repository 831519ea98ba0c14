import * as v from 'valibot'
import { millis } from '../../core/wire'

/** The fields of an invitation that the team and the invited user see. */
export const teamInvitationFields = {
  id: v.string(),
  teamId: v.string(),
  recipientEmail: v.string(),
  expiresAt: millis(),
}
