import type { ContactChannelRow, Tables } from './tables'

/** The e-mail address that stands on the user. */
export function primaryChannelOf({ contactChannels }: Tables, userId: string): ContactChannelRow | undefined {
  return contactChannels.first('primaryOf', userId)
}
