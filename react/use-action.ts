'use client'
import { useCallback, useInsertionEffect, useRef, useState } from 'react'
import type { AnyAuthError } from 'rxauth'
import { isRecord, toAuthError } from '../src/inside'

type ValueOf<R> = R extends { ok: false } ? never : R extends { ok: true; value: infer T } ? T : R
type FailureOf<R> = R extends { ok: false; error: infer E } ? E : never

type ActionState<R> =
  | { readonly status: 'idle' | 'running' }
  | { readonly status: 'done'; readonly value: ValueOf<R> }
  | { readonly status: 'failed'; readonly error: FailureOf<R> | AnyAuthError }

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
 * Runs may overlap; the state is that of the latest one.
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
export function useAction<I extends unknown[], R>(run: (...input: I) => Promise<R>): Action<I, R> {
  const [state, setState] = useState<ActionState<R>>(idle)
  const current = useRef<object>(idle)
  const latest = useRef(run)
  // Before any effect or event of this commit can call it.
  useInsertionEffect(() => {
    latest.current = run
  })

  const start = useCallback((...input: I): Promise<R> => {
    const mine = {}
    current.current = mine
    // Ignored after unmounting, so there is nothing to clean up.
    const settle = (next: ActionState<R>) => {
      if (current.current === mine) setState(next)
    }
    setState({ status: 'running' })
    const outcome = call(latest.current, input)
    outcome.then(
      result => settle(stateOf(result)),
      (error: unknown) => settle({ status: 'failed', error: toAuthError(error) }),
    )
    return outcome
  }, [])

  const reset = useCallback(() => {
    current.current = idle
    setState(idle)
  }, [])

  return { ...state, run: start, reset }
}

const idle = { status: 'idle' } as const

/** Turns a throw before the first `await` into a rejection. */
async function call<I extends unknown[], R>(run: (...input: I) => Promise<R>, input: I): Promise<R> {
  return run(...input)
}

function stateOf<R>(result: R): ActionState<R> {
  // R determines the shape; a type parameter cannot be narrowed by a value.
  if (isRecord(result) && result['ok'] === false && 'error' in result)
    return { status: 'failed', error: result['error'] as FailureOf<R> }
  const value = isRecord(result) && result['ok'] === true && 'value' in result ? result['value'] : result
  return { status: 'done', value: value as ValueOf<R> }
}
