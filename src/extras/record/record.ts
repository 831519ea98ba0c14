import { maxWaitMillis } from '../../core/clock'
import { present } from '../../core/host'
import { onAbort } from '../../core/signals'
import type { KitDecision, HostState, Input, Tap } from '../../core/tap'
import { isSame } from '../../session/token-store'
import { coreOf, type Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { KeptEvent, Recording, Tape } from './tape'
import { sealed } from './seal'
import { hostStates, shownBy, shownNow, signalOf, statesOf, stateOf, type ShownStore } from './state'
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
  const end = recorded(core)
  return {
    async stop() {
      const kept = end()
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

/** Keeps what a kit is told and decides, until the returned function is called. */
function recorded(core: Core): () => Tape {
  const { clock, session, transport, host } = core
  const { event: seal, ...names } = sealed()
  const turns = new TurnNumbers()
  const startedAt = clock.monotonic()
  let wallStart = clock.now() - startedAt
  let kept: KeptEvent[] = []
  let weight = 0
  /** Since the last moment from which the recording can be played. */
  let sinceStart = Infinity
  /** Accesses to the token store since the last input. */
  let accesses = 0
  /** Functions that a timer has run before, such as a poll: not their runs are recorded, but what they see. */
  const repeated = new WeakSet<() => void>()
  /** `followed`: something watches the session, which then hears of other tabs. */
  const states: Record<HostState | 'followed', boolean> = { ...statesOf(host), followed: session.isWatched }
  let tape: Tape | undefined

  /** Notes all that a kit has, if nothing is under way. */
  const begin = () => {
    const start = stateOf(core, names.json)
    if (!start) return
    sinceStart = 0
    const { turn, step } = turns
    kept.push({ at: clock.monotonic() - startedAt, turn, step, event: { start } })
  }

  const push = (event: KeptEvent['event'], shown?: readonly ShownStore[], access?: number) => {
    if (turns.mark() && sinceStart > maxWeight / 2) begin()
    if ('in' in event && !['random', 'clock'].includes(event.in) && access === undefined) accesses = 0
    const { turn, step } = turns
    kept.push({ at: clock.monotonic() - startedAt, turn, step, event, shown, access })
    const more = 1 + ('text' in event ? event.text.length / charactersOfEvent : 0)
    weight += more
    sinceStart += more
    if (weight < 2 * maxWeight) return
    kept = kept.slice(kept.length / 2)
    weight = maxWeight
  }

  const seeClock = () => {
    const by = clock.now() - clock.monotonic() - wallStart
    if (Math.abs(by) < jumpMillis) return
    wallStart += by
    push({ in: 'clock', by })
  }

  const see = (name: HostState | 'followed', is: boolean) => {
    if (states[name] === is) return
    seeClock()
    states[name] = is
    push({ in: name, is })
  }

  const told = (event: Input | KitDecision) => {
    // The kit may have seen a change before this recorder. Only its event tells that a page is left.
    see('online', present(host.online$, true))
    see('visible', present(host.visible$, true))
    see('followed', session.isWatched)
    seeClock()
    if (!('in' in event)) {
      push(seal(event), shownBy(core, event))
      return
    }
    if (event.in === 'timer') {
      // A token store of an app's own may wait for anything, such as Infinity, which is not in JSON.
      if (!repeated.has(event.run) && Math.abs(event.millis) <= maxWaitMillis)
        push({ ...event, due: event.due - startedAt })
      repeated.add(event.run)
      return
    }
    if (event.in === 'held' || event.in === 'unread' || event.in === 'kept') {
      accesses = turns.mark() ? 1 : accesses + 1
      const isOld =
        event.in === 'held'
          ? session.identity.kind !== 'unknown' && isSame(event.tokens, session.stored)
          : event.in === 'kept' && !event.is
      if (!isOld) push(seal(event), undefined, accesses)
      return
    }
    const call = seal(event)
    push(call)
    onAbort(signalOf(event), () => {
      if (!tape) push({ in: 'abort', call })
    })
  }

  begin()
  const ends = [
    listen(transport.clock.tap, told),
    ...hostStates.map(name => {
      const following = host[`${name}$`]?.subscribe(is => {
        see(name, is)
      })
      return () => following?.unsubscribe()
    }),
  ]
  const end = () => {
    if (!tape) {
      tape = { core, names, kept, end: shownNow(core) }
      for (const each of ends) each()
    }
    return tape
  }
  // Before its stores are gone.
  ends.push(onAbort(session.ended, end))
  return end
}
