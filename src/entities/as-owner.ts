import { unlessAborted } from '../errors/abort'
import { AuthError } from '../errors/auth-error'
import { captureToWrite } from '../store/write/write'
import type { Identity } from '../session/identity'
import { coreOf } from '../store/core'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/write/effects'

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
  run: (owner: Identity) => Promise<T>,
): Promise<T> {
  const core = coreOf(kit)
  core.assertAlive()
  const owner = await unlessAborted(captureToWrite(core.session), options?.signal)
  if (owner.kind === 'signed-out')
    throw new AuthError('USER_AUTHENTICATION_REQUIRED', `no user is signed in ${purpose}`)
  core.session.assertPresent(owner)
  return run(owner)
}
