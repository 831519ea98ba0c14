import { AuthError, mutation, patch, query, type Effects } from 'rxauth'
import { Backend, ownKit, record } from './own-backend'

export interface Rename {
  readonly to: string
}

/** A watched text of ada's session, and writes to it; both backends answer when the test says. */
export async function renaming(
  effects: Partial<Effects<Rename, string>> = {},
  options: { readonly isWatched?: boolean } = {},
) {
  const own = ownKit()
  const reads = new Backend<string>()
  const writes = new Backend<string>()
  const name$ = query(reads.ask, { key: 'name', ownedBy: 'session', signedOut: 'signed out' })
  const shown: Effects<Rename, string> = {
    refreshes: () => [name$],
    optimistic: ({ to }) => [patch(name$, {}, name => `${name}+${to}`)],
    writes: (_, name) => [patch(name$, {}, () => name)],
  }
  const rename = mutation<Rename, string>(writes.ask, { ...shown, ...effects })
  const plainly = mutation<Rename, string>(writes.ask, { refreshes: () => [name$], ...effects })
  const store = name$(own.kit)
  const values = record(store)
  await own.answer(reads, 'old')
  if (options.isWatched === false) values.stop()
  await own.clock.advance(1000)
  return { ...own, reads, writes, name$, rename, plainly, store, values }
}

export const lost = new AuthError('NETWORK_ERROR', 'no answer')
export const refused = new AuthError('USER_EMAIL_ALREADY_EXISTS', 'taken', { status: 409 })
