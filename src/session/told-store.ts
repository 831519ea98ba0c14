import { thenSync } from '../core/promises'
import type { Tap } from '../core/tap'
import type { GuardedStore } from './guarded-store'

/** The store of one kit, which tells of a read that fails and of a write that is refused. */
export function toldStore(store: GuardedStore, tap: Tap): GuardedStore {
  return {
    ...store,
    read: () =>
      thenSync(
        () => store.read(),
        read => read,
        error => {
          tap.tell?.({ in: 'unread' })
          throw error
        },
      ),
    replace: (expected, next) =>
      thenSync(
        () => store.replace(expected, next),
        isDone => {
          if (!isDone) tap.tell?.({ in: 'kept' })
          return isDone
        },
      ),
  }
}
