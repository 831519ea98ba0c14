import { whenThere } from '../core/thenable'
import { toAuthError } from '../errors/auth-error'
import type { TokenStore } from './token-store'

/** A token store as a session uses it. */
export interface GuardedStore extends Pick<TokenStore, 'read' | 'replace'> {
  readonly changes$: TokenStore['changes$'] | undefined
  readonly sharedAs: TokenStore['sharedAs'] | undefined
  /** Throws where nothing may be written with the session in the store; `begins`: where no session may begin. */
  readonly assertOwn: ((begins?: boolean) => void) | undefined
}

/** A token store that may refuse writes: a member of it, so that a copy of the store by a spread has it too. */
export interface OwnStore extends TokenStore {
  readonly '~assertOwn'?: (begins?: boolean) => void
}

/** Module state holds nothing of an app: entries are collected with their stores. */
const guards = /* @__PURE__ */ new WeakMap<TokenStore, GuardedStore>()

/**
 * A token store as a session uses it: promises are of this realm, failures are AuthErrors. One guard for all kits with the
 * store, since they share its refreshes.
 */
export function guarded(store: TokenStore): GuardedStore {
  const { changes$, sharedAs, '~assertOwn': assertOwn }: OwnStore = store
  const guard: GuardedStore = guards.get(store) ?? {
    changes$,
    sharedAs,
    assertOwn,
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
