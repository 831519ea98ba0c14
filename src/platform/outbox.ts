import type { EmailSender } from './email-tables'
import type { Engine } from './engine'
import type { ProjectRow } from './tables'
import type { MailRow } from './tables'

/** Where the platform's own mail server is. It listens to nobody: it is where mails say that they come from. */
export const localMailServer = { host: '127.0.0.1', port: 2500 } as const

/** An admin is shown this many, the latest. */
const keptEmails = 100

/** Whom the project's mails come from. */
export function senderOf({ displayName, config: { emailConfig } }: ProjectRow): EmailSender {
  const { type, host, port, username, senderName, senderEmail } = emailConfig
  if (type === 'shared')
    return {
      type,
      ...localMailServer,
      username: 'none',
      senderName: displayName,
      senderEmail: 'noreply@localhost',
    }
  return {
    type,
    // A configuration that was checked has all of them; that of a seed is the test's own word.
    host: host ?? localMailServer.host,
    port: port ?? localMailServer.port,
    username: username ?? 'none',
    senderName: senderName ?? displayName,
    senderEmail: senderEmail ?? 'noreply@localhost',
  }
}

/** Puts a mail into the mailbox of its address, whatever mail server the project has: nothing leaves the platform. */
export function post(
  engine: Engine,
  sender: EmailSender,
  letter: Omit<MailRow, 'id' | 'from' | 'sentAt' | 'taken'>,
): void {
  const { database, clock, deliver, afterCommit } = engine
  const from = `${sender.senderName} <${sender.senderEmail}>`
  const mail = database.mails.put({ id: crypto.randomUUID(), from, ...letter, sentAt: clock.now(), taken: false })
  noteSent(engine, sender, letter, null)
  afterCommit(() => deliver(mail))
}

/** Keeps for the project's admins what was sent, or what was not and why; the newest of it. */
export function noteSent(
  { tables: { sentEmails }, clock }: Engine,
  sender: EmailSender,
  { to, subject }: Pick<MailRow, 'to' | 'subject'>,
  error: { readonly message: string } | null,
): void {
  sentEmails.put({ id: crypto.randomUUID(), subject, to: [to], sentAt: clock.now(), sender, error })
  for (const { id } of sentEmails.page('sentAt', { limit: Math.max(0, sentEmails.size - keptEmails) }).rows)
    sentEmails.delete(id)
}
