import { coreOf, slot, type CallOptions, type Kit } from './declare'
import { jsonText, orUndefined } from '../core/values'
import { unlessAborted, abortError, AuthError } from '../errors/auth-error'
import { captureToWrite } from '../store/write/write'
import type { Identity } from '../session/identity'
import { SingleFlight } from '../core/promises'

/**
 * Runs a call that needs a signed-in user; throws USER_AUTHENTICATION_REQUIRED, before a request, if there is none.
 *
 * A write that starts synchronously in `run` is the owner's. A later one has to call `assertPresent(owner)` first, so that
 * it is never sent in another user's session.
 */
export async function asOwner<T>(
  kit: Kit,
  options: CallOptions | undefined,
  purpose: string,
  run: (identity: Identity) => Promise<T>,
): Promise<T> {
  const core = coreOf(kit)
  core.assertAlive()
  const identity = await unlessAborted(captureToWrite(core.session), options?.signal)
  if (identity.kind === 'signed-out')
    throw new AuthError('USER_AUTHENTICATION_REQUIRED', `no user is signed in ${purpose}`)
  core.session.assertPresent(identity.owner)
  return run(identity)
}

const flightsKey = {}

/**
 * Concurrent calls with the same input share one request: a double click sends one mail, and a code works once.
 *
 * An abort rejects only its caller and does not cancel the request, which may have consumed the code. `what` and the values
 * identify the input.
 */
export async function shareRequest<T>(
  kit: Kit,
  options: CallOptions | undefined,
  run: () => Promise<T>,
  what: string,
  ...values: readonly unknown[]
): Promise<T> {
  const signal = options?.signal
  if (signal?.aborted) throw abortError(signal)
  const flights = slot(kit, flightsKey, () => new SingleFlight<unknown>())
  // Values of other types are refused by the request itself.
  const key = orUndefined(() => jsonText([what, ...values]))
  return unlessAborted(key === undefined ? run() : (flights.run(key, run) as Promise<T>), signal)
}
