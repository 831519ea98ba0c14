import { normalizeEmail } from './normalize-email'
import { authChannelOf } from './accounts'
import type { EmailTemplateType } from '../admin/email-templates'
import { composeEmail } from './email-templates'
import type { EmailVariables } from './email-variables'
import type { Engine } from './engine'
import { post, senderOf } from './outbox'
import { createCode, createCodeRow } from './verification-codes'
import { typedLength } from './tables'
import type { ContactChannelRow, MailRow, ProjectRow, VerificationCodeRow } from './tables'
import type { TeamRow } from './team-tables'

/**
 * A mail that the platform sent.
 *
 * @example
 * const linkIn = (mail: Mail) => mail.links[0]
 */
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
  send(engine, project, 'email_verification', value, code, {
    userDisplayName: nameOf(engine, userId),
    emailVerificationLink: withCode(callbackUrl, code),
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
  send(engine, project, 'magic_link', normalizeEmail(email), linkOnly ? code : typed, {
    userDisplayName: nameOf(engine, authChannelOf(engine, email)?.userId),
    ...(!linkOnly && { otp: typed }),
    magicLink: withCode(callbackUrl, code),
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
  send(engine, project, 'password_reset', channel.value, code, {
    userDisplayName: nameOf(engine, channel.userId),
    passwordResetLink: withCode(callbackUrl, code),
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
  send(engine, project, 'team_invitation', normalizeEmail(email), invitation.code, {
    teamDisplayName: team.displayName,
    teamInvitationLink: withCode(callbackUrl, invitation.code),
  })
  return invitation
}

/** Mails a link to the app, for a person to sign in there; it has no code. */
export function sendSignInInvitation(engine: Engine, project: ProjectRow, email: string, callbackUrl: string): void {
  send(engine, project, 'sign_in_invitation', normalizeEmail(email), null, { signInInvitationLink: callbackUrl })
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

function send(
  engine: Engine,
  project: ProjectRow,
  type: EmailTemplateType,
  to: string,
  code: string | null,
  variables: EmailVariables,
): void {
  post(engine, senderOf(project), { to, code, ...composeEmail(engine, project, type, variables) })
}

function nameOf({ tables }: Engine, userId: string | undefined): string | undefined {
  return (userId !== undefined && tables.users.get(userId)?.displayName) || undefined
}
