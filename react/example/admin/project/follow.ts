import { readWebhook, type AdminApp } from 'rxauth/admin'

/** Applies the project's events to the stores of the app as they arrive; returns a function that stops it. */
export function follow(app: AdminApp, projectId: string): () => void {
  // The browser sends the owner's cookies, and reconnects when the connection is lost.
  const events = new EventSource(`/api/project-events/${projectId}`)
  events.onmessage = ({ data }) => {
    // A store that could not be loaded shows its own error.
    app.applyWebhook(readWebhook(data)).catch(() => undefined)
  }
  return () => {
    events.close()
  }
}
