import type { Session } from './session'

/** Reads the token store whenever it or another tab says that it may have changed, until the returned function is called. */
export function watchStore(session: Session): () => void {
  // A store that cannot be read now says so to the next call that needs it.
  const ignore = () => undefined
  const read = async () => session.sync()
  const look = () => void read().catch(ignore)
  const stopListening = session.tabs.listen(({ ended, stale }) => {
    if (ended !== undefined) {
      session.markEnded(ended)
      look()
    }
    if (stale) session.onStale(stale)
  })
  const stopLooking = subscribed(session, look)
  return () => {
    stopLooking()
    stopListening()
  }
}

/** Where changes are not told, or no longer, the session reads the store whenever it is used. */
function subscribed(session: Session, look: () => void): () => void {
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
