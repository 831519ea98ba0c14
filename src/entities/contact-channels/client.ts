import * as v from 'valibot'
import { allOf, clientStore, clientWrite, email, items, lacking, patch, renewToken } from '../declare'
import type { Kit, Shape } from '../declare'
import { cleanEmail } from '../../core/wire'
import type { Store } from '../../store/store'
import { callbackUrl } from '../mailed-code'
import { anyUser$, CurrentUser } from '../users/client'
import { isUnlisted, withoutRow } from '../rows'

const contactChannel = v.object({
  id: v.string(),
  userId: v.string(),
  value: v.string(),
  type: v.literal('email'),
  isPrimary: v.boolean(),
  isVerified: v.boolean(),
  usedForAuth: v.boolean(),
})

/** An e-mail address of a user. */
export interface ContactChannel extends v.InferOutput<typeof contactChannel> {}
export const ContactChannel: Shape<ContactChannel> = contactChannel

/**
 * The signed-in user's contact channels, oldest first.
 *
 * @example
 * app.contactChannels$.subscribe(channels => console.log(channels.map(({ value }) => value)))
 */
export const contactChannels$ = clientStore('GET /contact-channels', {
  fixed: { user_id: 'me' },
  returns: items(ContactChannel),
  signedOut: [],
})

/**
 * Adds an address to the signed-in user. It is unverified until `verifyEmail` gets the code in the mail of
 * `sendContactChannelVerification`.
 *
 * INVALID_INPUT is returned for text that is no e-mail address, CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE if the
 * address is to be used for signing in and another account signs in with it. Throws REQUEST_FAILED with status 400 for an
 * address that the user has already.
 *
 * @example
 * const result = await app.createContactChannel({ value: 'ada@example.com', usedForAuth: true })
 */
export const createContactChannel = clientWrite('POST /contact-channels', {
  fixed: { user_id: 'me', type: 'email' },
  body: { value: email(), usedForAuth: v.optional(v.boolean(), false), isPrimary: v.optional(v.boolean()) },
  returns: ContactChannel,
  fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'],
  refreshes: () => [contactChannels$, anyUser$, allOf('user', {})],
  writes: (_, channel) => [patch(contactChannels$, {}, all => withOnePrimary([...all, channel], channel))],
})

/** Changes of one channel, for `updateContactChannel`. */
export interface ContactChannelChanges {
  readonly contactChannelId: string
  readonly value?: string
  readonly usedForAuth?: boolean
  readonly isPrimary?: boolean
}

/**
 * Changes a contact channel of the signed-in user; fields left out stay. A new `value` has to be verified again. A new
 * primary channel replaces the old one: `user$` shows the new primary address.
 *
 * `isPrimary: false` leaves the user without a primary address. Errors as in `createContactChannel`.
 * For an address that exists already, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500): see "Where the
 * hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * await app.updateContactChannel({ contactChannelId: 'channel-1', isPrimary: true })
 */
