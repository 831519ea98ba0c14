import type { Engine } from './engine'
import { createCode } from './verification-codes'
import type { ContactChannelRow, MailRow, ProjectRow } from './tables'

/** A mail that the platform sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Every link in it, in order. */
  readonly links: readonly string[]
  /** The six characters that a person types, else the code in its link. */
  readonly code: string | null
  readonly sentAt: Date
}

/** Mails a link that proves that the address is read: the callback URL with a `code`. */
export function sendVerification(
  engine: Engine,
  project: ProjectRow,
  channel: ContactChannelRow,
  callbackUrl: string,
): void {
  const code = createCode(engine, 'email-verification', {
    projectId: project.id,
    userId: channel.userId,
    contactChannelId: channel.id,
  })
  send(engine, {
    to: channel.value,
    subject: `Verify your e-mail address at ${project.displayName}`,
    lead: `Somebody, hopefully you, gave this address to ${project.displayName}. Open this link to confirm it:`,
    link: withCode(callbackUrl, code),
    code,
  })
}

/** A callback URL with the code in its query, where the app's handler page looks for it. */
export function withCode(callbackUrl: string, code: string): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('code', code)
  return url.href
}

export function toMail({ sentAt, taken: _taken, id: _id, ...mail }: MailRow): Mail {
  return { ...mail, sentAt: new Date(sentAt) }
}

interface Letter {
  readonly to: string
  readonly subject: string
  readonly lead: string
  readonly link: string
  readonly code: string | null
}

function send({ tables, clock, deliver }: Engine, { to, subject, lead, link, code }: Letter): void {
  const mail = tables.mails.put({
    id: crypto.randomUUID(),
    to,
    subject,
    text: `${lead}\n\n${link}\n`,
    html: `<p>${escapeHtml(lead)}</p>\n<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>\n`,
    links: [link],
    code,
    sentAt: clock.now(),
    taken: false,
  })
  deliver(mail)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
