import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { authChannelOf } from '../accounts'
import { userIdOf } from '../authenticate'
import type { Caller } from '../authenticate'
import type { Engine } from '../engine'
import { laxEmail, userIdOrMe, uuid } from '../limits'
import { normalizeEmail } from '../normalize-email'
import { known, plain } from '../refusal'
import { serve } from '../serve'
import type { ContactChannelRow } from '../tables'
import { requireUser } from '../user-changes'
import { channelShape, requireOwn, toChannel } from './contact-channel-shape'

const type = v.literal('email')
const flag = v.optional(v.boolean())
const newChannel = { userId: userIdOrMe(), value: laxEmail(), type, usedForAuth: v.boolean(), isPrimary: flag }
const changes = { value: v.optional(laxEmail()), type: v.optional(type), usedForAuth: flag, isPrimary: flag }
/** Only a server says that an address is verified. */
const byServer = { isVerified: flag }

const added = 'POST /contact-channels'
const changed = 'PATCH /contact-channels/{userId}/{contactChannelId}'
const add = endpoint(added, { access: 'client', body: newChannel, returns: channelShape })
const addAsServer = endpoint(added, { access: 'server', body: { ...newChannel, ...byServer }, returns: channelShape })
const change = endpoint(changed, { access: 'client', body: changes, returns: channelShape })
const changeAsServer = endpoint(changed, { access: 'server', body: { ...changes, ...byServer }, returns: channelShape })
const remove = endpoint('DELETE /contact-channels/{userId}/{contactChannelId}', { access: 'client' })

const path = { userId: userIdOrMe(), contactChannelId: uuid() }

export const contactChannelChangeRoutes = [
  serve(add, { status: 201 }, ({ engine, caller, input }) => addTo(engine, caller, input)),
  serve(addAsServer, { status: 201 }, ({ engine, caller, input }) => addTo(engine, caller, input)),
  serve(change, { path }, ({ engine, caller, input }) => changeOf(engine, caller, input)),
  serve(changeAsServer, { path }, ({ engine, caller, input }) => changeOf(engine, caller, input)),
  serve(remove, { path }, ({ engine, caller, input }) => {
    engine.tables.contactChannels.delete(channelOf(engine, caller, input).id)
  }),
]

interface Flags {
  readonly isPrimary?: boolean | undefined
  readonly isVerified?: boolean | undefined
  readonly usedForAuth?: boolean | undefined
}

function addTo(
  engine: Engine,
  caller: Caller,
  given: Flags & { readonly userId: string; readonly value: string },
): ReturnType<typeof toChannel> {
  const userId = userIdOf(caller, given.userId)
  requireOwn(caller, userId)
  requireUser(engine, userId)
  const { isPrimary = false, isVerified = false, usedForAuth = false } = given
  const value = normalizeEmail(given.value)
  const id = crypto.randomUUID()
  requireNew(engine, { id, userId, value })
  const taken = authChannelOf(engine.tables, value)
  if (usedForAuth && taken) throw usedBySomeoneElse(value)
  return put(engine, { id, userId, value, isPrimary, isVerified, usedForAuth })
}

function changeOf(
  engine: Engine,
  caller: Caller,
  asked: Flags & {
    readonly userId: string
    readonly contactChannelId: string
    readonly value?: string | undefined
    readonly type?: 'email' | undefined
  },
): ReturnType<typeof toChannel> {
  const before = channelOf(engine, caller, asked)
  // As it was sent, unless the type says what it is.
  const sent = asked.type === undefined ? asked.value : asked.value && normalizeEmail(asked.value)
  const value = sent ?? before.value
  const usedForAuth = asked.usedForAuth ?? before.usedForAuth
  requireNew(engine, { ...before, value })
  const taken = usedForAuth ? authChannelOf(engine.tables, value) : undefined
  if (taken && taken.id !== before.id) throw usedBySomeoneElse(null)
  return put(engine, {
    ...before,
    value,
    usedForAuth,
    isPrimary: asked.isPrimary ?? before.isPrimary,
    // An address that is set anew is not known to be its owner's, even if it is the same.
    isVerified: asked.isVerified ?? (sent === undefined && before.isVerified),
  })
}

/** One primary channel at most. */
function put({ tables }: Engine, channel: ContactChannelRow): ReturnType<typeof toChannel> {
  const { contactChannels } = tables
  if (channel.isPrimary)
    for (const { id } of contactChannels.by('primaryOf', channel.userId))
      if (id !== channel.id) contactChannels.patch(id, { isPrimary: false })
  return toChannel(contactChannels.put(channel))
}

/** Unlike a read, a change of what is not there is a bad request. */
function channelOf(
  { tables }: Engine,
  caller: Caller,
  asked: { readonly userId: string; readonly contactChannelId: string },
): ContactChannelRow {
  const userId = userIdOf(caller, asked.userId)
  requireOwn(caller, userId)
  const channel = tables.contactChannels.get(asked.contactChannelId)
  if (channel?.userId === userId) return channel
  throw plain(400, 'There is no such contact channel.')
}

function requireNew(
  { tables }: Engine,
  { id, userId, value }: Pick<ContactChannelRow, 'id' | 'userId' | 'value'>,
): void {
  const same = tables.contactChannels.by('userId', userId).find(other => other.value === value)
  if (same && same.id !== id) throw plain(400, 'The user has this contact channel already.')
}

function usedBySomeoneElse(contactChannelValue: string | null) {
  return known(
    'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    'Somebody else signs in with this contact channel.',
    { type: 'email', contactChannelValue },
  )
}
