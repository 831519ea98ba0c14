import { EventSource } from 'eventsource'
import { followChanges, liveConnection } from 'rxauth'
import type { ClientApp } from 'rxauth'

/**
 * Others' changes show within a second: the backend tells of them, and the stores in use that they touch load again.
 * A hidden page has no connection: for all tabs of an origin, a browser has six over HTTP/1.1.
 */
export function live(app: ClientApp): () => void {
  return followChanges(app, listener => {
    /** How far this page is, in the backend's words. */
    let after = ''
    const connect = () =>
      liveConnection(app, (token, signal) => {
        const source = new EventSource(new URL(`/api/changes?after=${after}`, location.href), {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
        })
        const take = ({ lastEventId, data }: MessageEvent<string>) => {
          after = lastEventId
          listener(data)
        }
        // A beat says only that nothing else has happened.
        source.addEventListener('beat', take, { signal })
        source.addEventListener('message', take, { signal })
        return source
      })
    let connection = document.hidden ? undefined : connect()
    const change = () => {
      if (!document.hidden) connection ??= connect()
      else {
        connection?.close()
        connection = undefined
      }
    }
    document.addEventListener('visibilitychange', change)
    return () => {
      document.removeEventListener('visibilitychange', change)
      connection?.close()
    }
  })
}
