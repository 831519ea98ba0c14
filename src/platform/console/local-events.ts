import type { LoggedRequest } from './exchanges'
import type { PlannedFault } from '../test-tools/faults'

/** A mail as JSON. */
export interface LocalMail {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
  readonly code: string | null
  /** ISO 8601. */
  readonly sentAt: string
}

/** The platform's present time. */
export interface LocalTime {
  /** ISO 8601. */
  readonly now: string
  /** How far the console has moved the clock forward. */
  readonly movedMillis: number
}

/** A webhook in the form that `readWebhook` reads. */
export interface LocalWebhook {
  readonly id: string
  /** ISO 8601. */
  readonly sentAt: string
  readonly type: string
  /** In wire names. */
  readonly data: unknown
}

/** An event of a local platform at `/__local__/events`: `type` is the event's name, the rest its data. */
export type LocalEvent =
  /** The first event. Another `platformId` than before means another platform: everything is to be read anew. */
  | { readonly type: 'hello'; readonly platformId: string; readonly projectId: string }
  | { readonly type: 'mail'; readonly mail: LocalMail }
  | { readonly type: 'request'; readonly request: LoggedRequest }
  | { readonly type: 'webhook'; readonly projectId: string; readonly webhook: LocalWebhook }
  | { readonly type: 'faults'; readonly faults: readonly PlannedFault[] }
  | { readonly type: 'time'; readonly time: LocalTime }
  /** The request log was cleared. */
  | { readonly type: 'cleared' }
  /** All data was replaced, sessions included. */
  | { readonly type: 'restored' }
