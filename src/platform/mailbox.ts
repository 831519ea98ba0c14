import type { Observable } from 'rxjs'
import { filter, firstValueFrom, map, throwIfEmpty } from 'rxjs'
import { normalizeEmail } from './accounts'
import { toMail } from './mail'
import type { Mail } from './mail'
import type { MailRow, Tables } from './tables'

/** What one address has been sent. */
export interface Mailbox {
  /** Everything so far, oldest first, whether or not `next` has handed it out. */
  readonly messages: readonly Mail[]
  /** The oldest mail that `next` has not handed out yet; waits for one if there is none. */
  next(): Promise<Mail>
}

export function openMailbox(tables: Tables, mail$: Observable<MailRow>, email: string): Mailbox {
  const to = normalizeEmail(email)
  const take = (): Mail | null => {
    const waiting = tables.mails.find(mail => mail.to === to && !mail.taken)
    return waiting ? toMail(tables.mails.patch(waiting.id, { taken: true })) : null
  }
  return {
    get messages() {
      return tables.mails.filter(mail => mail.to === to).map(toMail)
    },
    async next() {
      const waiting = take()
      if (waiting) return waiting
      return firstValueFrom(
        mail$.pipe(
          // Somebody else who waits for the same address may have taken it.
          map(take),
          filter(mail => mail !== null),
          throwIfEmpty(() => new Error(`the platform was disposed before "${email}" got another mail`)),
        ),
      )
    },
  }
}
