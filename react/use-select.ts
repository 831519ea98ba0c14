'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Store } from 'rxauth'
import { reuseEqualParts } from '../src/inside'
import { usePage } from './page-state'
import { assertStore, useHookState, type HookState, type SnapshotOrValue } from './use-hook-state'
import { renderedValue, valueOf } from './use-value'

/**
 * A part of a store's value, or a value computed from it. Suspends and fails like `useValue`; renders again only when the
 * selection changes, and an equal selection keeps its reference.
 *
 * @example
 * ```tsx
 * export const Count = () => <b>{useSelect(useApp().teams$, teams => teams.length)}</b>
 * ```
 */
export function useSelect<T, S>(store: Store<T>, select: (value: T) => S): S {
  assertStore(store)
  const state = useHookState(store)
  const { access } = state
  const page = usePage()
  const read = reader(state, select)
  const rendered = page ? selecting(state, select, renderedValue(access, page)) : read
  const current = useSyncExternalStore(access.listen, read, rendered)
  return valueOf(access, access.store ?? store, current, page, select)
}

/** The function that reads the selection: the same for the same selector, or React would do more work in every render. */
function reader<T, S>(state: HookState<T>, select: (value: T) => S): () => SnapshotOrValue<S> {
  const { access, reading } = state
  // A selector of this type has read an S.
  if (reading?.select === select && reading.access === access) return reading.read as () => SnapshotOrValue<S>
  const read = selecting(state, select, access.value)
  state.reading = { access, select, read }
  return read
}

/** Reads a selection; an equal one, by this or an earlier selector, keeps its reference. */
function selecting<T, S>(
  state: HookState<T>,
  select: (value: T) => S,
  value: () => SnapshotOrValue<T>,
): () => SnapshotOrValue<S> {
  let whole: SnapshotOrValue<T> | undefined
  let part: SnapshotOrValue<S> | undefined
  return () => {
    const next = value()
    if (part && next === whole) return part
    whole = next
    if (next.status !== 'ready') return (part = next)
    const now = { status: 'ready', value: select(next.value) } as const
    // A value that equals an S is one.
    const latest = state.part as SnapshotOrValue<S> | undefined
    if (!isSame(part, now)) part = isSame(latest, now) ? latest : now
    state.part = part
    return part
  }
}

function isSame<S>(a: SnapshotOrValue<S> | undefined, b: SnapshotOrValue<S>): a is SnapshotOrValue<S> {
  return a?.status === 'ready' && b.status === 'ready' && Object.is(reuseEqualParts(a.value, b.value), a.value)
}
