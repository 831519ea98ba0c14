import * as v from 'valibot'
import { email, items, only, serverStore, serverWrite, withFields } from '../declare'
import { contactChannels$, ContactChannel, withoutKnownValue } from './client'
import { callbackUrl } from '../mailed-code'
import { isUnlisted, withoutRow } from '../rows'
import { mailsSent } from '../emails/shape'
import { changedUser } from '../server-touched'

/**
 * A user's contact channels, oldest first.
 *
 * @example
 * const channels = await server.contactChannelsOf$({ userId: 'user-1' }).get()
 */
export const contactChannelsOf$ = serverStore('GET /contact-channels', {
  query: { userId: v.string() },
  returns: items(ContactChannel),
  partOf: 'owned',
})

const showing = (userId: string) => [only(contactChannelsOf$, { userId }), contactChannels$, ...changedUser({ userId })]

const flags = { isPrimary: v.optional(v.boolean()), isVerified: v.optional(v.boolean()) }

/**
 * Adds an address to a user, verified if the input says so. Errors as in `createContactChannel`.
 *
 * For an unknown user, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of USER_NOT_FOUND: see
 * "Where the hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * await server.createContactChannelById({ userId: 'user-1', value: 'ada@example.com', isVerified: true })
 */
export const createContactChannelById = serverWrite('POST /contact-channels', {
  fixed: { type: 'email' },
  body: withFields(flags, {
    userId: v.string(),
    value: email(),
    usedForAuth: v.optional(v.boolean(), false),
  }),
  returns: ContactChannel,
  fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', 'USER_NOT_FOUND'],
  refreshes: ({ userId }) => showing(userId),
})

/**
 * Changes a contact channel of a user; fields left out stay. A new `value` is unverified unless the input says otherwise.
 * Returns INVALID_INPUT, with `details.field` "value", before a request, for text that is no e-mail address.
 *
 * For an address that exists already, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of a code:
 * see "Where the hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * await server.updateContactChannelById({ userId: 'user-1', contactChannelId: 'channel-1', isVerified: true })
 */
export const updateContactChannelById = serverWrite('PATCH /contact-channels/{userId}/{contactChannelId}', {
  fixed: { type: 'email' },
  body: withFields(flags, { value: v.optional(email()), usedForAuth: v.optional(v.boolean()) }),
  returns: ContactChannel,
  fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'],
  prepare: (kit, changes) => withoutKnownValue(contactChannelsOf$(kit, { userId: changes.userId }), changes),
  refreshes: ({ userId }) => showing(userId),
})

/**
 * Deletes an address of a user; one that is already gone counts as done.
 *
 * @example
 * await server.deleteContactChannelById({ userId: 'user-1', contactChannelId: 'channel-1' })
 */
export const deleteContactChannelById = serverWrite('DELETE /contact-channels/{userId}/{contactChannelId}', {
  done: isUnlisted(contactChannelsOf$, 'contactChannelId'),
  refreshes: ({ userId }) => showing(userId),
  writes: ({ userId, contactChannelId }) => [withoutRow(contactChannelsOf$, { userId }, contactChannelId)],
})

/**
 * Mails a link that verifies an address of a user, as `sendContactChannelVerification` does for the signed-in user.
 *
 * @example
 * await server.sendContactChannelVerificationById({
 *   userId: 'user-1',
 *   contactChannelId: 'channel-1',
 *   callbackUrl: 'https://app.example.com/handler/email-verification',
 * })
 */
export const sendContactChannelVerificationById = serverWrite(
  'POST /contact-channels/{userId}/{contactChannelId}/send-verification-code',
  {
    body: { callbackUrl: v.string() },
    fails: ['EMAIL_ALREADY_VERIFIED', 'USER_ID_DOES_NOT_EXIST'],
    prepare: (
      kit,
      input: { readonly userId: string; readonly contactChannelId: string; readonly callbackUrl?: string },
    ) => ({
      ...input,
      callbackUrl: callbackUrl(kit, 'emailVerification', input.callbackUrl),
    }),
    refreshes: () => [mailsSent],
  },
)
