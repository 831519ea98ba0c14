// Compiled, never run: the sessions of a user in a caller's code.
import type { ClientApp, GeoInfo, Session, Store, revokeSession, sessions$ } from 'rxauth'
import type { Equal, Expect } from './equal'

export type Pinned = [
  Expect<Equal<ReturnType<typeof sessions$>, Store<Session[]>>>,
  Expect<Equal<ClientApp['sessions$'], Store<Session[]>>>,
  // There is nothing to look into: it is done, or it throws.
  Expect<Equal<ReturnType<typeof revokeSession>, Promise<void>>>,
  Expect<Equal<Parameters<ClientApp['revokeSession']>[0], { readonly sessionId: string }>>,
  Expect<
    Equal<
      Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'isCurrentSession' | 'isImpersonation'>,
      { id: string; createdAt: Date; lastUsedAt: Date | null; isCurrentSession: boolean; isImpersonation: boolean }
    >
  >,
  Expect<Equal<NonNullable<Session['lastUsedAtEndUserIpInfo']>, GeoInfo>>,
]
