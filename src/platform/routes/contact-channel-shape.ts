import * as v from 'valibot'
import { plain } from '../refusal'
import { requireOwnUser } from '../authenticate'
import type { Caller } from '../authenticate'
import type { ContactChannelRow } from '../tables'

export const channelShape = v.object({
  id: v.string(),
  userId: v.string(),
  value: v.string(),
  type: v.literal('email'),
  isPrimary: v.boolean(),
  isVerified: v.boolean(),
  usedForAuth: v.boolean(),
})

export function toChannel(channel: ContactChannelRow) {
  return { ...channel, type: 'email' as const }
}

/** Refuses a client without a user, then one that asks for another user's channels, or for everybody's. */
export function requireOwn(caller: Caller, userId: string | undefined): void {
  if (caller.access === 'client' && userId !== requireOwnUser(caller).id)
    throw plain(403, 'A client has to do with the contact channels of its own user only: say user_id=me.')
}
