import * as v from 'valibot'
import { checkVerificationCode, sendPrimaryVerification, verifyChannel } from '../../sign-in/email-verification'
import * as client from '../../entities/contact-channels/client'
import * as server from '../../entities/contact-channels/server'
import { authChannelOf } from '../directory/users'
import { primaryChannelOf, requireUser } from '../model/restriction'
import { requireOwnId, requireOwnUser, type Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { absoluteUrl, laxEmail, shortEmail, strictEmail, userIdOrMe, uuid } from '../model/limits'
import { sendVerification } from '../mail/mail'
import { normalizeEmail, type ContactChannelRow } from '../model/users'
import { endpoint } from '../../transport/endpoint'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import { requireTrustedUrl } from '../directory/trusted-url'
import { consumeCode, checking } from '../directory/verification-codes'

const readChannel = endpoint('GET /contact-channels/{userId}/{contactChannelId}', {
  access: 'client',
  returns: client.ContactChannel,
})

const type = v.literal('email')
const onlyOwn = 'A client can use contact channels of its own user only: send user_id=me.'

export const routes = [
  serve(
    [client.contactChannels$, server.contactChannelsOf$],
    { query: { userId: v.optional(userIdOrMe), contactChannelId: v.optional(uuid) } },
    ({ engine, caller, input: { userId, contactChannelId } }) => {
      requireOwnId(caller, userId, onlyOwn)
      const { contactChannels } = engine.tables
      return (userId === undefined ? contactChannels.rows() : contactChannels.by('userId', userId))
        .filter(({ id }) => contactChannelId === undefined || id === contactChannelId)
        .map(toChannel)
    },
  ),

  serve(readChannel, {}, ({ engine, caller, input: { userId, contactChannelId } }) => {
    requireOwnId(caller, userId, onlyOwn)
    return toChannel(channelOf(engine, userId, contactChannelId))
  }),

  serve(
    [client.createContactChannel, server.createContactChannelById],
    { body: { userId: userIdOrMe, value: laxEmail, type, usedForAuth: v.boolean() }, status: 201 },
    ({ engine, caller, input }) => {
      const { userId, isPrimary = false, isVerified = false, usedForAuth } = input
      requireOwnId(caller, userId, onlyOwn)
      requireUser(engine, userId)
      const value = normalizeEmail(input.value)
      const id = crypto.randomUUID()
      return put(engine, { id, userId, value, isPrimary, isVerified, usedForAuth }, value)
    },
  ),

  serve(
    [client.updateContactChannel, server.updateContactChannelById],
    { body: { value: v.optional(laxEmail), type: v.optional(type) } },
    ({ engine, caller, input }) => {
      const before = channelToChange(engine, caller, input)
      // The reference release keeps the case of the value, unless the request has the type.
      const isAsSent = input.type === undefined && !engine.rules.ignoresEmailCase
      const sent = isAsSent ? input.value : input.value && normalizeEmail(input.value)
      const value = sent ?? before.value
      // A value that is set again, even the same one, is no longer verified.
      const { usedForAuth = before.usedForAuth, isPrimary = before.isPrimary } = input
      const isVerified = input.isVerified ?? (sent === undefined && before.isVerified)
      return put(engine, { ...before, value, usedForAuth, isPrimary, isVerified }, null)
    },
  ),

  serve([client.deleteContactChannel, server.deleteContactChannelById], {}, ({ engine, caller, input }) => {
    engine.tables.contactChannels.delete(channelToChange(engine, caller, input).id)
  }),

  serve(
    [client.sendContactChannelVerification, server.sendContactChannelVerificationById],
    { userFirst: true },
    async ({ engine, caller: { access, user }, input: { userId, ...input } }) => {
      if (access === 'client' && userId !== user?.id)
        throw plain(400, 'A client verifies addresses of its own user only.')
      if (!engine.tables.users.get(userId))
        throw known('USER_ID_DOES_NOT_EXIST', `There is no user with the id ${userId}.`, { userId })
      await sendTo(engine, channelOf(engine, userId, input.contactChannelId), input.callbackUrl)
    },
  ),

  serve(
    sendPrimaryVerification,
    {
      requires: ['user'],
      body: { email: strictEmail, callbackUrl: absoluteUrl },
      newer: { body: { email: shortEmail } },
    },
    async ({ engine, caller, input }) => {
      const channel = primaryChannelOf(engine.tables, requireOwnUser(caller).id)
      if (!channel || channel.value !== normalizeEmail(input.email))
        throw known('EMAIL_IS_NOT_PRIMARY_EMAIL', 'This is not the primary e-mail address of the user.', {
          email: input.email,
          primaryEmail: channel?.value ?? null,
        })
      await sendTo(engine, channel, input.callbackUrl)
    },
  ),

  serve(verifyChannel, {}, ({ engine, input }) => {
    const { userId = '', email } = consumeCode(engine, 'email-verification', input.code)
    const { contactChannels } = engine.tables
    // Compares the address that was mailed: the channel may have another value by now.
    const channel = contactChannels.by('userId', userId).find(({ value }) => value === email)
    if (!channel) throw plain(400, 'The user does not have the address that this code verifies any more.')
    contactChannels.patch(channel.id, { isVerified: true })
  }),

  serve(checkVerificationCode, {}, checking('email-verification')),
]

function channelOf({ tables }: Engine, userId: string, id: string, status = 404): ContactChannelRow {
  const channel = tables.contactChannels.get(id)
  if (channel?.userId === userId) return channel
  throw plain(status, status === 404 ? 'There is no such contact channel.' : 'Contact channel not found')
}

async function sendTo(engine: Engine, channel: ContactChannelRow, callbackUrl: string): Promise<void> {
  if (channel.isVerified) throw known('EMAIL_ALREADY_VERIFIED', 'This e-mail address is verified already.')
  requireTrustedUrl(engine, callbackUrl)
  await sendVerification(engine, channel, callbackUrl)
}

/** Stores the channel; a new primary channel replaces the former one. The refusal of an address in use tells `told`. */
function put(engine: Engine, channel: ContactChannelRow, told: string | null): ReturnType<typeof toChannel> {
  const { contactChannels } = engine.tables
  const { id, userId, value, usedForAuth } = channel
  const same = contactChannels.by('userId', userId).find(other => other.value === value)
  if (same && same.id !== id) throw plain(400, 'Contact channel already exists')
  if (usedForAuth && (authChannelOf(engine, value)?.id ?? id) !== id)
    throw known(
      'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
      'Another user signs in with this contact channel.',
      {
        type: 'email',
        contactChannelValue: told,
        ...(engine.rules.tellsMore && { wouldWorkIfEmailWasVerified: false }),
      },
    )
  if (channel.isPrimary)
    for (const former of contactChannels.by('primaryOf', userId))
      if (former.id !== id) contactChannels.patch(former.id, { isPrimary: false })
  return toChannel(contactChannels.put(channel))
}

/** A missing channel is a bad request here, while reading one answers 404. */
function channelToChange(
  engine: Engine,
  caller: Caller,
  { userId, contactChannelId }: { readonly userId: string; readonly contactChannelId: string },
): ContactChannelRow {
  requireOwnId(caller, userId, onlyOwn)
  return channelOf(engine, userId, contactChannelId, 400)
}

function toChannel(channel: ContactChannelRow) {
  return { ...channel, type: 'email' as const }
}
