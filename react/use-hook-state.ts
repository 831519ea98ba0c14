'use client'
import { useContext, useState } from 'react'
import { AuthError, slot, type Snapshot, type Store } from 'rxauth'
import { coreOf, insideOf, OUTSIDE_BROWSERS, pending, storeIn, type Inside } from '../src/inside'
import { attemptsOf, endAttempt } from './attempts'
import { KitContext } from './provider'

/** A component's access to a store: the same functions for all components and renders, or React would do more work. */
export interface StoreAccess<T> {
  readonly store: Store<T> | null | undefined
  readonly inside: Inside<T> | undefined
  /** The attempts of the kit, which every render reads. */
  readonly attempts: ReadonlySet<unknown> | undefined
  readonly listen: (callback: () => void) => () => void
  readonly snapshot: () => Snapshot<T>
  /** The snapshot; while the value stays the same, the first snapshot with it. */
  readonly value: () => Snapshot<T>
}

/** The state that a component keeps between renders. Safe when React discards a render: the next one compares again. */
export interface HookState<T = unknown> {
  access: StoreAccess<T>
  /** Reads the selection of its access and selector. */
  reading?: { readonly access: StoreAccess<T>; readonly select: unknown; readonly read: () => SnapshotOrValue<unknown> }
  /** The latest selection, by any selector. */
  part?: SnapshotOrValue<unknown>
}

/** A snapshot, reduced to its value once it is ready. */
export type SnapshotOrValue<T> =
  | Exclude<Snapshot<T>, { status: 'ready' }>
  | { readonly status: 'ready'; readonly value: T }

/**
 * The component's state, with the access to the store that all its components share. The access of an earlier render stays
 * while later handles are of the same store.
 */
export function useHookState<T>(store: Store<T> | null | undefined): HookState<T> {
  const [state] = useState<HookState>(newHookState)
  // On an edge runtime, `app.user$` of an app of a module is a store of another kit in each render: a component that has waited for
  // one would wait for the next.
  const own = OUTSIDE_BROWSERS
    ? // oxlint-disable-next-line react/rules-of-hooks -- a constant of the build
      (kit => (kit && storeIn(coreOf(kit), store)) ?? store)(useContext(KitContext))
    : store
  takeAccess(state, own)
  // The access of a Store<T> is a StoreAccess<T>, also for another handle.
  return state as HookState<T>
}

function newHookState(): HookState {
  return { access: newAccess(undefined, undefined) }
}

/** Handles are often created during rendering; subscribing anew for each would load again after every failure. */
function takeAccess(state: HookState, store: Store<unknown> | null | undefined): void {
  const { access } = state
  if (access.store !== store && !(store && access.inside?.isSame(store))) state.access = accessOf(store)
}

const accessesKey = {}

/** One access for all components with the same handle. */
function accessOf<T>(store: Store<T> | null | undefined): StoreAccess<T> {
  const inside = store ? insideOf(store) : undefined
  if (!inside) return newAccess(store, undefined)
  const accesses = slot(inside.core.kit, accessesKey, () => new WeakMap<object, StoreAccess<unknown>>())
  // The access of a Store<T> is a StoreAccess<T>.
  const found = accesses.get(inside) as StoreAccess<T> | undefined
  if (found) return found
  const access = newAccess(store, inside)
  accesses.set(inside, access)
  return access
}

function newAccess<T>(store: Store<T> | null | undefined, inside: Inside<T> | undefined): StoreAccess<T> {
  if (store) assertStore(store)
  let listening = 0
  let view: { readonly snapshot: Snapshot<T> } | undefined
  let last: Snapshot<T> = pending
  const snapshot = (): Snapshot<T> => {
    if (view) return view.snapshot
    const now = store?.snapshot ?? pending
    // The view has the value for which the component has waited, before the component watches.
    return now.status === 'pending' ? (inside?.view?.snapshot ?? now) : now
  }
  return {
    store,
    inside,
    attempts: inside && attemptsOf(inside.core.kit),
    listen: callback => {
      // A disposed kit refuses listeners; hooks that suspend throw its error while they render.
      if (!store || inside?.core.session.ended.aborted) return nothing
      const stop = store.listen(callback)
      if (listening++ === 0) view = inside?.view
      if (inside) endAttempt(inside, [0])
      return () => {
        if (--listening === 0) {
          view = undefined
          // A handle may be kept for ever and must not retain values.
          last = pending
        }
        stop()
      }
    },
    snapshot,
    value: () => {
      const next = snapshot()
      if (listening === 0) return next
      if (last.status !== 'ready' || next.status !== 'ready' || !Object.is(last.value, next.value)) last = next
      return last
    },
  }
}

/** In JavaScript anything may be given; React's own error would not name it. */
export function assertStore(store: unknown): void {
  if (typeof (store as Partial<Store<unknown>> | undefined)?.listen === 'function') return
  const reason =
    'is no store; pass one, as app.user$ or app.teamMembers$({ teamId }), and subscribe to other observables in an effect; useAuth() and useFlow() show app.auth$ and app.flow$'
  throw new AuthError('INVALID_INPUT', `store ${reason}`, { details: { field: 'store', reason } })
}

function nothing(): void {}
