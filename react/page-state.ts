'use client'
import { createContext, useContext } from 'react'
import { AuthError, hydrate, type Dehydrated, type Kit, type Snapshot, type Store } from 'rxauth'
import { isServer, isThenable, type Inside, type Missing, type Payload } from '../src/inside'

/** The state of an `AuthProvider`, for the render of a server and for the first one over its markup. */
export interface PageState {
  readonly kit: Kit
  /** Undefined: not in the state. Suspends while the state is a promise. */
  snapshot<T>(store: Store<T>): Snapshot<T> | undefined
  /** The user of the state that has this store. */
  identity(store: Store<unknown>): string | null | undefined
  /** Suspends while the state is a promise, and throws its rejection. */
  wait(): void
  /**
   * On a server: whether the app has the session for which the state was made, and may load more for it. Suspends until that is
   * known.
   */
  mayLoad(): boolean
  /** The store, or the one that it reads, that is not in the state. */
  missing(store: Store<unknown>): Missing | undefined
  /** Undefined: the state is a promise that is pending. */
  readonly payload: Payload | undefined
  /** Calls back when that promise resolves. */
  whenRead(callback: () => void): void
}

const PageContext = createContext<PageState | undefined>(undefined)
export const PageProvider = PageContext.Provider

/** The state of the nearest `AuthProvider` that has one. */
export function usePage(): PageState | undefined {
  return useContext(PageContext)
}

/** `outer`: the state of a provider around this one, for stores that are only there. */
export function pageState(
  kit: Kit,
  state: Dehydrated | PromiseLike<Dehydrated>,
  outer: PageState | undefined,
): PageState {
  let known: Payload | undefined
  const take = (given: Dehydrated) => (known ??= payloadOf(kit, given))
  const payload = () => known ?? take(isThenable(state) ? resultOf(state) : state)
  // At once, for components that are not hydrated.
  if (!isThenable(state)) take(state)
  else state.then(take, nothing)
  return {
    kit,
    snapshot(store) {
      const own = payload()
      const snapshot = own.snapshot(store)
      if (!snapshot) return outer?.snapshot(store)
      // Without a user that the server knew, there is only an error.
      if (!isServer() && own.identity !== '' && own.see(store).isOwned) claim(own)
      return snapshot
    },
    identity: store => (outer && !payload().snapshot(store) ? outer.identity(store) : payload().identity),
    wait() {
      payload()
      outer?.wait()
    },
    mayLoad() {
      const own = payload()
      const looking = own.look()
      // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
      if (looking) throw looking
      return own.standing === 'same' || outer?.mayLoad() === true
    },
    missing: store => payload().see(store).missing,
    get payload() {
      return known
    },
    whenRead(callback) {
      if (!known) Promise.resolve(state).then(callback, nothing)
    },
  }
}

/** Suspends or throws unless the session of this browser is known to be the one for which the server has rendered. */
function claim(payload: Payload): void {
  const looking = payload.look()
  // The server's markup stays meanwhile.
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  if (looking) throw looking
  // React then renders this part of the page anew, with nothing of the server's markup.
  if (payload.standing !== 'same') throw new AuthError('SESSION_CHANGED', 'this page was rendered for another user')
}

type Settled<T> = PromiseLike<T> & { status?: 'pending' | 'fulfilled' | 'rejected'; value?: T; reason?: unknown }

/** The result of a promise, or throws it for React to wait. Promises that React has made or read have these fields too. */
function resultOf<T>(promise: PromiseLike<T>): T {
  const known: Settled<T> = promise
  // Set together with the status.
  if (known.status === 'fulfilled') return known.value as T
  if (known.status === 'rejected') throw known.reason
  if (known.status === undefined) {
    known.status = 'pending'
    promise.then(
      value => {
        known.status = 'fulfilled'
        known.value = value
      },
      (reason: unknown) => {
        known.status = 'rejected'
        known.reason = reason
      },
    )
  }
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  throw known
}

function nothing(): void {}

const payloadOf = (kit: Kit, state: Dehydrated) => hydrate(kit, state) as Payload

const empty: Dehydrated = { identity: null, cells: {} }

/** On a server: throws unless the store can be loaded during this render, which otherwise would never have its value. */
export function assertLoadable(store: Inside<unknown>, page: PageState | undefined): void {
  const { committedSession, kit } = store.core
  // The app of a module cannot read tokens there.
  if (!isServer() || (committedSession.isCurrent !== undefined && (!page || page.mayLoad()))) return
  const missing = page?.missing(store) ?? payloadOf(kit, empty).see(store).missing
  throw new AuthError(
    'NOT_DEHYDRATED',
    `"${missing?.name ?? 'a store'}" is not in the state of <AuthProvider>; add it to dehydrate() or use useStore`,
    { details: { store: missing?.entry ?? 'a store' } },
  )
}
