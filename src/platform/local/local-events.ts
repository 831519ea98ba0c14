import type { LoggedRequest } from './exchanges'
import type { PlannedFault } from '../faults'

/**
 * A mail as JSON has it.
 *
 * @example
 * const label = ({ to, subject }: LocalMail) => `${to}: ${subject}`
 */
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

/**
 * The time of a platform.
 *
 * @example
 * const label = ({ now, movedMillis }: LocalTime) => (movedMillis === 0 ? now : `${now} (moved)`)
 */
export interface LocalTime {
  /** ISO 8601. */
  readonly now: string
  /** How far the console has moved it forward. */
  readonly movedMillis: number
}

/**
 * A webhook as `readWebhook` takes it.
 *
 * @example
 * const label = ({ type, id }: LocalWebhook) => `${type} ${id}`
 */
export interface LocalWebhook {
  readonly id: string
  /** ISO 8601. */
  readonly sentAt: string
  readonly type: string
  /** As it stands on the wire. */
  readonly data: unknown
}

/**
 * What a local platform tells at `/__local__/events`: `type` is the name of the event, the rest its data.
 *
 * @example
 * const events = new EventSource('http://localhost:8102/__local__/events')
 * events.addEventListener('mail', ({ data }) => {
 *   const event: LocalEvent = { type: 'mail', ...JSON.parse(data) }
 *   if (event.type === 'mail') console.log(event.mail.subject)
 * })
 */
export type LocalEvent =
  /** The first one. Another `platformId` than before: everything is another one's. */
  | { readonly type: 'hello'; readonly platformId: string; readonly projectId: string }
  | { readonly type: 'mail'; readonly mail: LocalMail }
  | { readonly type: 'request'; readonly request: LoggedRequest }
  | { readonly type: 'webhook'; readonly projectId: string; readonly webhook: LocalWebhook }
  | { readonly type: 'faults'; readonly faults: readonly PlannedFault[] }
  | { readonly type: 'time'; readonly time: LocalTime }
  /** The log of requests was. */
  | { readonly type: 'cleared' }
  /** Everything was replaced: sessions, too. */
  | { readonly type: 'restored' }
