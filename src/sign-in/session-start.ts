import { eitherOf } from '../core/signals'
import type { Result } from '../core/result'
import { abortError, unlessAborted, toAuthError, type AuthErrorOf } from '../errors/auth-error'
import type { FailCode, FamilyOf } from '../errors/codes'
import { anyUser$ } from '../entities/users/client'
import type { Owner, Tokens } from '../transport/access-token'
import { coreOf, type Kit } from '../store/kit-parts'
import { narrowed } from '../store/definition'
import type { CallOptions } from '../store/write/effects'
import { startSession } from '../store/session-effects'
import { isDone, writeFailed, writeSucceeded } from '../store/write/write-outcome'
import { call, readInput } from '../transport/call'
import type { Endpoint } from '../transport/endpoint'

interface SessionStart<O> {
  /** The owner whose tokens the request carries; absent: none. */
  readonly carries?: (kit: Kit, signal: AbortSignal) => Promise<Owner | undefined>
  /** Called with the tokens; default: they start the session. */
  readonly start?: (kit: Kit, tokens: O) => Promise<void>
}

/**
 * Declares a call whose answer is a session. It is no `mutation`, which can do more than a sign-in needs: an app that only
 * signs in has neither overlays nor patches in its bundle.
 *
 * The promise resolves when the session has started and the watched stores of the new user show it.
 */
export function sessionStart<I extends object, O extends Tokens, F extends FailCode>(
  endpoint: Endpoint<'client', I, O, F>,
  { carries, start = startSession }: SessionStart<O> = {},
): (kit: Kit, input: I, options?: CallOptions) => Promise<Result<O, AuthErrorOf<F | FamilyOf<F>>>> {
  return async (kit, input, options) => {
    if (options?.signal?.aborted) throw abortError(options.signal)
    const core = coreOf(kit)
    const read = readInput(endpoint, input)
    // Returned only if the endpoint declares it.
    if (!read.ok) return read as Result<never, AuthErrorOf<F>>
    core.assertAlive()
    const { signal, release } = eitherOf(core.session.ended, options?.signal)
    const stale = narrowed(anyUser$)
    const send = async () =>
      call(core.transport, endpoint, read.value, { owner: await carries?.(kit, signal), signal, isWrite: true })
    /** Loads that the start of the session has begun are no older than the answer. */
    const succeed = (answered: number) =>
      writeSucceeded(core, undefined, [stale], () =>
        core.cells.staleWith(stale).flatMap(cell => cell.invalidate(answered) ?? []),
      )
    try {
      const result = await unlessAborted(send(), signal).catch(async (error: unknown) => {
        if (isDone(error)) await succeed(core.cells.tick())
        else writeFailed(core, undefined, [stale], error)
        throw error
      })
      if (!result.ok) {
        writeFailed(core, undefined, [stale], result.error)
        return result
      }
      const answered = core.cells.tick()
      try {
        await start(kit, result.value)
      } catch (error) {
        throw toAuthError(error)
      } finally {
        await succeed(answered)
      }
      return result
    } finally {
      release()
    }
  }
}
