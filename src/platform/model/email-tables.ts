import type { Row } from '../data/table'

/** A template that the project has changed; its id is the template's type. */
export interface EmailTemplateRow extends Row {
  readonly subject: string
  readonly content: unknown
}

/** The sender of a mail and its mail server. The server's password is stored with the project only. */
export interface EmailSender {
  readonly type: 'shared' | 'standard'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly senderName: string
  readonly senderEmail: string
}

/** A sent or failed mail, as admins read it. */
export interface SentEmailRow extends Row {
  readonly subject: string
  readonly to: readonly string[]
  readonly sentAt: number
  readonly sender: EmailSender
  /** Why the mail was not sent; null if it was. */
  readonly error: { readonly message: string } | null
}

/** A theme's id; null: the project's; false: none. */
export type ThemeId = string | false | null

/** A template in TSX, of the newer release. */
export interface TsxTemplateRow extends Row {
  readonly displayName: string
  readonly tsxSource: string
  readonly themeId?: ThemeId
}

/** A theme in TSX: the project's own, or its version of a built-in one. */
export interface TsxThemeRow extends Row {
  readonly displayName: string
  readonly tsxSource: string
}

/** A mail that an owner has begun to write. */
export interface EmailDraftRow extends TsxTemplateRow {
  /** Null: not yet. */
  readonly sentAt: number | null
}
