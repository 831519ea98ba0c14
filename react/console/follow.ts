import { readWebhook, type AdminApp } from 'rxauth/admin'
import { events$ } from './local/live'

/** Applies the project's events to the stores of the app as they arrive; returns a function that stops it. */
export function follow(app: AdminApp, projectId: string): () => void {
  const subscription = events$.subscribe(event => {
    if (event.type !== 'webhook' || event.projectId !== projectId) return
    // A store that could not be loaded shows its own error.
    app.applyWebhook(readWebhook(event.webhook)).catch(() => undefined)
  })
  return () => subscription.unsubscribe()
}
