import { eitherOf } from '../core/either-signal'
import { callName } from '../core/names'
import type { Result } from '../core/result'
import { unlessAborted } from '../errors/abort'
import { AuthError, toAuthError } from '../errors/auth-error'
import { captureToWrite } from '../session/capture-to-write'
import type { Identity } from '../session/identity'
import type { Access } from '../transport/endpoint'
import type { Core } from './core'
import type { CallOptions, Effects } from './effects'
import { Write } from './write'
import { isDone } from './write-outcome'

/** The course of a write: its owner, its overlays, and the effects of its outcome. */
export async function performWrite<O, R extends Result<O, unknown>>(
  core: Core,
  declared: { readonly ownedBy: 'app' | 'session'; readonly access?: Access; readonly route?: string },
  input: object,
  effects: Effects<object, O>,
  options: CallOptions | undefined,
  send: (owner: Identity | undefined, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { session } = core
  const { ownedBy, access, route } = declared
  core.assertAlive()
  const { signal, release } = eitherOf(session.ended, options?.signal)
  try {
    // Always awaited, so that no write starts during notifications.
    const capturing = async () => (ownedBy === 'session' ? captureToWrite(session) : undefined)
    const owner = await unlessAborted(capturing(), signal).catch((error: unknown) => {
      throw toAuthError(error)
    })
    if (owner) session.assertPresent(owner)
    // The app's own writes may make sense while signed out; the platform's endpoints do not.
    if (owner?.kind === 'signed-out' && access && route !== undefined)
      throw new AuthError('USER_AUTHENTICATION_REQUIRED', `${callName({ access, route })} needs a signed-in user`)
    const write = begin(core, owner, input, effects)
    let result: R
    try {
      // A subscriber that saw the write may have signed out.
      if (owner) session.assertPresent(owner)
      result = await unlessAborted(send(owner, signal), signal)
    } catch (error) {
      if (isDone(error)) await write.succeed(core.cells.tick(), write.scope, [])
      else write.fail(error)
      throw error
    }
    if (result.ok) await finish(core, write, input, result.value, effects)
    else write.fail(result.error)
    return result
  } finally {
    release()
  }
}

function begin<O>(core: Core, owner: Identity | undefined, input: object, effects: Effects<object, O>): Write {
  try {
    return new Write(core, owner, effects.refreshes(input, undefined), effects.optimistic?.(input, core.kit) ?? [])
  } catch (error) {
    throw toAuthError(error)
  }
}

/** The platform has done the write: later failures do not undo it. */
async function finish<O>(core: Core, write: Write, input: object, output: O, effects: Effects<object, O>) {
  const answered = core.cells.tick()
  const wasPresent = write.isPresent
  try {
    // If the identity has changed, the write has no effect on the new session.
    const settling = wasPresent ? effects.settled?.(core.kit, output, input) : undefined
    // No other sign-in may come between a write and its effects, unless the write's own code is asynchronous.
    if (settling !== undefined) await settling
  } catch (error) {
    throw toAuthError(error)
  } finally {
    const isPresent = wasPresent && (write.isPresent || effects.settled !== undefined)
    await write.succeed(
      answered,
      orUnhandled(core, () => effects.refreshes(input, output)) ?? write.scope,
      (isPresent && orUnhandled(core, () => effects.writes?.(input, output))) || [],
    )
  }
}

function orUnhandled<T>(core: Core, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    core.onUnhandled(toAuthError(error))
    return undefined
  }
}
