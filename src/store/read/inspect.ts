import type { Observable } from 'rxjs'
import { coreOf, type Kit } from '../kit-parts'
import type { TraceEvent } from '../../transport/transport'

/**
 * Every request, retry, refresh and commit with its cause, without secrets. Costs nothing without subscribers.
 *
 * @example
 * app.trace$.subscribe(event => {
 *   if (event.type === 'request') console.log(event.method, event.path, event.status, event.millis)
 * })
 */
export function trace$(kit: Kit<never>): Observable<TraceEvent> {
  return coreOf(kit).transport.trace.events$
}

/** Counts of what a kit is doing. If all are zero, it costs nothing and keeps no process running. */
export interface Inspection {
  /**
   * Subscribers, listeners and components that watch stores, the session, a sign-in or the trace. Derived stores watch too:
   * a subscriber of a store that reads two others counts as three, one of `auth$` as two, since it watches session and user.
   */
  readonly subscriptions: number
  readonly timers: number
  /** Stores that are loading or awaited by a caller. */
  readonly loads: number
  /** Stores with a cached value or with watchers. */
  readonly cells: number
}

/**
 * Counts what a kit is doing: for tests, and to find missing unsubscribes.
 *
 * @example
 * const { subscriptions, timers } = app.inspect()
 */
export function inspect(kit: Kit<never>): Inspection {
  const { cells, commits, committedSession, clock, transport } = coreOf(kit)
  const all = [...cells]
  const counts = [...all.map(cell => cell.watchers), ...[...commits.dependents].map(({ watchers }) => watchers.count)]
  const watchers = counts.reduce((sum, count) => sum + count, 0)
  return {
    subscriptions: watchers + committedSession.listeners + transport.trace.listeners,
    timers: clock.running,
    loads: all.filter(cell => cell.isBusy).length,
    cells: all.length,
  }
}
