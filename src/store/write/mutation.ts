import type { Signal } from '../../core/web-types'
import { isRecord } from '../../core/values'
import { DEV } from '../../core/dev'
import { callName } from '../../core/names'
import { eitherOf } from '../../core/signals'
import { isThenable } from '../../core/promises'
import { succeeded, type Result } from '../../core/result'
import {
  abortError,
  given,
  unlessAborted,
  isRefusedWith,
  type AuthErrorOf,
  type Refusal,
} from '../../errors/auth-error'
import type { FailCode, FamilyOf } from '../../errors/codes'
import type { Owner } from '../../transport/access-token'
import { call, readInput } from '../../transport/call'
import type { Access, Endpoint } from '../../transport/endpoint'
import type { Narrowed, Patch } from '../source'
import { sourceOf, type Query } from '../definition'
import { coreOf, type Kit } from '../kit-parts'
import type { CallOptions, Effects } from './effects'
import { performWrite } from './write'
import { watchResult } from './unread-result'

/** A plain value if no failure is expected; else a result that narrows by `ok` and `error.code`. */
export type Outcome<O, F extends FailCode> = [F] extends [never] ? O : Result<O, AuthErrorOf<F | FamilyOf<F>>>

type MutationArguments<I> = keyof I extends never
  ? [options?: CallOptions]
  : {} extends I
    ? [input?: I, options?: CallOptions]
    : [input: I, options?: CallOptions]

/** A definition of something to do: called with a kit, it does it. */
export interface Mutation<A extends Access, I, O, F extends FailCode = never, Sent = I> {
  (kit: Kit<A>, ...args: MutationArguments<I>): Promise<Outcome<O, F>>
  /** Present on mutations made from an endpoint. */
  readonly endpoint?: Endpoint<A, Sent, O, F> | undefined
}

/** How a refused write was sent. */
export interface Attempted {
  readonly owner: Owner | undefined
  readonly signal: Signal
  /** An earlier attempt of this call had no answer, so the platform may have done it. */
  readonly mayBeDone: boolean
}

/** Options of writes over an endpoint. */
export interface Sending<A extends Access, I, Sent> {
  /**
   * Completes the caller's input before it is checked and sent, with an address that the kit knows or a default. A promise
   * if that has to be loaded.
   */
  prepare?(kit: Kit<A>, input: I): Sent | Promise<Sent>
  /** Whether this input changes nothing: the call succeeds without a request. */
  changesNothing?(input: Sent): boolean
  /**
   * Refusals that mean that the requested state exists already: codes and statuses, or a function of the input that may make
   * another call.
   */
  readonly done?:
    | readonly Refusal[]
    | ((error: unknown, input: Sent, kit: Kit, attempted: Attempted) => boolean | Promise<boolean>)
}

/** A method, so that the compiler reports a missing `refreshes` rather than the fields of the input. */
interface OwnWrite<I, O> {
  run(kit: Kit, input: I, options: { readonly signal: Signal }): Promise<O>
}

/**
 * A change of one cached value. It is pure, so that it can be replayed on a newer value.
 *
 * @example
 * const leave = mutation(async (_kit, _: { teamId: string }) => {}, {
 *   refreshes: () => [teams$],
 *   optimistic: ({ teamId }) => [patch(teams$, {}, teams => teams.filter(team => team.id !== teamId))],
 * })
 */
export function patch<I, O>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  target: Query<any, I, O> & { readonly '~view'?: never },
  args: NoInfer<Partial<I>>,
  change: (value: O) => O,
): Patch {
  // Cells of a source hold its values, so `change` always gets an O.
  return { '~patch': true, source: sourceOf(target), args, change: change as Patch['change'] }
}

/**
 * The stores of `target` whose arguments include these.
 *
 * @example
 * const rename = mutation(async (_kit, _: { teamId: string }) => {}, {
 *   refreshes: ({ teamId }) => [only(team$, { teamId })],
 * })
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
export function only<I, O>(target: Query<any, I, O>, args: NoInfer<Partial<I>>): Narrowed {
  return { '~narrowed': true, source: sourceOf(target), args }
}

/**
 * Declares a write to the app's own backend, with the same effects on stores.
 *
 * @example
 * const addNote = mutation(
 *   async (kit, { text }: { text: string }) => {
 *     const headers = { ...(await authHeaders(kit)), 'content-type': 'application/json' }
 *     await fetch('/api/notes', { method: 'POST', headers, body: JSON.stringify({ text }) })
 *   },
 *   { refreshes: () => [user$] },
 * )
 * await addNote(kit, { text: 'buy tea' })
 */
