import { thenSync } from '../core/promises'
import type { Owner } from '../transport/access-token'
import type { Identity } from './identity'

interface SyncedSession {
  readonly identity: Identity
  readonly isWatched: boolean
  sync(): void | Promise<void>
}

interface Capturing extends SyncedSession {
  capture(): Promise<Identity>
  assertPresent(owner: Owner): void
}

/** Owners before a call has found other ones. Module state holds nothing of an app: an entry ends when the app hears of the owner. */
const unheard = /* @__PURE__ */ new WeakMap<SyncedSession, { readonly before: Owner; readonly found: Owner }>()

/**
 * Reads the token store for a call. Callers of writes do not hear of another owner before the tick ends and, without watchers, before
 * a call settles.
 */
export function syncForCall(session: SyncedSession): void | Promise<void> {
  const { kind, owner } = session.identity
  return thenSync(
    () => session.sync(),
    () => {
      const found = session.identity.owner
      if (kind === 'unknown' || owner === found) return
      const entry = unheard.get(session)
      unheard.set(session, { before: entry?.found === owner ? entry.before : owner, found })
      if (session.isWatched) void Promise.resolve().then(() => unheard.delete(session))
    },
  )
}

/** A call has settled: its caller has heard of the owner that it has found. */
export function hear(session: SyncedSession): void {
  unheard.delete(session)
}

/** The identity of a new write. Rejects as `capture` does, also if another call of the same tick has changed the owner. */
export async function captureForWrite(session: Capturing): Promise<Identity> {
  const entry = unheard.get(session)
  try {
    const identity = await session.capture()
    if (entry?.found === identity.owner) session.assertPresent(entry.before)
    return identity
  } finally {
    hear(session)
  }
}
