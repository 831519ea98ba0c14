import { readWebhook } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'

/** Shows in the stores of the app what happens in the project elsewhere, when it happens; returns what ends that. */
export function follow(app: AdminApp, projectId: string): () => void {
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
