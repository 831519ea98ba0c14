import { Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Clock } from '../../core/clock'
import { isVirtual } from '../virtual-clock'
import { toMail } from '../mail'
import type { MailRow } from '../tables'
import { Exchanges } from './exchanges'
import type { Answered } from './exchanges'
import type { LocalEvent, LocalMail, LocalTime, LocalWebhook } from './local-events'
import { movableClock } from './movable-clock'

/** What only the console sends, so that its own requests are not among those of the apps that it shows. */
const consoleHeader = 'x-rxauth-console'

export function isOfConsole(headers: Headers): boolean {
  return headers.has(consoleHeader)
}

/** What a platform keeps and tells for its console. */
export class LocalAccess {
  /** Another one for each platform, also for one that begins with the data of an older one. */
  readonly platformId = crypto.randomUUID()
  readonly exchanges = new Exchanges()
  readonly events$: Observable<LocalEvent>
  /** The platform's: the given one, which can be moved forward. */
  readonly clock: Clock
  /** The same for what leaves the platform: others do not move with it. */
  readonly outerClock: Clock
  readonly #events$ = new Subject<LocalEvent>()
  readonly #move: (millis: number) => void | Promise<void>
  #movedMillis = 0

  constructor(base: Clock) {
    this.events$ = this.#events$.asObservable()
    // What stands still until it is told to move needs no other way.
    const movable = isVirtual(base) ? null : movableClock(base)
    this.clock = movable ?? base
    this.outerClock = movable ? { ...movable, now: () => base.now() } : base
    this.#move = movable
      ? millis => movable.forward(millis)
      : millis => (isVirtual(base) ? base.advance(millis) : undefined)
  }

  get isWatched(): boolean {
    return this.#events$.observed
  }

  get time(): LocalTime {
    return { now: new Date(this.clock.now()).toISOString(), movedMillis: this.#movedMillis }
  }

  async forward(millis: number): Promise<void> {
    this.#movedMillis += millis
    await this.#move(millis)
    this.tell({ type: 'time', time: this.time })
  }

  tellWebhook(projectId: string, { id, type, data }: Omit<LocalWebhook, 'sentAt'>): void {
    this.tell({ type: 'webhook', projectId, webhook: { id, sentAt: this.time.now, type, data } })
  }

  tell(event: LocalEvent): void {
    this.#events$.next(event)
  }

  /** Logs a request, unless it is one of the console's own. */
  note(answered: Answered): void {
    if (isOfConsole(answered.request.headers)) return
    const request = this.exchanges.note(answered)
    if (this.isWatched) this.tell({ type: 'request', request })
  }

  dispose(): void {
    this.#events$.complete()
  }
}

export function toLocalMail(row: MailRow): LocalMail {
  return { ...toMail(row), id: row.id, sentAt: new Date(row.sentAt).toISOString() }
}
