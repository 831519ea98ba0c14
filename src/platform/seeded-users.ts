import { primaryChannelOf } from './primary-channel'
import type { Tables } from './tables'

/** As many as a person looks through. */
const offered = 10

/** The first users of a project, as far as they have an e-mail address: what pages of the local platform offer. */
export function seededUsers(tables: Tables): { readonly email: string; readonly displayName: string | null }[] {
  return tables.users.page('signedUpAt', { limit: offered }).rows.flatMap(({ id, displayName }) => {
    const channel = primaryChannelOf(tables, id)
    return channel ? [{ email: channel.value, displayName }] : []
  })
}
