import { escapeHtml } from '../http/html'
import type { EmailError, EmailSender, MailRow } from '../model/emails'
import { projectOf, type Engine } from '../model/engine'
import { configOf } from '../model/project-config'
import { themedPage } from './email-themes'
import { readHtml } from './html-text'

/** The mail server that mails name as their sender's. The platform does not listen there. */
export const localMailServer = { host: '127.0.0.1', port: 2500 } as const

const keptEmails = 100

/** How many mails that have gone out or failed stay in the outbox of a project. */
const keptEnded = 1000

/** The sender of the project's mails. */
function senderOf(engine: Engine): EmailSender {
  const project = projectOf(engine)
  const { type, host, port, username, senderName, senderEmail } = configOf(project).emailConfig
  return {
    type,
    // A project with the platform's own server has none of these, and a seed may leave some out.
    host: host ?? localMailServer.host,
    port: port ?? localMailServer.port,
    username: username ?? 'none',
    senderName: senderName ?? project.displayName,
    senderEmail: senderEmail ?? 'noreply@localhost',
  }
}

/** The error of a mail server that refuses connections. */
export function refusalOf({ host, port }: Pick<EmailSender, 'host' | 'port'>): EmailError {
  const message = `The mail server at ${host}, port ${port}, refuses connections.`
  return { message, code: 'ECONNREFUSED', host, port }
}

/** The error of the project's mail server, if it refuses connections. */
export function refusedMail(engine: Engine): string {
  return refusalOf(senderOf(engine)).message
}

/**
 * Puts a mail into the mailbox of its address, whatever the mail server of the project: no mail leaves the platform. Returns
 * false if mail servers refuse connections; the list then has the mail with the error.
 */
export function post(
  engine: Engine,
  letter: Omit<MailRow, 'id' | 'from' | 'sentAt' | 'taken'>,
  sender = senderOf(engine),
): boolean {
  const { database, clock, deliver, afterCommit } = engine
  if (engine.refusesMail()) {
    noteSent(engine, letter, refusalOf(sender), sender)
    return false
  }
  const from = `${sender.senderName} <${sender.senderEmail}>`
  const mail = database.mails.put({ id: crypto.randomUUID(), from, ...letter, sentAt: clock.now(), taken: false })
  noteSent(engine, letter, null, sender)
  afterCommit(() => deliver(mail))
  return true
}

/** Sends HTML of the app in the project's theme. `unsubscribe` adds a link at its end. False if the mail server refuses it. */
export function sendHtml(
  engine: Engine,
  letter: Pick<MailRow, 'to' | 'subject' | 'html'>,
  unsubscribe?: string,
): boolean {
  const { to, subject, html } = letter
  const project = projectOf(engine)
  const wayOut = unsubscribe === undefined ? '' : `\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
  return post(engine, {
    to,
    subject,
    ...readHtml(html + wayOut),
    html: themedPage(project, configOf(project).emailTheme, html, unsubscribe),
    code: null,
  })
}

/** Adds a sent mail, or one that failed with its error, to the list for admins, and drops the oldest ones. */
export function noteSent(
  engine: Engine,
  { to, subject }: Pick<MailRow, 'to' | 'subject'>,
  error: EmailError | null,
  sender = senderOf(engine),
): void {
  const { sentEmails } = engine.tables
  sentEmails.put({ id: crypto.randomUUID(), subject, to: [to], sentAt: engine.clock.now(), sender, error })
  for (const { id } of sentEmails.page('sentAt', { limit: Math.max(0, sentEmails.size - keptEmails) }).rows)
    sentEmails.delete(id)
}

/** Deletes the mails of the outbox that ended first. Waiting mails stay. */
export function pruneOutbox({ tables: { emailOutbox } }: Engine): void {
  if (emailOutbox.size <= keptEnded) return
  for (const { id } of emailOutbox.page('endedAt', { desc: true }).rows.slice(keptEnded)) emailOutbox.delete(id)
}

/** The categories of mails, in the hosted platform's order. */
export const notificationCategories = [
  { id: '7bb82d33-2f54-4a3d-9d23-82739e0d66ef', name: 'Transactional', canDisable: false },
  { id: '4f6f8873-3d04-46bd-8bef-18338b1a1b4c', name: 'Marketing', canDisable: true },
] as const

export type NotificationCategory = (typeof notificationCategories)[number]

/** Whether the user wants mails of the category; true until switched off. */
export function wants({ tables }: Engine, userId: string, { id }: NotificationCategory): boolean {
  return tables.notificationPreferences.get(`${userId} ${id}`)?.enabled ?? true
}

/** Stores the preference, also for categories that cannot be switched off: hiding their switch is the app's job. */
export function setWants({ tables }: Engine, userId: string, categoryId: string, enabled: boolean): void {
  tables.notificationPreferences.put({ id: `${userId} ${categoryId}`, userId, enabled })
}
