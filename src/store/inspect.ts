import type { Observable } from 'rxjs'
import { coreOf } from './kit'
import type { Kit } from './kit'
import type { TraceEvent } from '../transport/trace'

/**
 * Every request, retry, refresh and commit with its cause; nothing in it needs hiding. Costs nothing while nobody listens.
 *
 * @example
 * app.trace$.subscribe(event => {
 *   if (event.type === 'request') console.log(event.method, event.path, event.status, event.millis)
 * })
 */
export function trace$(kit: Kit<never>): Observable<TraceEvent> {
  return coreOf(kit).transport.trace.events$
}

/**
 * What a kit has going on. All zero: it costs nothing, and keeps no process running.
 *
 * @example
 * const isIdle = ({ loads, subscriptions, timers }: Inspection) => loads + subscriptions + timers === 0
 * isIdle(app.inspect())
 */
export interface Inspection {
  /**
   * Subscribers, listeners and components that watch stores, the session, a sign-in or the trace. What is derived watches in
   * its turn: one of a store that reads two others counts as three, and `auth$` as two, since it watches session and user.
   */
  readonly subscriptions: number
  readonly timers: number
  /** Stores that are loading, or that somebody waits for. */
  readonly loads: number
  /** Stores with a cached value or somebody interested in one. */
  readonly cells: number
}

/**
 * Counts what a kit has going on now: for tests, and for finding out who forgot to unsubscribe.
 *
 * @example
 * const { subscriptions, timers } = app.inspect()
 */
export function inspect(kit: Kit<never>): Inspection {
  const { cells, commits, sessionState, clock, transport } = coreOf(kit)
  const all = [...cells]
  const counts = [
    ...all.map(cell => cell.use.watchers),
    ...[...commits.dependents].map(({ watchers }) => watchers.count),
  ]
  const watchers = counts.reduce((sum, count) => sum + count, 0)
  return {
    subscriptions: watchers + sessionState.listeners + transport.trace.listeners,
    timers: clock.running,
    loads: all.filter(cell => cell.use.isBusy).length,
    cells: all.length,
  }
}
