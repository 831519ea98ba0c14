import { SingleFlight } from '../core/single-flight'
import { unlessAborted } from '../errors/abort'
import { isAuthError } from '../errors/auth-error'
import type { SignedOutReason } from './identity'
import { refresh, takenOver } from './refresh'
import type { Refreshed } from './refresh'
import type { Session } from './session'
import type { TokenStore } from './token-store'

/** Nothing of an app is kept here: an entry is gone with its store. */
const flights = /* @__PURE__ */ new WeakMap<TokenStore, SingleFlight<Refreshed>>()

/** The refreshes under way by refresh token, for all kits that have this store: those of one request ask at the same time. */
export function flightsOf(store: TokenStore): SingleFlight<Refreshed> {
  const known = flights.get(store) ?? new SingleFlight<Refreshed>()
  flights.set(store, known)
  return known
}

/** Refreshes for all kits that have the session's store, or waits for the one that does; `reason` is what a refusal means. */
export async function refreshOnce(
  session: Session,
  refreshToken: string,
  reason: SignedOutReason,
  signal: AbortSignal | undefined,
): Promise<Refreshed['outcome']> {
  const { tokens, store, ended } = session
  const flight = flightsOf(store).run(refreshToken, () => refresh(session, refreshToken, reason))
  const { outcome, refusal } = await unlessAborted(flight, signal).catch((error: unknown) => {
    // The kit that refreshes for all is gone; this one is not.
    if (isAuthError(error, 'DISPOSED') && !ended.aborted) return takenOver
    throw error
  })
  // It was another kit's.
  if (session.tokens === tokens) await session.sync()
  session.noteRefusal(refusal)
  return outcome
}
