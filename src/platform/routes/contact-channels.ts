import * as v from 'valibot'
import {
  checkVerificationCode,
  sendChannelVerification,
  sendPrimaryVerification,
  verifyChannel,
} from '../../auth/email-verification-endpoints'
import { items } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { primaryChannelOf } from '../accounts'
import { normalizeEmail } from '../normalize-email'
import { requireOwnUser, userIdOf } from '../authenticate'
import type { Caller } from '../authenticate'
import type { Engine } from '../engine'
import { absoluteUrl, code, strictEmail, userIdOrMe, uuid } from '../limits'
import { sendVerification } from '../mail'
import { known, plain } from '../refusal'
import { serve } from '../serve'
import type { ContactChannelRow, ProjectRow } from '../tables'
import { requireTrustedUrl } from '../trusted-url'
import { consumeCode, lookUpCode } from '../verification-codes'
import { channelShape, requireOwn, toChannel } from './contact-channel-shape'

const listChannels = endpoint('GET /contact-channels', { access: 'client', returns: items(channelShape) })
const readChannel = endpoint('GET /contact-channels/{userId}/{contactChannelId}', {
  access: 'client',
  returns: channelShape,
})
const sendVerificationTo = endpoint('POST /contact-channels/{userId}/{contactChannelId}/send-verification-code', {
  access: 'client',
  body: { callbackUrl: absoluteUrl() },
})

const channelPath = { userId: userIdOrMe(), contactChannelId: uuid() }

export const contactChannelRoutes = [
  serve(
    listChannels,
    { query: { userId: v.optional(userIdOrMe()), contactChannelId: v.optional(uuid()) } },
    ({ engine, caller, input: { userId, contactChannelId } }) => {
      const of = userId === undefined ? undefined : userIdOf(caller, userId)
      requireOwn(caller, of)
      const { contactChannels } = engine.tables
      return (of === undefined ? contactChannels.rows() : contactChannels.by('userId', of))
        .filter(({ id }) => contactChannelId === undefined || id === contactChannelId)
        .map(toChannel)
    },
  ),

  serve(readChannel, { path: channelPath }, ({ engine, caller, input }) => {
    const userId = userIdOf(caller, input.userId)
    requireOwn(caller, userId)
    return toChannel(channelOf(engine, userId, input.contactChannelId))
  }),

  serve(sendVerificationTo, { path: channelPath, userFirst: true }, ({ engine, caller, input }) => {
    sendToOwner(engine, caller, input.userId, input)
  }),
  serve(
    sendChannelVerification,
    { path: { contactChannelId: uuid() }, body: { callbackUrl: absoluteUrl() }, userFirst: true },
    ({ engine, caller, input }) => sendToOwner(engine, caller, 'me', input),
  ),

  serve(
    sendPrimaryVerification,
    { requires: ['user'], body: { email: strictEmail(), callbackUrl: absoluteUrl() } },
    ({ engine, caller, input }) => {
      const channel = primaryChannelOf(engine.tables, requireOwnUser(caller).id)
      if (!channel || channel.value !== normalizeEmail(input.email))
        throw known('EMAIL_IS_NOT_PRIMARY_EMAIL', 'This is not the primary e-mail address of the user.', {
          email: input.email,
          primaryEmail: channel?.value ?? null,
        })
      sendTo(engine, caller.project, channel, input.callbackUrl)
    },
  ),

  serve(verifyChannel, { body: { code: code() } }, ({ engine, input }) => {
    const { userId = '', email } = consumeCode(engine, 'email-verification', input.code)
    const { contactChannels } = engine.tables
    // By the address that was mailed: the channel may have another value now, which the code says nothing of.
    const channel = contactChannels.by('userId', userId).find(({ value }) => value === email)
    if (!channel) throw plain(400, 'The user does not have the address that this code verifies any more.')
    contactChannels.patch(channel.id, { isVerified: true })
  }),

  serve(checkVerificationCode, { body: { code: code() } }, ({ engine, input }) => {
    lookUpCode(engine, 'email-verification', input.code)
    return { isCodeValid: true as const }
  }),
]

function channelOf({ tables }: Engine, userId: string, id: string): ContactChannelRow {
  const channel = tables.contactChannels.get(id)
  if (channel?.userId === userId) return channel
  throw plain(404, 'There is no such contact channel.')
}

function sendToOwner(
  engine: Engine,
  caller: Caller,
  userIdOrMe: string,
  { contactChannelId, callbackUrl }: { readonly contactChannelId: string; readonly callbackUrl: string },
): void {
  const { project, access, user } = caller
  const userId = userIdOf(caller, userIdOrMe)
  if (access === 'client' && userId !== user?.id) throw plain(400, 'A client verifies addresses of its own user only.')
  if (!engine.tables.users.get(userId))
    throw known('USER_ID_DOES_NOT_EXIST', `There is no user with the id ${userId}.`, { userId })
  sendTo(engine, project, channelOf(engine, userId, contactChannelId), callbackUrl)
}

function sendTo(engine: Engine, project: ProjectRow, channel: ContactChannelRow, callbackUrl: string): void {
  if (channel.isVerified) throw known('EMAIL_ALREADY_VERIFIED', 'This e-mail address is verified already.')
  requireTrustedUrl(callbackUrl, project)
  sendVerification(engine, project, channel, callbackUrl)
}
