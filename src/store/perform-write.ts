import { eitherOf } from '../core/either-signal'
import type { Result } from '../core/result'
import { unlessAborted } from '../errors/abort'
import { AuthError, toAuthError } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import type { Core } from './kit'
import type { CallOptions, Effects } from './mutation'
import { isDone, Write } from './write'

/** Everything around a write: whose it is, what it shows meanwhile, what it makes of its outcome. */
export async function performWrite<O, R extends Result<O, unknown>>(
  core: Core,
  { ownedBy, route }: { readonly ownedBy: 'app' | 'session'; readonly route?: string },
  input: object,
  effects: Effects<object, O>,
  options: CallOptions | undefined,
  send: (owner: Identity | undefined, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { session } = core
  core.assertAlive()
  const { signal, release } = eitherOf(session.ended, options?.signal)
  try {
    // Awaited in any case, so that no write begins while subscribers are being told.
    const capturing = ownedBy === 'session' ? session.capture() : Promise.resolve(undefined)
    const owner = await unlessAborted(capturing, signal).catch((error: unknown) => {
      throw toAuthError(error)
    })
    if (owner) session.assertPresent(owner)
    // A write of the app's own code may have a use while signed out; the platform's endpoints have none.
    if (owner?.kind === 'signed-out' && route !== undefined)
      throw new AuthError('USER_AUTHENTICATION_REQUIRED', `${route} needs a signed-in user, and there is none`)
    const write = begin(core, owner, input, effects)
    let result: R
    try {
      // Whoever was shown the write may have signed out.
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

/** The platform has done it: whatever goes wrong from here on does not make it undone. */
async function finish<O>(core: Core, write: Write, input: object, output: O, effects: Effects<object, O>) {
  const answered = core.cells.tick()
  const wasPresent = write.isPresent
  try {
    // Whoever is signed in by now has nothing to do with this write.
    const settling = wasPresent ? effects.settled?.(core.kit, output, input) : undefined
    // Between a write and what it shows nobody else may sign in, unless the write itself takes its time.
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
