import type { Owner } from '../transport/access-token'
import type { Identity } from './identity'

interface SyncedSession {
  readonly identity: Identity
  sync(): void | Promise<void>
}

interface Capturing extends SyncedSession {
  capture(): Promise<Identity>
  assertPresent(owner: Owner): void
}

/** Owners before a call has found other ones. Module state holds nothing of an app: an entry ends with its tick. */
const unheard = /* @__PURE__ */ new WeakMap<SyncedSession, Owner>()

/** Reads the token store for a call. The callers of writes in the same tick do not hear of another owner before the tick ends. */
export function syncForCall(session: SyncedSession): void | Promise<void> {
  const { kind, owner } = session.identity
  const reading = session.sync()
  if (kind === 'unknown' || owner === session.identity.owner || unheard.has(session)) return reading
  unheard.set(session, owner)
  void Promise.resolve().then(() => unheard.delete(session))
  return reading
}

/** The identity of a new write. Rejects as `capture` does, also if another call of the same tick has changed the owner. */
export async function captureForWrite(session: Capturing): Promise<Identity> {
  const owner = unheard.get(session)
  const identity = await session.capture()
  if (owner) session.assertPresent(owner)
  return identity
}
