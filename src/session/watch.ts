import type { Host } from '../core/host'
import type { Listeners } from '../core/listeners'
import type { TabMessage, Tabs } from './tabs'
import type { GuardedStore } from './guarded-store'

/** The parts of the session that the watch of a token store uses. */
export interface Watchable {
  readonly store: GuardedStore
  readonly tabs: Tabs
  readonly host: Host
  hearsChanges: boolean
  sync(): void | Promise<void>
  markEnded(sessionId: string): void
  readonly stale: Listeners<[message: NonNullable<TabMessage['stale']>]>
}

/**
 * Reads the token store whenever it or another tab reports a change, until the returned function is called.
 *
 * While the page is in the browser's back-forward cache nothing is held that would keep it out: no channel, no subscription.
 * When it comes back the store is read at once, before the page shows anything.
 */
export function watchStore(session: Watchable): () => void {
  // The next call that needs the store reports a failure to read it.
  const ignore = () => undefined
  const read = async () => session.sync()
  const look = () => void read().catch(ignore)
  let stop: (() => void) | undefined
  const start = () => {
    const stopListening = session.tabs.listen(({ ended, stale }) => {
      if (ended !== undefined) {
        session.markEnded(ended)
        look()
      }
      if (stale) session.stale.tell(stale)
    })
    const stopLooking = subscribed(session, look)
    stop = () => {
      stop = undefined
      stopLooking()
      stopListening()
    }
  }
  start()
  const turning = session.host.shown$?.subscribe(isShown => {
    if (!isShown) stop?.()
    else if (!stop) {
      look()
      start()
    }
  })
  return () => {
    turning?.unsubscribe()
    stop?.()
  }
}

/** Without reported changes, the session reads the store on each use. */
function subscribed(session: Watchable, look: () => void): () => void {
  const end = () => {
    session.hearsChanges = false
  }
  try {
    const { changes$ } = session.store
    session.hearsChanges = changes$ !== undefined
    const looking = changes$?.subscribe({ next: look, error: end, complete: end })
    return () => {
      end()
      looking?.unsubscribe()
    }
  } catch {
    end()
    return end
  }
}
