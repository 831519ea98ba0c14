'use client'
import type { Snapshot, Store } from 'rxauth'
import { useSnapshotPart } from './use-store'

/**
 * Whether what the store reads now is not known yet: it has no value, or is a derived store that shows its last one
 * (`isHeld`). A screen that stays while another team loads can tell so. False for `null` and `undefined`; while React hydrates
 * a server's markup, true unless the provider's `state` has the value.
 *
 * @example
 * ```tsx
 * export const Members = ({ members$ }: { members$: Store<TeamMember[]> }) => (
 *   <ul aria-busy={usePending(members$)}>{useValue(members$).map(({ userId, displayName }) => <li key={userId}>{displayName}</li>)}</ul>
 * )
 * ```
 */
export function usePending(store: Store<unknown> | null | undefined): boolean {
  return useSnapshotPart(store, current => store != null && isPending(current))
}

function isPending(current: Snapshot<unknown>): boolean {
  return current.status === 'pending' || (current.status === 'ready' && current.isHeld === true)
}
