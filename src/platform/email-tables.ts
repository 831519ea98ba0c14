import type { Row } from './data/table'

/** A mail that the project has written itself; its id is the template's type. */
export interface EmailTemplateRow extends Row {
  readonly subject: string
  readonly content: unknown
}

/** Whom a mail comes from, and by which server; the server's password is kept with the project only. */
export interface EmailSender {
  readonly type: 'shared' | 'standard'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly senderName: string
  readonly senderEmail: string
}

/** A mail that was sent, or was to be: what admins read of it. */
export interface SentEmailRow extends Row {
  readonly subject: string
  readonly to: readonly string[]
  readonly sentAt: number
  readonly sender: EmailSender
  /** Why it was not sent; null: it was. */
  readonly error: { readonly message: string } | null
}
