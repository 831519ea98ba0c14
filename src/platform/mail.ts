import { normalizeEmail } from './normalize-email'
import { escapeHtml } from './pages/html'
import type { Engine } from './engine'
import { createCode, createCodeRow } from './verification-codes'
import { typedLength } from './tables'
import type { ContactChannelRow, MailRow, ProjectRow, VerificationCodeRow } from './tables'
import type { TeamRow } from './team-tables'

export const senderAddress = 'noreply@localhost'

/** A mail that the platform sent. */
export interface Mail {
  /** The project's display name, and an address that nobody reads. */
  readonly from: string
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
  const { userId, value } = channel
  const code = createCode(engine, 'email-verification', { userId, email: value })
  send(engine, project, {
    to: value,
    subject: `Verify your e-mail address at ${project.displayName}`,
    lead: `Somebody, hopefully you, gave this address to ${project.displayName}. Open this link to confirm it:`,
    link: withCode(callbackUrl, code),
    code,
  })
}

/** Mails a link that signs in, and six characters that do the same in the app that asked; gives the whole code. */
export function sendMagicLink(
  engine: Engine,
  project: ProjectRow,
  email: string,
  callbackUrl: string,
  { linkOnly = false }: { readonly linkOnly?: boolean } = {},
): string {
  const code = createCode(engine, 'magic-link', { email })
  const typed = code.slice(0, typedLength).toUpperCase()
  const { displayName } = project
  send(engine, project, {
    to: normalizeEmail(email),
    subject: linkOnly ? `Sign in to ${displayName}` : `Sign in to ${displayName}: your code is ${typed}`,
    lead: linkOnly
      ? `Open this link to sign in to ${displayName}:`
      : `Type this code where you asked for it, or open the link below to sign in to ${displayName}:`,
    ...(!linkOnly && { typed }),
    link: withCode(callbackUrl, code),
    code: linkOnly ? code : typed,
  })
  return code
}

/** Mails a link that leads to a new password. */
export function sendPasswordReset(
  engine: Engine,
  project: ProjectRow,
  channel: ContactChannelRow,
  callbackUrl: string,
): void {
  const code = createCode(engine, 'password-reset', { userId: channel.userId })
  send(engine, project, {
    to: channel.value,
    subject: `Reset your password at ${project.displayName}`,
    lead: `Somebody, hopefully you, asked for a new password at ${project.displayName}. Open this link to choose it:`,
    link: withCode(callbackUrl, code),
    code,
  })
}

/** Mails a link that makes the user who opens it a member of the team; gives the invitation. */
export function sendInvitation(
  engine: Engine,
  project: ProjectRow,
  team: TeamRow,
  email: string,
  callbackUrl: string,
): VerificationCodeRow {
  const invitation = createCodeRow(engine, 'team-invitation', { teamId: team.id, email })
  send(engine, project, {
    to: normalizeEmail(email),
    subject: `Join ${team.displayName} at ${project.displayName}`,
    lead: `You are invited to the team ${team.displayName} at ${project.displayName}. Open this link to join it:`,
    link: withCode(callbackUrl, invitation.code),
    code: invitation.code,
  })
  return invitation
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
  /** Stands on a line of its own, to be found and copied. */
  readonly typed?: string
  readonly link: string
  readonly code: string | null
}

function send(engine: Engine, project: ProjectRow, letter: Letter): void {
  const { to, subject, lead, typed, link, code } = letter
  const above = typed === undefined ? [lead] : [lead, typed]
  const paragraphs = above.map(each => `<p>${escapeHtml(each)}</p>\n`).join('')
  post(engine, {
    from: `${project.displayName} <${senderAddress}>`,
    to,
    subject,
    text: `${[...above, link].join('\n\n')}\n`,
    html: `${paragraphs}<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>\n`,
    links: [link],
    code,
  })
}

/** Puts a mail into the mailbox of its address. */
export function post(
  { database, clock, deliver, afterCommit }: Engine,
  letter: Omit<MailRow, 'id' | 'sentAt' | 'taken'>,
): void {
  const mail = database.mails.put({ id: crypto.randomUUID(), ...letter, sentAt: clock.now(), taken: false })
  afterCommit(() => deliver(mail))
}
