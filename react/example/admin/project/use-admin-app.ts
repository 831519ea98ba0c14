import { useMemo, useSyncExternalStore } from 'react'
import type { ClientApp } from 'rxauth'
import { createAdminApp, readWebhook } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { useApp } from 'rxauth/react'
import { refreshOn } from '../owner'

/** A kit that runs the project with the rights of the signed-in user, as long as the component is mounted; null before. */
export function useAdminApp(projectId: string): AdminApp | null {
  const owner = useApp()
  const { listen, read } = useMemo(() => life(owner, projectId), [owner, projectId])
  return useSyncExternalStore(listen, read)
}

/** Shows in the stores of the app what happens in the project elsewhere, when it happens; returns what ends that. */
function follow(app: AdminApp, projectId: string): () => void {
  // The browser sends the owner's cookies along, and connects again when the connection is lost.
  const events = new EventSource(`/api/project-events/${projectId}`)
  events.onmessage = ({ data }) => {
    // What could not be loaded says so where it is shown.
    app.applyWebhook(readWebhook(data)).catch(() => undefined)
  }
  return () => {
    events.close()
  }
}

/** Made when the component mounts, which a render alone may never do; in strict mode once more. */
function life(owner: ClientApp, projectId: string) {
  let app: AdminApp | null = null
  return {
    read: () => app,
    listen: (tell: () => void) => {
      app = createAdminApp({ owner, projectId, refreshOn })
      const leave = follow(app, projectId)
      tell()
      return () => {
        leave()
        app?.dispose()
        app = null
      }
    },
  }
}
