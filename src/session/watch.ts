import type { Session } from './session'

/** Reads the token store whenever it or another tab says that it may have changed, until the returned function is called. */
export function watchStore(session: Session): () => void {
  const look = () => {
    // A store that cannot be read now says so to the next call that needs it.
    void Promise.resolve(session.sync()).catch(() => undefined)
  }
  const stopListening = session.tabs.listen(({ ended, stale }) => {
    if (ended !== undefined) {
      session.markEnded(ended)
      look()
    }
    if (stale) session.onStale(stale)
  })
  const looking = session.store.changes$?.subscribe(look)
  return () => {
    looking?.unsubscribe()
    stopListening()
  }
}
