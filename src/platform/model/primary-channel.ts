import type { ContactChannelRow, Tables } from './tables'

/** The channel with the user's primary e-mail address. */
export function primaryChannelOf({ contactChannels }: Tables, userId: string): ContactChannelRow | undefined {
  return contactChannels.first('primaryOf', userId)
}
