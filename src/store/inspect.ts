import type { Observable } from 'rxjs'
import { coreOf } from './kit'
import type { Kit } from './kit'
import type { TraceEvent } from '../transport/trace'

/** Every request, retry, refresh and commit with its cause; nothing in it needs hiding. Costs nothing while nobody listens. */
export function trace$(kit: Kit<never>): Observable<TraceEvent> {
  return coreOf(kit).transport.trace.events$
}

/** What a kit has going on. All zero: it costs nothing, and keeps no process running. */
export interface Inspection {
  /** Subscribers, listeners and components that are watching stores, the session or the trace. */
  readonly subscriptions: number
  readonly timers: number
  /** Stores that are loading, or that somebody waits for. */
  readonly loads: number
  /** Stores with a cached value or somebody interested in one. */
  readonly cells: number
}

/** Counts what a kit has going on now: for tests, and for finding out who forgot to unsubscribe. */
export function inspect(kit: Kit<never>): Inspection {
  const { cells, sessionState, clock } = coreOf(kit)
  const all = [...cells]
  return {
    subscriptions: all.reduce((sum, cell) => sum + cell.use.watchers, 0) + sessionState.listeners,
    timers: clock.running,
    loads: all.filter(cell => cell.use.isBusy).length,
    cells: all.length,
  }
}
