import * as v from 'valibot'
import { plain } from '../refusal'
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

export function toChannel({ projectId: _, ...channel }: ContactChannelRow) {
  return { ...channel, type: 'email' as const }
}

export function requireOwn({ access, user }: Caller, userId: string | undefined): void {
  if (access === 'client' && (userId === undefined || userId !== user?.id))
    throw plain(403, 'A client has to do with the contact channels of its own user only: say user_id=me.')
}