export const updateContactChannel = clientWrite('PATCH /contact-channels/me/{contactChannelId}', {
  // Without the type the platform stores the address as typed.
  fixed: { type: 'email' },
  body: { value: v.optional(email()), usedForAuth: v.optional(v.boolean()), isPrimary: v.optional(v.boolean()) },
  returns: ContactChannel,
  fails: ['INVALID_INPUT', 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'],
  prepare: (kit: Kit, changes: ContactChannelChanges) => withoutKnownValue(contactChannels$(kit), changes),
  refreshes: () => [contactChannels$, anyUser$, allOf('user', {})],
  optimistic: ({ contactChannelId: id, value, usedForAuth, isPrimary }) => [
    patch(contactChannels$, {}, all => {
      const before = all.find(channel => channel.id === id)
      if (!before) return all
      const changed = {
        ...before,
        ...(value !== undefined && { value, isVerified: false }),
        ...(usedForAuth !== undefined && { usedForAuth }),
        ...(isPrimary !== undefined && { isPrimary }),
      }
      return withOnePrimary(replaced(all, changed), changed)
    }),
  ],
  writes: (_, channel) => [patch(contactChannels$, {}, all => withOnePrimary(replaced(all, channel), channel))],
})

/**
 * Deletes an address of the signed-in user; one that is already gone counts as done. Without the primary one, the user has
 * no primary address; without one that is used for signing in, no password or link signs the user in.
 *
 * @example
 * await app.deleteContactChannel({ contactChannelId: 'channel-1' })
 */
export const deleteContactChannel = clientWrite('DELETE /contact-channels/me/{contactChannelId}', {
  done: isUnlisted(contactChannels$, 'contactChannelId'),
  refreshes: () => [contactChannels$, anyUser$, allOf('user', {})],
  optimistic: ({ contactChannelId }) => [withoutRow(contactChannels$, {}, contactChannelId)],
  writes: ({ contactChannelId }) => [withoutRow(contactChannels$, {}, contactChannelId)],
})

/**
 * Mails a link that verifies one of the signed-in user's addresses. It leads to `callbackUrl` (by default the app's e-mail
 * verification page) with `?code=…`, valid for seven days.
 *
 * Throws INVALID_INPUT outside a browser if `callbackUrl` is missing.
 *
 * @example
 * const result = await app.sendContactChannelVerification({ contactChannelId: 'channel-1' })
 */
export const sendContactChannelVerification = clientWrite(
  'POST /contact-channels/me/{contactChannelId}/send-verification-code',
  {
    body: { callbackUrl: v.string() },
    fails: ['EMAIL_ALREADY_VERIFIED'],
    prepare: (kit, input: { readonly contactChannelId: string; readonly callbackUrl?: string }) => ({
      ...input,
      callbackUrl: callbackUrl(kit, 'emailVerification', input.callbackUrl),
    }),
    refreshes: () => [],
  },
)

/** The platform treats an equal value as a new one, which is unverified. */
export function withoutKnownValue<C extends { readonly contactChannelId: string; readonly value?: string | undefined }>(
  { snapshot }: Store<ContactChannel[]>,
  changes: C,
): C | Omit<C, 'value'> {
  const { value: given, ...rest } = changes
  // An input of another type is left to the input's own check.
  if (typeof given !== 'string') return changes
  const known = snapshot.status === 'ready' ? snapshot.value : []
  const isKnown = ({ id, value }: ContactChannel) => id === changes.contactChannelId && value === cleanEmail(given)
  return known.some(isKnown) ? rest : changes
}

function replaced(all: readonly ContactChannel[], channel: ContactChannel): ContactChannel[] {
  return all.map(other => (other.id === channel.id ? channel : other))
}

/** At most one channel is the primary one. */
function withOnePrimary(all: ContactChannel[], { id, isPrimary }: ContactChannel): ContactChannel[] {
  return isPrimary ? all.map(other => (other.id === id ? other : { ...other, isPrimary: false })) : all
}

/**
 * Makes an address the primary one of the signed-in user, also of a restricted one: the contact channel with this address,
 * verified or not, else a new one, which `sendVerificationEmail` verifies. The former primary address stays as a channel.
 * Null: the user has no primary address any more.
 *
 * A restriction that demands a verified address begins or ends with the change, without a reload. INVALID_INPUT is returned
 * for text that is no e-mail address, and USER_EMAIL_ALREADY_EXISTS for an address by which any user signs in: also for an older
 * one of the user, which `updateContactChannel({ isPrimary: true })` makes primary again. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where
 * `updateContactChannel({ isPrimary: true })` does it for an unrestricted user.
 *
 * @example
 * const result = await changePrimaryEmail(app, { primaryEmail: 'ada@example.com' })
 * if (result.ok && !result.value.primaryEmailVerified) await app.sendVerificationEmail()
 */
export const changePrimaryEmail = clientWrite('PATCH /users/me', {
  body: { primaryEmail: v.nullable(email()) },
  returns: CurrentUser,
  fails: ['INVALID_INPUT', 'USER_EMAIL_ALREADY_EXISTS'],
  notOnPlatform: lacking('primary_email'),
  // The access token names the address, and whether the user is restricted.
  settled: kit => renewToken(kit),
  refreshes: () => [anyUser$, contactChannels$, allOf('user', {}), allOf('users', {})],
})
