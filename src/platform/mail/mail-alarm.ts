import { maxWaitMillis } from '../../core/clock'
import type { Clock } from '../../core/clock'
import { inUnit } from '../model/engine'
import type { PlatformServices } from '../model/engine'
import { nextDueAt, sendDueMails } from './mail-queue'

/** Sends the mails of a platform at their times; each sending is `tracked` like a request. */
export function mailAlarm(host: PlatformServices, tracked: (run: () => Promise<void>) => Promise<void>): MailAlarm {
  const send = () => inUnit(host, sendDueMails)
  return new MailAlarm(
    host.clock,
    () => nextDueAt(host.journal.committed),
    () => tracked(send),
  )
}

/** Runs a task when the next mail is due. */
class MailAlarm {
  readonly #clock: Clock
  readonly #nextAt: () => number | undefined
  readonly #send: () => Promise<void>
  #cancel: () => void = () => undefined
  #hasEnded = false

  /** `nextAt` says when the next mail is due; `send` sends all that are. */
  constructor(clock: Clock, nextAt: () => number | undefined, send: () => Promise<void>) {
    this.#clock = clock
    this.#nextAt = nextAt
    this.#send = send
  }

  /** Called whenever the mails that wait may have changed. */
  readonly set = (): void => {
    this.#cancel()
    const at = this.#hasEnded ? undefined : this.#nextAt()
    if (at === undefined) return
    const millis = Math.min(Math.max(0, at - this.#clock.now()), maxWaitMillis)
    this.#cancel = this.#clock.setTimeout(() => void this.#ring(), millis, { keepAlive: false })
  }

  end(): void {
    this.#hasEnded = true
    this.#cancel()
  }

  async #ring(): Promise<void> {
    // `#send` rejects only after the end of the platform.
    await this.#send().catch(() => undefined)
    this.set()
  }
}
