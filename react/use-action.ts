'use client'
import { useCallback, useInsertionEffect, useRef, useState } from 'react'
import { AuthError, type AnyAuthError } from 'rxauth'
import { isRecord, toAuthError } from '../src/inside'

type ValueOf<R> = R extends { ok: false } ? never : R extends { ok: true; value: infer T } ? T : R
type FailureOf<R> = R extends { ok: false; error: infer E } ? E : never

type ActionState<R> =
  | { readonly status: 'idle' | 'running' }
  | { readonly status: 'done'; readonly value: ValueOf<R> }
  | { readonly status: 'failed'; readonly error: FailureOf<R> | AnyAuthError }

/** Options of `useAction`. */
export interface ActionOptions {
  /**
   * The effect of `run` while an earlier run is under way:
   *
   * - `overlap`, the default: both run, and the state is that of the later one.
   * - `join`: the action is not called; the promise is that of the run under way.
   * - `drop`: the action is not called; the promise rejects with ABORTED, and the state stays that of the run under way.
   * - `queue`: the action is called when the earlier runs have ended, however they ended. The state is that of the last one.
   */
  readonly while?: 'overlap' | 'join' | 'drop' | 'queue'
}

/** An action of the user, with its state. */
export type Action<I extends unknown[], R> = {
  /**
   * Runs it; the same function for the component's whole life. The promise is that of the action itself, so it also rejects
   * with a thrown failure, but an ignored rejection is not reported as unhandled.
   */
  readonly run: (...input: I) => Promise<R>
  /** Back to `idle`; a run under way continues, but no longer changes the state. */
  readonly reset: () => void
} & ActionState<R>

/**
 * The state of an asynchronous action of the user: `idle`, `running`, `done` with its value, `failed` with its error,
 * returned or thrown. Anything thrown but an AuthError becomes the cause of CALLBACK_FAILED.
 *
 * Runs may overlap, and the state is that of the latest one, unless `while` says something else of a second press.
 *
 * @example
 * ```tsx
 * export const Rename = () => {
 *   const app = useApp()
 *   const rename = useAction((displayName: string) => app.updateUser({ displayName }))
 *   return <button disabled={rename.status === 'running'} onClick={() => void rename.run('Ada')}>Call me Ada</button>
 * }
 * ```
 */
export function useAction<I extends unknown[], R>(
  run: (...input: I) => Promise<R>,
  { while: mode = 'overlap' }: ActionOptions = {},
): Action<I, R> {
  const [state, setState] = useState<ActionState<R>>(idle)
  /** The run that the state shows; none after `reset`. */
  const shown = useRef<Promise<R> | undefined>(undefined)
  /** The last run, until it ends. */
  const underWay = useRef<Promise<R> | undefined>(undefined)
  const latest = useRef({ run, mode })
  // Before any effect or event of this commit can call it.
  useInsertionEffect(() => {
    latest.current = { run, mode }
  })

  const start = useCallback((...input: I): Promise<R> => {
    const { mode } = latest.current
    const before = underWay.current
    const go = () => call(latest.current.run, input)
    const isJoined = before && mode === 'join'
    if (before && mode === 'drop') return dropped()
    const outcome = isJoined ? before : before && mode === 'queue' ? before.then(go, go) : go()
    if (shown.current !== outcome) setState({ status: 'running' })
    shown.current = outcome
    if (isJoined) return outcome
    underWay.current = outcome
    // Ignored after unmounting, so there is nothing to clean up.
    const settle = (next: ActionState<R>) => {
      if (underWay.current === outcome) underWay.current = undefined
      if (shown.current === outcome) setState(next)
    }
    outcome.then(
      result => settle(stateOf(result)),
      (error: unknown) => settle({ status: 'failed', error: toAuthError(error) }),
    )
    return outcome
  }, [])

  const reset = useCallback(() => {
    shown.current = undefined
    setState(idle)
  }, [])

  return { ...state, run: start, reset }
}

const idle = { status: 'idle' } as const

/** Turns a throw before the first `await` into a rejection. */
async function call<I extends unknown[], R>(run: (...input: I) => Promise<R>, input: I): Promise<R> {
  return run(...input)
}

function dropped(): Promise<never> {
  const outcome = Promise.reject(new AuthError('ABORTED', 'useAction dropped this run: an earlier one was under way'))
  // An ignored rejection is not reported.
  outcome.catch(() => undefined)
  return outcome
}

function stateOf<R>(result: R): ActionState<R> {
  // R determines the shape; a type parameter cannot be narrowed by a value.
  if (isRecord(result) && result['ok'] === false && 'error' in result)
    return { status: 'failed', error: result['error'] as FailureOf<R> }
  const value = isRecord(result) && result['ok'] === true && 'value' in result ? result['value'] : result
  return { status: 'done', value: value as ValueOf<R> }
}
