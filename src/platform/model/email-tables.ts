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

/** The addresses of a mail, when it is sent. */
export interface Recipient {
  readonly type: 'user-primary-email' | 'user-custom-emails' | 'custom-emails'
  readonly userId?: string
  readonly emails?: readonly string[]
}

/** How a mail ended, or why it did not. */
export interface MailOutcome {
  readonly status: EndStatus
  readonly at: number
  /** Why it was skipped or not rendered, or what the mail server answered. */
  readonly reason?: string
}

/** The statuses of mails that are not waiting. */
export const endStatuses = [
  'render-error',
  'server-error',
  'skipped',
  'bounced',
  'delivery-delayed',
  'sent',
  'opened',
  'clicked',
  'marked-as-spam',
] as const

export type EndStatus = (typeof endStatuses)[number]

/** A mail of the newer release, waiting or ended. */
export interface OutboxRow extends Row {
  readonly createdAt: number
  readonly updatedAt: number
  readonly tsxSource: string
  readonly themeId: ThemeId
  readonly to: Recipient
  readonly variables: Readonly<Record<string, unknown>>
  readonly skipDeliverabilityCheck: boolean
  readonly scheduledAt: number
  readonly isPaused: boolean
  readonly isHighPriority: boolean
  /** Null: that of the template. */
  readonly subject: string | null
  /** A category's name; null: that of the template. */
  readonly category: string | null
  readonly draftId: string | null
  readonly templateId: string | null
  /** For links in it to this platform. */
  readonly origin: string
  readonly rendered: RenderedMail | null
  readonly outcome: MailOutcome | null
}

export interface RenderedMail {
  readonly at: number
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly categoryId: string
}
