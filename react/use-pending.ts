'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Store } from 'rxauth'
import { isServer } from './is-server'
import { useHeld } from './use-held'
import type { Face } from './use-held'

/**
 * Whether what the store reads now is not known yet: it has no value, or is a derived store that shows its last one
 * (`isHeld`). A screen that stays while another team loads can tell so. False for `null` and `undefined`; while React hydrates
 * a server's markup, true.
 *
 * @example
 * ```tsx
 * export const Members = ({ members$ }: { members$: Store<TeamMember[]> }) => (
 *   <ul aria-busy={usePending(members$)}>{useValue(members$).map(({ userId, displayName }) => <li key={userId}>{displayName}</li>)}</ul>
 * )
 * ```
 */
export function usePending(store: Store<unknown> | null | undefined): boolean {
  const { face } = useHeld(store)
  const read = () => isPending(face)
  return useSyncExternalStore(face.listen, read, store && !isServer() ? yes : read)
}

function yes(): boolean {
  return true
}

function isPending({ store, snapshot }: Face<unknown>): boolean {
  if (!store) return false
  const seen = snapshot()
  return seen.status === 'pending' || (seen.status === 'ready' && seen.isHeld === true)
}
