import { readWebhook } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { events$ } from './local/live'

/** Shows in the stores of the app what happens in the project elsewhere, when it happens; returns what ends that. */
export function follow(app: AdminApp, projectId: string): () => void {
  const subscription = events$.subscribe(event => {
    if (event.type !== 'webhook' || event.projectId !== projectId) return
    // What could not be loaded says so where it is shown.
    app.applyWebhook(readWebhook(event.webhook)).catch(() => undefined)
  })
  return () => subscription.unsubscribe()
}
