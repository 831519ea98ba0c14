import { whenThere } from '../core/thenable'
import { toAuthError } from '../errors/auth-error'
import type { TokenStore } from './token-store'

/** Module state holds nothing of an app: entries are collected with their stores. */
const guards = /* @__PURE__ */ new WeakMap<TokenStore, TokenStore>()

/**
 * A token store as a session uses it: promises are of this realm, failures are AuthErrors. One guard for all kits with the
 * store, since they share its refreshes.
 */
export function guarded(store: TokenStore): TokenStore {
  const { changes$, sharedAs } = store
  const guard = guards.get(store) ?? {
    ...(changes$ && { changes$ }),
    ...(sharedAs !== undefined && { sharedAs }),
    read: () => whenThere(() => store.read(), same, fail),
    replace: (expected, next) => whenThere(() => store.replace(expected, next), same, fail),
  }
  guards.set(store, guard)
  return guard
}

function same<T>(value: T): T {
  return value
}

function fail(error: unknown): never {
  throw toAuthError(error)
}