export function mutation<I extends object, O>(
  run: OwnWrite<I, O>['run'],
  effects: Effects<NoInfer<I>, NoInfer<O>>,
): Mutation<'client', I, O>
/**
 * Declares a write over an endpoint. While signed out, a session-owned write rejects with USER_AUTHENTICATION_REQUIRED and
 * sends nothing.
 */
export function mutation<A extends Access, Sent, O, F extends FailCode, I = Sent>(
  endpoint: Endpoint<A, Sent, O, F>,
  effects: Effects<NoInfer<Sent>, NoInfer<O>> & Sending<NoInfer<A>, I, NoInfer<Sent>>,
): Mutation<A, I, O, F, Sent>
export function mutation(
  declared: Endpoint<Access, object, unknown, FailCode> | OwnRun,
  effects: Effects<object, unknown> & Sending<'client', object, object>,
) {
  if (typeof declared === 'function')
    return async (kit: Kit, ...args: readonly [unknown?, CallOptions?]) => {
      const [input, options] = args.length === 1 && isOptions(args[0]) ? [{}, args[0]] : args
      const result = await performWrite(
        coreOf(kit),
        { ownedBy: 'session' },
        input ?? {},
        effects,
        options,
        async (_, signal) => succeeded(await declared(kit, input ?? {}, { signal })),
      )
      return result.value
    }
  const takesInput = Object.keys(declared.places).length > 0
  const run = async (kit: Kit, ...args: readonly [unknown?, CallOptions?]) => {
    const [input = {}, options] = takesInput ? args : [{}, args[0] as CallOptions | undefined]
    const signal = options?.signal
    if (signal?.aborted) throw abortError(signal)
    const core = coreOf(kit)
    core.clock.tap.tell?.({ in: 'write', route: declared.route, input: input as object, signal })
    const prepared = effects.prepare ? effects.prepare(kit, given(input as object)) : input
    const sent = isThenable(prepared) ? await unlessAborted(Promise.resolve(prepared), signal) : prepared
    const read = readInput(declared, sent)
    if (!read.ok) return DEV ? watchResult(kit, callName(declared), read) : read
    const checked = read.value
    if (effects.changesNothing?.(checked)) {
      core.assertAlive()
      return declared.fails.length > 0 ? succeeded(undefined) : undefined
    }
    const send = async (owner: Owner | undefined, signal: AbortSignal) => {
      const { done = [] } = effects
      let mayBeDone = false
      const onBackoff = (cause: string) => {
        if (cause === 'NETWORK_ERROR' || cause === 'TIMED_OUT') mayBeDone = true
      }
      const isDone = async (error: unknown) => {
        if (typeof done !== 'function') return isRefusedWith(error, done)
        const { signal: lent, release } = eitherOf(signal, undefined)
        try {
          return await done(error, checked, kit, { owner, signal: lent, mayBeDone })
        } finally {
          release()
        }
      }
      try {
        const result = await call(core.transport, declared, checked, { owner, signal, onBackoff, isWrite: true })
        return !result.ok && (await isDone(result.error)) ? succeeded(undefined) : result
      } catch (error) {
        if (await isDone(error)) return succeeded(undefined)
        throw error
      }
    }
    const result = await performWrite(core, declared, checked, effects, options, send)
    if (declared.fails.length === 0) return (result as { readonly value: unknown }).value
    return DEV ? watchResult(kit, callName(declared), result) : result
  }
  return Object.assign(run, { endpoint: declared })
}

type OwnRun = (kit: Kit, input: object, options: { readonly signal: Signal }) => Promise<unknown>

/** `instanceof AbortSignal` knows those of this realm alone. */
function isOptions(value: unknown): value is CallOptions {
  return isRecord(value) && isRecord(value['signal']) && 'aborted' in value['signal']
}
