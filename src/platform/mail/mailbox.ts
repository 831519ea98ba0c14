import { parseUrl } from '../../core/urls'
import type { Observable } from 'rxjs'
import { filter, firstValueFrom, map, throwIfEmpty } from 'rxjs'
import { toMail } from './mail'
import type { Mail } from './mail'
import { normalizeEmail } from '../model/users'
import type { MailRow } from '../model/emails'
import type { PlatformJournal } from '../model/tables'

/** The mails sent to one address. */
export interface Mailbox {
  /** Every mail so far, oldest first, also those that `next` has returned. */
  readonly messages: readonly Mail[]
  /** The oldest mail that `next` has not returned yet; waits for one if there is none. */
  next(): Promise<Mail>
}

/** Options of a mailbox. */
export interface MailboxOptions {
  /** Opens every link of a mail before `next` returns it, as mail scanners do. */
  readonly scanner?: boolean
  /** Called by the scanner with links to the app; without it such links are not opened. */
  readonly open?: (url: string) => unknown
}

export function openMailbox(
  journal: PlatformJournal,
  mail$: Observable<MailRow>,
  email: string,
  scan: (mail: Mail) => Promise<void> = async () => undefined,
): Mailbox {
  const to = normalizeEmail(email)
  const take = (): Mail | null => {
    const waiting = journal.committed.mails.first('waitingFor', to)
    return waiting ? toMail(journal.runNow(({ mails }) => mails.patch(waiting.id, { taken: true }))) : null
  }
  const wait = () =>
    firstValueFrom(
      mail$.pipe(
        // Another pending `next` may have taken the mail.
        map(take),
        filter(mail => mail !== null),
        throwIfEmpty(() => new Error(`the platform was disposed before "${email}" got another mail`)),
      ),
    )
  return {
    get messages() {
      return journal.committed.mails.by('to', to).map(toMail)
    },
    async next() {
      const mail = take() ?? (await wait())
      await scan(mail)
      return mail
    },
  }
}

/** Opens the links of a mail: the platform's own with its handler, others with the caller's `open`. */
export function linkOpener(
  handle: (request: Request) => Promise<Response>,
  baseUrl: string,
  open: MailboxOptions['open'],
): (mail: Mail) => Promise<void> {
  return async ({ links }) => {
    for (const link of links) {
      const url = parseUrl(link)
      // A relative link leads nowhere from a mail.
      if (url) await (url.origin === new URL(baseUrl).origin ? handle(new Request(link)) : open?.(link))
    }
  }
}
