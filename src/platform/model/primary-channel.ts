import type { Tables } from './tables'
import type { ContactChannelRow } from './user-tables'

/** The channel with the user's primary e-mail address. */
export function primaryChannelOf({ contactChannels }: Tables, userId: string): ContactChannelRow | undefined {
  return contactChannels.first('primaryOf', userId)
}
