import { Subscription } from 'rxjs'
import { momentOf } from '../../core/clock'
import { present } from '../../core/host'
import { onAbort } from '../../core/signals'
import type { KitDecision, Input } from '../../core/tap'
import { orUndefined } from '../../core/values'
import { isSame } from '../../session/token-store'
import { coreOf, type Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { KeptEvent, Recording, Tape, ToldFields } from './tape'
import { sealed } from './seal'
import { shownNow, stateOf } from './state'
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

const maxWeight = 4000
const restlessWeight = 5000
/** Characters of an answer that count as an event. */
const charactersOfEvent = 1000

/** Keeps what a kit is told and decides, until the returned function is called. Whatever can wait is left to the writing. */
function recorded(core: Core): () => Tape {
  const { clock, host, session } = core
  const { tap } = clock
  // Several recordings of one app may overlap.
  const all = (tap.listeners ??= new Set())
  const turns = new TurnNumbers()
  /** The last events, from a moment of rest on where there was one, and the 4,000 or more before them. */
  let kept: KeptEvent[] = []
  let older: KeptEvent[] = []
  let weight = 0
  /** Whether `kept` has a moment of rest. */
  let canBePlayed: boolean | undefined
  let accesses = 0
  /** Functions that a timer has run before, such as a poll: not their runs are recorded, but what they see. */
  const repeated = new WeakSet<() => void>()
  let tape: Tape | undefined

  /** The state of the page and its clock, of which the kit does not tell. */
  const look = () =>
    [
      present(host.online$, true),
      present(host.visible$, true),
      session.isWatched,
      Math.floor((clock.now() - clock.monotonic()) / 100),
    ].join()
  let seen = look()

  const keep = (event: KeptEvent['event'], shown?: KeptEvent['shown']) => {
    kept.push({
      ...momentOf(clock),
      ...(turns as Pick<TurnNumbers, 'turn' | 'step'>),
      accesses,
      seen: (seen = look()),
      event,
      shown,
    })
  }

  const begin = () => {
    older = kept
    kept = []
    weight = 0
    canBePlayed = false
  }

  const mark = () => {
    if (!turns.mark()) return
    accesses = 0
    const isFull = weight >= maxWeight
    const start = (isFull || !canBePlayed) && stateOf(core)
    if (!start) return
    if (isFull) begin()
    canBePlayed = true
    keep({ start })
  }

  const push = (event: KeptEvent['event'], shown?: KeptEvent['shown'], text = '') => {
    mark()
    keep(event, shown)
    weight += 1 + text.length / charactersOfEvent
    // Not at rest for so long.
    if (weight > restlessWeight) begin()
  }

  const looked = () => {
    if (seen !== look()) push({ in: 'look' })
  }

  const told = (event: Input | KitDecision) => {
    const { in: name = '', run, tokens, is, text, stores, given, signal = given?.at(-1)?.signal } = event as ToldFields
    if (run) {
      if (repeated.has(run)) return
      repeated.add(run)
    }
    if (['held', 'unread', 'kept'].includes(name)) {
      mark()
      const isOld =
        tokens === undefined ? is === false : session.identity.kind !== 'unknown' && isSame(tokens, session.stored)
      if (isOld) looked()
      accesses++
      if (isOld) return
    }
    // Cycles, and values that are nested too deeply, have no form.
    const call = orUndefined(() => sealed(event)) ?? { in: 'look' as const }
    push(call, stores && shownNow(core, stores), text)
    onAbort(signal, () => tape ?? push({ in: 'abort', call }))
  }

  mark()
  all.add(told)
  tap.tell = event => {
    for (const each of all) each(event)
  }
  // A kit may tell of no change: a page may be hidden and shown again before its next event.
  const following = new Subscription()
  following.add(host.visible$?.subscribe(looked))
  following.add(host.online$?.subscribe(looked))
  following.add(host.shown$?.subscribe(is => push({ in: 'shown', is })))
  const end = () => {
    following.unsubscribe()
    all.delete(told)
    if (!all.size) tap.tell = undefined
    return (tape ??= { core, kept: [...older, ...kept], end: shownNow(core) })
  }
  // Before its stores are gone.
  following.add(onAbort(session.ended, end))
  return end
}
