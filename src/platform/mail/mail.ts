import { normalizeEmail, type ContactChannelRow } from '../model/users'
import { authChannelOf } from '../directory/users'
import type { EmailTemplateType } from '../../entities/email-templates/admin'
import { composeEmail, templateIdOf } from './email-templates'
import type { EmailVariables } from './email-blocks'
import { queueMail } from './mail-queue'
import type { Engine } from '../model/engine'
import { hostedFailure } from '../model/refusal'
import { notificationCategories, post, pruneOutbox, refusedMail } from './outbox'
import { requireTemplate, selectedTheme } from './tsx-mail'
import { createCode } from '../directory/verification-codes'
import type { MailRow, OutboxRow } from '../model/emails'
import { parseUrl } from '../../core/urls'
import { filter, firstValueFrom, map, throwIfEmpty, type Observable } from 'rxjs'
import type { PlatformJournal } from '../model/tables'

/** A mail that the platform sent. */
export interface Mail {
  /** The project's display name and the platform's no-reply address. */
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Every link in it, in order. */
  readonly links: readonly string[]
  /** The six characters to type, else the code in the mail's link. */
  readonly code: string | null
  readonly sentAt: Date
}

/**
 * Mails a link that verifies the address: the callback URL with a `code`. If the mail is sent in the background and is refused,
 * the call succeeds all the same.
 */
export function sendVerification(
  engine: Engine,
  channel: ContactChannelRow,
  callbackUrl: string,
  { inBackground = false }: { readonly inBackground?: boolean } = {},
): Promise<unknown> {
  const { userId, value } = channel
  const code = createCode(engine, 'email-verification', { userId, email: value })
  const mail = inBackground ? trySend : send
  return mail(engine, 'email_verification', value, code, {
    userDisplayName: nameOf(engine, userId),
    emailVerificationLink: withCode(callbackUrl, code),
  })
}

/** The callback URL with the code in its query, where the app's handler page reads it. */
export function withCode(callbackUrl: string, code: string): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('code', code)
  return url.href
}

export function toMail({ sentAt, taken: _taken, id: _id, ...mail }: MailRow): Mail {
  return { ...mail, sentAt: new Date(sentAt) }
}

/** Sends a mail for which the call waits. If the mail is refused, the error in the list of mails and the code stay. */
export async function send(engine: Engine, ...letter: Letter): Promise<void> {
  if ((await trySend(engine, ...letter)) || engine.rules.queuesMails) return
  engine.keep()
  throw hostedFailure(refusedMail(engine))
}

type Letter = [type: EmailTemplateType, to: string, code: string | null, variables: EmailVariables]

async function trySend(engine: Engine, ...[type, to, code, variables]: Letter): Promise<boolean> {
  const { rules, tables } = engine
  if (rules.hasNewerAnswers && tables.tsxTemplates.get(templateIdOf(type))) {
    await queueMail(engine, { ...outboxRow(engine, type, to), secret: { code, variables } })
    pruneOutbox(engine)
    return true
  }
  const composed = composeEmail(engine, type, variables)
  const isSent = post(engine, { to, code, ...composed })
  if (rules.hasNewerAnswers) {
    // A mail in the words of the platform has ended when it is written into the outbox.
    const { subject, html, text } = composed
    const at = engine.clock.now()
    tables.emailOutbox.put({
      ...{ ...outboxRow(engine, type, to), subject },
      rendered: { at, subject, html, text, categoryId: transactional.id },
      outcome: isSent ? { status: 'sent', at } : { status: 'server-error', at, reason: refusedMail(engine) },
    })
    pruneOutbox(engine)
  }
  return isSent
}

const [transactional] = notificationCategories

function outboxRow(engine: Engine, type: EmailTemplateType, to: string): OutboxRow {
  const now = engine.clock.now()
  const { id: templateId, tsxSource } = requireTemplate(engine, templateIdOf(type))
  const userId = authChannelOf(engine, to)?.userId
  return {
    id: crypto.randomUUID(),
    ...{ createdAt: now, updatedAt: now, scheduledAt: now, tsxSource, templateId, draftId: null, origin: '' },
    themeId: selectedTheme(engine),
    to:
      userId === undefined
        ? { type: 'custom-emails', emails: [to] }
        : { type: 'user-custom-emails', userId, emails: [to] },
    variables: {},
    ...{ skipDeliverabilityCheck: true, isPaused: false, isHighPriority: true, category: transactional.name },
    ...{ subject: null, rendered: null, outcome: null },
  }
}

/** The name of the user, if there is one. */
export function nameOf({ tables }: Engine, userId: string): string | undefined {
  return tables.users.get(userId)?.displayName || undefined
}

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
