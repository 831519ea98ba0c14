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
  const looking = session.store.changes$?.subscribe({ next: look, error: ignore })
  return () => {
    looking?.unsubscribe()
    stopListening()
  }
}
