import { Subject, type Observable } from 'rxjs'
import type { Clock } from '../../core/clock'
import { isVirtual, movableClock, type MovableClock } from '../test-tools/virtual-clock'
import { toMail } from '../mail/mail'
import type { MailRow } from '../model/emails'
import { Exchanges, type AnsweredExchange, type LoggedRequest } from './exchanges'
import type { PlannedFault } from '../test-tools/faults'

/** A header that only the console sends, so that the request log leaves its requests out. */
const consoleHeader = 'x-rxauth-console'

export function isOfConsole(headers: Headers): boolean {
  return headers.has(consoleHeader)
}

const isMovable = (clock: Clock): clock is MovableClock => 'movedMillis' in clock

/** The data that the platform's console shows. */
export class LocalAccess {
  /** Different for each platform, also for one that starts with the data of an older one. */
  readonly platformId = crypto.randomUUID()
  readonly exchanges = new Exchanges()
  readonly events$: Observable<LocalEvent>
  /** The platform's clock: the given one, which can be moved forward here. */
  readonly clock: Clock
  /** The given clock, never moved, for timeouts of real connections. */
  readonly outerClock: Clock
  readonly #events$ = new Subject<LocalEvent>()
  readonly #move: (millis: number) => void | Promise<void>
  #movedMillis = 0
  #changedAt = -Infinity

  constructor(base: Clock) {
    this.events$ = this.#events$.asObservable()
    if (isVirtual(base)) {
      this.clock = this.outerClock = base
      this.#move = millis => base.advance(millis)
      return
    }
    const movable = isMovable(base) ? base : movableClock(base)
    this.clock = movable
    this.outerClock = { ...movable, now: () => movable.now() - movable.movedMillis }
    this.#move = millis => movable.forward(millis)
  }

  get time(): LocalTime {
    return { now: new Date(this.clock.now()).toISOString(), movedMillis: this.#movedMillis }
  }

  async forward(millis: number): Promise<void> {
    this.#movedMillis += millis
    await this.#move(millis)
    this.tell({ type: 'time', time: this.time })
  }

  /** The time since the last change that caused a webhook. */
  get millisSinceChange(): number {
    return this.outerClock.monotonic() - this.#changedAt
  }

  tellWebhook(projectId: string, { id, type, data }: Omit<LocalWebhook, 'sentAt'>): void {
    this.#changedAt = this.outerClock.monotonic()
    this.tell({ type: 'webhook', projectId, webhook: { id, sentAt: this.time.now, type, data } })
  }

  tell(event: LocalEvent): void {
    this.#events$.next(event)
  }

  /** Logs a request, except those of the console. */
  note(answered: AnsweredExchange): void {
    if (isOfConsole(answered.request.headers)) return
    const request = this.exchanges.note(answered)
    if (this.#events$.observed) this.tell({ type: 'request', request })
  }

  dispose(): void {
    this.#events$.complete()
  }
}

export function toLocalMail(row: MailRow): LocalMail {
  return { ...toMail(row), id: row.id, sentAt: new Date(row.sentAt).toISOString() }
}

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
