import { maxWaitMillis } from '../../core/clock'
import { present } from '../../core/host'
import { onAbort } from '../../core/signals'
import type { KitDecision, HostState, Input, Tap } from '../../core/tap'
import { isSame } from '../../session/token-store'
import { coreOf } from '../../store/kit-parts'
import type { Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { KeptEvent, Recording, Tape } from './tape'
import { Seal } from './seal'
import { shownBy, shownNow, statesOf, stateOf } from './state'
import type { ShownStore } from './state'
import { TurnNumbers } from './turns'

/**
 * Records what reaches an app from outside and what it decides: `npx rxauth replay FILE` plays the inputs to another kit and names
 * the first decision that differs, and `--why` tells why a session has ended.
 *
 * It keeps the last 4,000 events or more. `stop` ends it and loads what writes the recording, in which each text is replaced: it
 * contains no token, code, key, password or address.
 *
 * @example
 * const recording = record(app)
 * const report = JSON.stringify(await recording.stop())
 */
export function record(app: Kit): { stop(): Promise<Recording> } {
  const core = coreOf(app)
  core.assertAlive()
  const recorder = new Recorder(core)
  return {
    async stop() {
      const kept = recorder.end()
      const { written } = await import('./written')
      return written(kept)
    },
  }
}

/** A wall clock that is off by less has not been set. */
const jumpMillis = 50
const maxWeight = 4000
/** Characters of an answer that count as an event. */
const charactersOfEvent = 1000

const listeners = /* @__PURE__ */ new WeakMap<Tap, Set<(event: Input | KitDecision) => void>>()

/** Several recordings of one app may overlap. */
function listen(tap: Tap, listener: (event: Input | KitDecision) => void): () => void {
  const all = listeners.get(tap) ?? new Set()
  listeners.set(tap, all.add(listener))
  tap.tell = event => {
    for (const each of all) each(event)
  }
  return () => {
    all.delete(listener)
    if (all.size === 0) tap.tell = undefined
  }
}

class Recorder {
  readonly #core: Core
  readonly #seal = new Seal()
  readonly #turns = new TurnNumbers()
  readonly #startedAt: number
  #wallStart: number
  #kept: KeptEvent[] = []
  #weight = 0
  /** Since the last moment from which the recording can be played. */
  #sinceStart = Infinity
  /** Accesses to the token store since the last input. */
  #accesses = 0
  /** Functions that a timer has run before, such as a poll: not their runs are recorded, but what they see. */
  readonly #repeated = new WeakSet<() => void>()
  /** `followed`: something watches the session, which then hears of other tabs. */
  readonly #states: Record<HostState | 'followed', boolean>
  readonly #ends: (() => void)[] = []
  #end: readonly ShownStore[] | undefined

  constructor(core: Core) {
    this.#core = core
    const { clock, session, transport, host } = core
    this.#startedAt = clock.monotonic()
    this.#wallStart = clock.now() - this.#startedAt
    this.#states = { ...statesOf(host), followed: session.isWatched }
    this.#begin()
    this.#ends.push(
      listen(transport.trace.tap, event => {
        this.#told(event)
      }),
      // Before its stores are gone.
      onAbort(session.ended, () => this.end()),
      ...(['online', 'visible', 'shown'] as const).map(name => {
        const following = host[`${name}$`]?.subscribe(is => {
          this.#see(name, is)
        })
        return () => following?.unsubscribe()
      }),
    )
  }

  end(): Tape {
    this.#end ??= shownNow(this.#core)
    for (const end of this.#ends.splice(0)) end()
    return { core: this.#core, seal: this.#seal, kept: this.#kept, end: this.#end }
  }

  #see(name: HostState | 'followed', is: boolean): void {
    if (this.#states[name] === is) return
    this.#seeClock()
    this.#states[name] = is
    this.#push({ in: name, is })
  }

  #seeClock(): void {
    const { clock } = this.#core
    const by = clock.now() - clock.monotonic() - this.#wallStart
    if (Math.abs(by) < jumpMillis) return
    this.#wallStart += by
    this.#push({ in: 'clock', by })
  }

  #told(event: Input | KitDecision): void {
    const { host, session } = this.#core
    // The kit may have seen a change before this recorder. Only its event tells that a page is left.
    this.#see('online', present(host.online$, true))
    this.#see('visible', present(host.visible$, true))
    this.#see('followed', session.isWatched)
    this.#seeClock()
    if (!('in' in event)) {
      this.#push(this.#seal.event(event), shownBy(this.#core, event))
      return
    }
    if (event.in === 'timer') {
      // A token store of an app's own may wait for anything, such as Infinity, which is not in JSON.
      if (!this.#repeated.has(event.run) && Math.abs(event.millis) <= maxWaitMillis)
        this.#push({ ...event, due: event.due - this.#startedAt })
      this.#repeated.add(event.run)
      return
    }
    if (event.in === 'held' || event.in === 'unread' || event.in === 'kept') {
      this.#accesses = this.#turns.mark() ? 1 : this.#accesses + 1
      const isOld =
        event.in === 'held'
          ? session.identity.kind !== 'unknown' && isSame(event.tokens, session.stored)
          : event.in === 'kept' && !event.is
      if (!isOld) this.#push(this.#seal.event(event), undefined, this.#accesses)
      return
    }
    const sealed = this.#seal.event(event)
    this.#push(sealed)
    const { signal } = event as { readonly signal?: AbortSignal }
    if (signal)
      onAbort(signal, () => {
        if (!this.#end) this.#push({ in: 'abort', call: sealed })
      })
  }

  #push(event: KeptEvent['event'], shown?: readonly ShownStore[], access?: number): void {
    const { clock } = this.#core
    if (this.#turns.mark() && this.#sinceStart > maxWeight / 2) this.#begin()
    if ('in' in event && !['random', 'clock'].includes(event.in) && access === undefined) this.#accesses = 0
    const at = clock.monotonic() - this.#startedAt
    const { turn, step } = this.#turns
    this.#kept.push({ at, turn, step, event, ...(shown && { shown }), ...(access && { access }) })
    const weight = 1 + ('text' in event ? event.text.length / charactersOfEvent : 0)
    this.#weight += weight
    this.#sinceStart += weight
    if (this.#weight < 2 * maxWeight) return
    this.#kept = this.#kept.slice(this.#kept.length / 2)
    this.#weight = maxWeight
  }

  /** Notes all that a kit has, if nothing is under way. */
  #begin(): void {
    const start = stateOf(this.#core, this.#startedAt, this.#seal)
    if (!start) return
    this.#sinceStart = 0
    const { turn, step } = this.#turns
    this.#kept.push({ at: start.monotonic, turn, step, event: { start } })
  }
}
