import * as v from 'valibot'
import type { EmailTheme } from '../../entities/email-templates/admin'
import { table, type RowOf } from '../data/table'

/** The source of a mail, with the values that its component gets. */
export interface MailProgram {
  readonly file: 'template' | 'theme'
  readonly source: string
  /** The names that the source imports, by package. */
  readonly imports: Readonly<Record<string, readonly string[]>>
  /**
   * Properties of the component. A template has `variables` (undefined: those of its preview), `user` and `project`; a theme has
   * `children`, the name of the element that stands for the mail.
   */
  readonly props: object
}

/** Why a template cannot be drawn, in words for its author. */
export interface Undrawn {
  readonly error: string
  /** Whether the template takes too much time or memory. */
  readonly isStopped?: true
}

/** A template's body, with the subject and the category that it names. */
export interface DrawnTemplate {
  readonly html: string
  readonly subject?: string
  readonly notificationCategory?: string
}

/** Runs the source of a mail as code, outside of units of work. Rejects after the end of the platform only. */
export type RunMail = (program: MailProgram) => Promise<DrawnTemplate | Undrawn>

/** Runs the mails of a platform, and of each of its forks. */
export interface MailRunner {
  readonly run: RunMail
  /** A runner of the same process, for one more platform. */
  share(): MailRunner
  /** Ends this runner. With the last one the process of the mails ends, and mails that run are refused. */
  end(): void
}

/** The ids of the themes on the newer release. */
export const themeIds: Readonly<Record<EmailTheme, string>> = {
  'default-light': '1df07ae6-abf3-4a40-83a5-a1a2cbe336ac',
  'default-dark': 'a0172b5d-cff0-463b-83bb-85124697373a',
}

export function themeOf(id: unknown): EmailTheme {
  return id === themeIds['default-dark'] ? 'default-dark' : 'default-light'
}

/** Templates that the project has changed; the id is the template's type. */
export const emailTemplates = table({ columns: { subject: v.string(), content: v.unknown() } })

/** Sent or failed mails, as admins read them. */
export const sentEmails = table({
  columns: {
    subject: v.string(),
    to: v.array(v.string()),
    sentAt: v.number(),
    /** The sender and its mail server. The server's password is stored with the project only. */
    sender: v.object({
      type: v.picklist(['shared', 'standard']),
      host: v.string(),
      port: v.number(),
      username: v.string(),
      senderName: v.string(),
      senderEmail: v.string(),
    }),
    error: v.nullable(
      v.object({
        message: v.string(),
        code: v.exactOptional(v.string()),
        host: v.exactOptional(v.string()),
        port: v.exactOptional(v.number()),
      }),
    ),
  },
  indexes: { sentAt: row => row.sentAt },
})
export interface SentEmailRow extends RowOf<typeof sentEmails> {}
export type EmailSender = SentEmailRow['sender']
export type EmailError = NonNullable<SentEmailRow['error']>

/** A theme's id; null: the project's; false: none. */
const themeId = v.nullable(v.union([v.literal(false), v.string()]))
export type ThemeId = v.InferOutput<typeof themeId>

const tsxTemplate = { displayName: v.string(), tsxSource: v.string(), themeId: v.exactOptional(themeId) }

/** Templates in TSX, of the newer release. */
export const tsxTemplates = table({ columns: tsxTemplate })
export interface TsxTemplateRow extends RowOf<typeof tsxTemplates> {}

/** Themes in TSX: the project's own, and its versions of built-in ones. */
export const tsxThemes = table({ columns: { displayName: v.string(), tsxSource: v.string() } })
export interface TsxThemeRow extends RowOf<typeof tsxThemes> {}

/** Mails that an owner has begun to write. */
export const emailDrafts = table({
  columns: {
    ...tsxTemplate,
    /** Null: not yet. */
    sentAt: v.nullable(v.number()),
    /** Rows of earlier versions lack it. */
    changedAt: v.exactOptional(v.number()),
  },
})
export interface EmailDraftRow extends RowOf<typeof emailDrafts> {}

/** The statuses of mails that are not waiting. */
const endStatuses = [
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

/** When the platform has to do something for a mail that waits: a changed one is rendered at once. */
export function dueAtOf(row: Pick<OutboxRow, 'rendered' | 'updatedAt' | 'scheduledAt'>): number {
  return row.rendered ? row.scheduledAt : row.updatedAt
}

/** Mails of the newer release, waiting or ended. */
export const emailOutbox = table({
  columns: {
    createdAt: v.number(),
    updatedAt: v.number(),
    tsxSource: v.string(),
    themeId,
    /** The addresses of the mail, when it is sent. */
    to: v.object({
      type: v.picklist(['user-primary-email', 'user-custom-emails', 'custom-emails']),
      userId: v.exactOptional(v.string()),
      emails: v.exactOptional(v.array(v.string())),
    }),
    variables: v.record(v.string(), v.unknown()),
    /** Values of a mail of the platform itself, which no call shows: kept until it is sent. */
    secret: v.exactOptional(v.object({ code: v.nullable(v.string()), variables: v.record(v.string(), v.unknown()) })),
    skipDeliverabilityCheck: v.boolean(),
    scheduledAt: v.number(),
    isPaused: v.boolean(),
    isHighPriority: v.boolean(),
    /** Null: that of the template. */
    subject: v.nullable(v.string()),
    /** A category's name; null: that of the template. */
    category: v.nullable(v.string()),
    draftId: v.nullable(v.string()),
    templateId: v.nullable(v.string()),
    /** For links in it to this platform. */
    origin: v.string(),
    rendered: v.nullable(
      v.object({
        at: v.number(),
        subject: v.string(),
        html: v.string(),
        text: v.string(),
        categoryId: v.nullable(v.string()),
      }),
    ),
    /** How the mail ended, or why it did not. */
    outcome: v.nullable(
      v.object({
        status: v.picklist(endStatuses),
        at: v.number(),
        /** Why it was skipped or not rendered, or what the mail server answered. */
        reason: v.exactOptional(v.string()),
        /** The beginning of a rendering that has failed. */
        startedRenderingAt: v.exactOptional(v.number()),
        startedSendingAt: v.exactOptional(v.number()),
      }),
    ),
  },
  indexes: {
    createdAt: row => row.createdAt,
    dueAt: row => (row.outcome || row.isPaused ? undefined : dueAtOf(row)),
    endedAt: row => row.outcome?.at,
  },
})
export interface OutboxRow extends RowOf<typeof emailOutbox> {}
export type Recipient = OutboxRow['to']
export type MailOutcome = NonNullable<OutboxRow['outcome']>

/** The mails in the local mailboxes, of all projects. */
export const mails = table({
  columns: {
    from: v.string(),
    to: v.string(),
    subject: v.string(),
    text: v.string(),
    html: v.string(),
    links: v.array(v.string()),
    code: v.nullable(v.string()),
    sentAt: v.number(),
    /** Whether a mailbox's `next()` has returned it. */
    taken: v.boolean(),
  },
  indexes: { to: row => row.to, waitingFor: row => (row.taken ? undefined : row.to) },
})
export interface MailRow extends RowOf<typeof mails> {}
