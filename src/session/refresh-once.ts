import { SingleFlight } from '../core/single-flight'
import { unlessAborted } from '../errors/abort'
import { isAuthError } from '../errors/auth-error'
import type { SignedOutReason } from './identity'
import { refresh, takenOver } from './refresh'
import type { Refreshable, Refreshed } from './refresh'
import type { GuardedStore } from './guarded-store'

/** Module state holds nothing of an app: entries are collected with their stores. */
const refreshes = /* @__PURE__ */ new WeakMap<GuardedStore, SingleFlight<Refreshed>>()

/**
 * Refreshes under way, by refresh token, shared by all kits with this store: the kits of one request refresh at the same
 * time.
 */
export function refreshesOf(store: GuardedStore): SingleFlight<Refreshed> {
  const known = refreshes.get(store) ?? new SingleFlight<Refreshed>()
  refreshes.set(store, known)
  return known
}

/**
 * Refreshes for all kits with this token store, or waits for the refresh under way; `reason` is why a refusal ends the
 * session.
 */
export async function refreshOnce(
  session: Refreshable,
  refreshToken: string,
  reason: SignedOutReason,
  signal: AbortSignal | undefined,
): Promise<Refreshed['outcome']> {
  const { tokens, store, ended } = session
  const flight = refreshesOf(store).run(refreshToken, () => refresh(session, refreshToken, reason))
  const { outcome, refusal } = await unlessAborted(flight, signal).catch((error: unknown) => {
    // The kit that refreshes was disposed of; this one was not.
    if (isAuthError(error, 'DISPOSED') && !ended.aborted) return takenOver
    throw error
  })
  // Another kit has written the tokens.
  if (session.tokens === tokens) await session.sync()
  session.noteRefusal(refusal)
  return outcome
}
