import { primaryChannelOf } from './restriction'
import type { Tables } from './tables'

/** The longest list that a page offers. */
const offered = 10

/** The project's first users with an e-mail address, for the sign-in pages of the local platform. */
export function seededUsers(tables: Tables): { readonly email: string; readonly displayName: string | null }[] {
  return tables.users.page('signedUpAt', { limit: offered }).rows.flatMap(({ id, displayName }) => {
    const channel = primaryChannelOf(tables, id)
    return channel ? [{ email: channel.value, displayName }] : []
  })
}
