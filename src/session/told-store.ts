import { whenThere } from '../core/promises'
import type { Tap } from '../core/tap'
import type { Tokens } from '../transport/access-token'
import type { Transport } from '../transport/transport'
import type { SessionState } from './adopt'
import type { GuardedStore } from './guarded-store'
import { isSame } from './token-store'

/** The store of one kit, which tells of a read that fails and of a write that is refused. */
export function toldStore(store: GuardedStore, tap: Tap): GuardedStore {
  return {
    ...store,
    read: () =>
      whenThere(
        () => store.read(),
        read => read,
        error => {
          tap.tell?.({ in: 'unread' })
          throw error
        },
      ),
    replace: (expected, next) =>
      whenThere(
        () => store.replace(expected, next),
        isDone => {
          if (!isDone) tap.tell?.({ in: 'kept' })
          return isDone
        },
      ),
  }
}

/** Tells of tokens that another writer has stored. */
export function tellHeld(
  { transport, identity, stored }: SessionState & { readonly transport: Transport },
  read: Tokens | null,
): void {
  const { tap } = transport.trace
  if (tap.tell && (identity.kind === 'unknown' || !isSame(read, stored))) tap.tell({ in: 'held', tokens: read })
}
