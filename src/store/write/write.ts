import { eitherOf } from '../../core/signals'
import type { Result } from '../../core/result'
import { unlessAborted, AuthError, toAuthError } from '../../errors/auth-error'
import { callName } from '../../core/names'
import type { Access } from '../../transport/endpoint'
import type { Identity } from '../../session/identity'
import type { Owner } from '../../transport/access-token'
import type { TokenSession } from '../../session/token-session'
import { captureForWrite } from '../../session/unheard'
import type { Cell } from '../cell'
import type { Core } from '../kit-parts'
import { narrowed, type Target } from '../definition'
import type { CallOptions, Effects } from './effects'
import { isStaleWith, type Narrowed, type Patch } from '../source'
import { isDone, writeFailed, writeSucceeded } from './write-outcome'

/** A write under way: its overlays, and the changes to make when it is answered. */
export class Write {
  /** The stores that it may change, as far as the input says. */
  readonly scope: readonly Narrowed[]
  readonly #core: Core
  /** The identity for which the write was made. */
  readonly #identity: Identity | undefined
  readonly #began: number
  /** The stores with its overlays. */
  readonly #shown: readonly Narrowed[]

  /** Adds the overlays of `optimistic`; if one of the patches throws, adds none and throws. */
  constructor(core: Core, identity: Identity | undefined, refreshes: readonly Target[], optimistic: readonly Patch[]) {
    this.#core = core
    this.#identity = identity
    this.#began = core.cells.tick()
    this.#shown = optimistic.map(({ source, args }) => ({ '~narrowed': true, source, args }))
    this.scope = [...refreshes.map(narrowed), ...this.#shown]
    // A commit looks at every derived store.
    if (optimistic.length > 0)
      core.commits.run('optimistic', () => {
        try {
          for (const patch of optimistic) for (const cell of core.cells.matching(patch)) this.#show(cell, patch)
        } catch (error) {
          this.#removeOverlays()
          throw error
        }
      })
    core.writes.add(this)
  }

  /** Whether the owner of the write is still the present one. */
  get isPresent(): boolean {
    return !this.#identity || this.#identity.owner === this.#core.session.identity.owner
  }

  /** The platform has done it. Resolves when every watched store that it touches shows it, or has to retry. */
  succeed(answered: number, refreshes: readonly Target[], writes: readonly Patch[]): Promise<void> {
    const { cells } = this.#core
    const stale = refreshes.map(narrowed)
    return writeSucceeded(this.#core, this.#identity, [...stale, ...writes], () => {
      this.#core.writes.delete(this)
      const told = new Map<Cell, Patch[]>()
      for (const patch of writes)
        for (const cell of cells.matching(patch)) told.set(cell, [...(told.get(cell) ?? []), patch])
      const touched = [...stale, ...this.#shown].flatMap(target => cells.staleWith(target))
      const all = new Set([...told.keys(), ...touched])
      const loads = [...all].flatMap(cell => this.#tell(cell, told.get(cell), answered) ?? [])
      this.#removeOverlays()
      return loads
    })
  }

  /** Ends a failed write. If its outcome is unknown, watched stores that it may have changed load again, without a wait. */
  fail(error: unknown): void {
    writeFailed(this.#core, this.#identity, this.scope, error, () => {
      this.#core.writes.delete(this)
      this.#removeOverlays()
    })
  }

  /** Shows an overlay until the write is answered; a cell without watchers or without a value needs none. */
  #show(cell: Cell, { change }: Patch): void {
    if (!cell.isWatched || !cell.known.base) return
    cell.known.addOverlay({ write: this, change })
    this.#core.commits.touch(cell)
  }

  /** Makes the cell show the answer. If that takes a load, returns its promise. */
  #tell(cell: Cell, patches: readonly Patch[] | undefined, answered: number): Promise<void> | undefined {
    if (patches && !this.#overlaps(cell)) {
      this.#removeOverlay(cell)
      if (patches.every(({ change }) => cell.write(change, answered))) return undefined
    }
    if (cell.known.bakeOverlays(this)) this.#core.commits.touch(cell)
    return cell.invalidate(answered)
  }

  /** Answers do not show the order on the server, so an answer that another one has overtaken is not applied. */
  #overlaps(cell: Cell): boolean {
    if (cell.changedAtTick > this.#began) return true
    return [...this.#core.writes].some(({ scope }) => scope.some(target => isStaleWith(cell, target)))
  }

  #removeOverlays(): void {
    for (const cell of this.#core.cells) this.#removeOverlay(cell)
  }

  #removeOverlay(cell: Cell): void {
    if (cell.known.removeOverlays(this)) this.#core.commits.touch(cell)
  }
}

/** The course of a write: its owner, its overlays, and the effects of its outcome. */
export async function performWrite<O, R extends Result<O, unknown>>(
  core: Core,
  declared: { readonly ownedBy: 'app' | 'session'; readonly access?: Access; readonly route?: string },
  input: object,
  effects: Effects<object, O>,
  options: CallOptions | undefined,
  send: (owner: Owner | undefined, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { session } = core
  const { ownedBy, access, route } = declared
  core.assertAlive()
  // Code of the app that runs an own write may keep listeners on its signal. For other writes, a controller would cost a fifth.
  const { signal, release } =
    access && !options?.signal ? { signal: session.ended } : eitherOf(session.ended, options?.signal)
  try {
    // Always awaited, so that no write starts during notifications.
    const capturing = async () => (ownedBy === 'session' ? captureToWrite(session) : undefined)
    const identity = await unlessAborted(capturing(), signal).catch((error: unknown) => {
      throw toAuthError(error)
    })
    const owner = identity?.owner
    if (owner) session.assertPresent(owner)
    // The app's own writes may make sense while signed out; the platform's endpoints do not.
    if (identity?.kind === 'signed-out' && access && route !== undefined)
      throw new AuthError('USER_AUTHENTICATION_REQUIRED', `${callName({ access, route })} needs a signed-in user`)
    const write = begin(core, identity, input, effects)
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
    release?.()
  }
}

function begin<O>(core: Core, identity: Identity | undefined, input: object, effects: Effects<object, O>): Write {
  try {
    return new Write(core, identity, effects.refreshes(input, undefined), effects.optimistic?.(input, core.kit) ?? [])
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
    // A write with `settled` may itself have changed the identity; its answer then belongs to the new one.
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

/** The identity of a new write; throws if its request may not write with the session. */
export function captureToWrite(session: TokenSession): Promise<Identity> {
  session.store.own['~assertOwn']?.()
  return captureForWrite(session)
}
