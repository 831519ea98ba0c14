import * as v from 'valibot'
import { email, items } from '../../core/wire'
import { contactChannels$, ContactChannel } from './client'
import { callbackUrl } from '../mailed-code'
import { isUnlisted } from '../rows'
import { mutation, only, patch } from '../../store/write/mutation'
import { query } from '../../store/query'
import { endpoint, withFields } from '../../transport/endpoint'
import { mailsSent } from '../emails/shape'
import { changedUser } from '../server-touched'

const list = endpoint('GET /contact-channels', {
  access: 'server',
  query: { userId: v.string() },
  returns: items(ContactChannel),
})

/**
 * A user's contact channels, oldest first.
 *
 * @example
 * const channels = await server.contactChannelsOf$({ userId: 'user-1' }).get()
 */
export const contactChannelsOf$ = query(list, { partOf: 'owned' })

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
export const createContactChannelById = mutation(
  endpoint('POST /contact-channels', {
    access: 'server',
    fixed: { type: 'email' },
    body: withFields(flags, {
      userId: v.string(),
      value: email(),
      usedForAuth: v.optional(v.boolean(), false),
    }),
    returns: ContactChannel,
    fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', 'USER_NOT_FOUND'],
  }),
  { refreshes: ({ userId }) => showing(userId) },
)

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
export const updateContactChannelById = mutation(
  endpoint('PATCH /contact-channels/{userId}/{contactChannelId}', {
    access: 'server',
    fixed: { type: 'email' },
    body: withFields(flags, { value: v.optional(email()), usedForAuth: v.optional(v.boolean()) }),
    returns: ContactChannel,
    fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'],
  }),
  { refreshes: ({ userId }) => showing(userId) },
)

/**
 * Deletes an address of a user; one that is already gone counts as done.
 *
 * @example
 * await server.deleteContactChannelById({ userId: 'user-1', contactChannelId: 'channel-1' })
 */
export const deleteContactChannelById = mutation(
  endpoint('DELETE /contact-channels/{userId}/{contactChannelId}', { access: 'server' }),
  {
    done: isUnlisted(list, 'contactChannelId'),
    refreshes: ({ userId }) => showing(userId),
    writes: ({ userId, contactChannelId }) => [
      patch(contactChannelsOf$, { userId }, all => all.filter(({ id }) => id !== contactChannelId)),
    ],
  },
)

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
export const sendContactChannelVerificationById = mutation(
  endpoint('POST /contact-channels/{userId}/{contactChannelId}/send-verification-code', {
    access: 'server',
    body: { callbackUrl: v.string() },
    fails: ['EMAIL_ALREADY_VERIFIED', 'USER_ID_DOES_NOT_EXIST'],
  }),
  {
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
