import * as v from 'valibot'
import { email, topic } from '../declare'

const type = v.picklist(['user-primary-email', 'user-custom-emails', 'custom-emails'])

/** As the caller gives it: addresses are checked before the request. */
export const givenRecipient = v.object({
  type,
  userId: v.optional(v.string()),
  emails: v.optional(v.array(email())),
})

/** A recipient in an answer of the platform. */
export const recipient = v.object({
  type,
  userId: v.optional(v.string()),
  emails: v.optional(v.array(v.string())),
})

/**
 * The addresses of a mail: the primary address that a user has when it is sent, other addresses of a user, or addresses without a
 * user.
 */
export type EmailRecipient =
  | { readonly type: 'user-primary-email'; readonly userId: string }
  | { readonly type: 'user-custom-emails'; readonly userId: string; readonly emails: readonly string[] }
  | { readonly type: 'custom-emails'; readonly emails: readonly string[] }

/** The mails that the platform has sent. A server cannot list them; an admin can. */
export const mailsSent = topic('mails sent')
