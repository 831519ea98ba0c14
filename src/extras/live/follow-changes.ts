import { jsonText } from '../../core/values'
import { Observable, Subscription } from 'rxjs'
import { thenSync } from '../../core/promises'
import { toAuthError, misuse } from '../../errors/auth-error'
import type { Owner } from '../../transport/access-token'
import { coreOf, type Core, type Kit } from '../../store/kit-parts'
import { isTouched, toldIn, touchedBy, type PlatformEvent } from './touched-by'

/** The events of this time are applied together: a change often has several. */
const gatherMillis = 100

/** The time for a batch that follows another one. */
const busyMillis = 500

/** More different events than this in one batch count as `missed`. */
const mostTold = 500

/**
 * Loads the stores in use that a change by anyone has touched, as soon as the app's own backend tells of it; stores that are
 * not in use load at their next use. The backend passes the platform's webhooks on, to users who may know of them.
 *
 * `source` connects to the backend and calls `listener` with each event: `{ type, data }` as the platform sends it, with the
 * ids in `data` at least, or its JSON. `{ type: 'missed' }` says that events may have been lost: it loads what any event could
 * have touched. Other events are ignored. Nothing of an event is shown: the page loads with its own permissions.
 *
 * It is called once for each session of a user, and the function that it returns ends that connection: when the session ends,
 * and when the function that `followChanges` returns is called. What `source` throws goes to `onUnhandled`. `changesFrom(url)` is
 * a source for the other half, `changes` of `rxauth/server`.
 *
 * @example
 * followChanges(app, changesFrom('/api/changes'))
 * @example
 * const stop = followChanges(app, listener => {
 *   const socket = new WebSocket('wss://app.example.com/changes')
 *   socket.onopen = () => listener({ type: 'missed' })
 *   socket.onmessage = ({ data }) => listener(data)
 *   return () => socket.close()
 * })
 */
export function followChanges(
  app: Kit,
  source: (listener: (event: unknown) => void, app: Kit) => () => void,
): () => void {
  const core = coreOf(app)
  core.assertAlive()
  if (typeof source !== 'function')
    throw misuse('source', 'is a function that connects to your backend and returns one that ends this')
  const { committedSession } = core
  const watching = new Observable<never>(subscriber => {
    let followed: Owner | undefined
    let connection: Subscription | undefined
    const follow = () => {
      const { identity, kind } = committedSession
      const next = kind === 'user' ? identity.owner : undefined
      if (next === followed) return
      followed = next
      connection?.unsubscribe()
      // Code of the app has run, which may have ended all this.
      if (!next || next !== followed || subscriber.closed) return
      // Known before the source is called, which may do the same.
      connection = new Subscription()
      subscriber.add(connection)
      connect(core, listener => source(listener, app), connection)
    }
    committedSession.listen(subscriber, follow)
    follow()
  }).subscribe()
  return () => {
    watching.unsubscribe()
  }
}

/** Follows the source for one session, until `connection` is closed. */
function connect(
  core: Core,
  source: (listener: (event: unknown) => void) => () => void,
  connection: Subscription,
): void {
  const { clock, cells, committedSession } = core
  /** The events of the next batch by their text, each with its time of arrival. */
  const all = new Map<string, { readonly told: PlatformEvent; readonly at: number }>()
  let cancel: (() => void) | undefined
  let appliedAt = -Infinity

  const apply = () => {
    cancel = undefined
    appliedAt = clock.monotonic()
    const batch = [...all.values()]
    const { userId } = committedSession.identity
    all.clear()
    cells.changedAt = clock.now()
    const touched = batch.flatMap(({ told, at }) => touchedBy(told, userId).map(each => ({ each, at })))
    for (const cell of [...cells]) {
      // A load that has begun since shows the change.
      if (!touched.some(({ each, at }) => cell.loadedAt <= at && isTouched(cell, each))) continue
      // A running load is shown, and another one follows: without end, events must not keep a page from its values.
      if (cell.isWatched || cell.isBusy) cell.load(true, undefined).catch(ignore)
      else cell.known.isStale = true
    }
  }

  const listener = (event: unknown) => {
    const told = connection.closed ? undefined : toldIn(event)
    if (!told) return
    const at = cells.tick()
    if (all.size >= mostTold) {
      all.clear()
      all.set('', { told: missed, at })
    } else all.set(jsonText(told), { told, at })
    cancel ??= clock.setTimeout(apply, clock.monotonic() - appliedAt < 2 * busyMillis ? busyMillis : gatherMillis)
  }

  connection.add(() => cancel?.())
  const failed = (error: unknown) => {
    core.onUnhandled(toAuthError(error))
  }
  // In JavaScript it may be asynchronous.
  void thenSync<unknown, unknown>(
    () => source(listener),
    end => {
      if (typeof end === 'function')
        connection.add(() => {
          void thenSync<unknown, unknown>(end as () => void, ignore, failed)
        })
    },
    failed,
  )
}

const missed: PlatformEvent = { type: 'missed', id: '', userId: '', teamId: '' }

/** The snapshots tell of a load that fails. */
function ignore(): void {}
