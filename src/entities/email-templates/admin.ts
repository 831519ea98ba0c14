import * as v from 'valibot'
import { adminStore, adminWrite, json, lacking, only, patch, query, withHint } from '../declare'
import type { Attempted, Kit } from '../declare'
import type { Query } from '../../store/definition'
import { isRefusedWith } from '../../errors/auth-error'
import { orOlder } from '../otherwise'
import { answerOf } from '../rows'
import { ClassicEmailTemplate, classicTemplates, tsxTemplates } from './shape'
import type { EmailTemplate, EmailTemplateType } from './shape'

export { ClassicEmailTemplate, TsxEmailTemplate, type EmailTemplate, type EmailTemplateType } from './shape'

const themes = ['default-light', 'default-dark'] as const

/** The themes of mails. */
export type EmailTheme = (typeof themes)[number]

/**
 * The project's templates: on newer releases those that it has written in TSX (`source: 'tsx'`), on release 2.8.18 the mails
 * that the platform sends by itself, always the same five (`source: 'classic'`).
 *
 * @example
 * const templates = await admin.emailTemplates$.get()
 * const names = templates.map(template => (template.source === 'tsx' ? template.displayName : template.type))
 */
export const emailTemplates$: Query<'admin', {}, EmailTemplate[]> = orOlder(
  query(tsxTemplates),
  query(classicTemplates),
)

/** The advice to owners where the platform has no templates by type. */
const byType = withHint(
  "emailTemplates$ has its templates (source 'tsx'); change them with updateTsxEmailTemplate of rxauth/admin",
  lacking(404),
)

/**
 * A mail that the platform sends by itself, by type. Throws NOT_ON_THIS_PLATFORM on newer releases, whose
 * templates are those of `emailTemplates$`; so do `updateEmailTemplate` and `resetEmailTemplate`.
 *
 * @example
 * const { subject } = await admin.emailTemplate$({ type: 'password_reset' }).get()
 */
export const emailTemplate$ = adminStore('GET /email-templates/{type}', {
  returns: ClassicEmailTemplate,
  notOnPlatform: byType,
})

/** Changes of the mail of one type, for `updateEmailTemplate`. */
export interface EmailTemplateChanges {
  readonly type: EmailTemplateType
  readonly subject?: string
  readonly content?: unknown
}

/**
 * Sets the project's own version of a mail; fields left out stay. Subject and content may contain variables as `{{ name }}`:
 * always `projectDisplayName`, perhaps `userDisplayName`, and those of the type (`emailVerificationLink`,
 * `passwordResetLink`, `magicLink` and `otp`, `teamInvitationLink` and `teamDisplayName`, `signInInvitationLink`).
 *
 * Throws REQUEST_FAILED with status 400 if the project has no mail server of its own (`config.emailConfig`), and for content
 * that is not a document of blocks.
 *
 * @example
 * await admin.updateEmailTemplate({ type: 'password_reset', subject: 'A new password for {{ projectDisplayName }}' })
 */
export const updateEmailTemplate = adminWrite('PATCH /email-templates/{type}', {
  body: { subject: v.optional(v.string()), content: v.optional(json()) },
  returns: ClassicEmailTemplate,
  notOnPlatform: byType,
  prepare: (_, input: EmailTemplateChanges) => input,
  refreshes: ({ type }) => [emailTemplates$, only(emailTemplate$, { type })],
  optimistic: ({ type, ...change }) => [
    patch(emailTemplates$, {}, all => ofType(all, type, template => changed(template, change))),
    patch(emailTemplate$, { type }, template => changed(template, change)),
  ],
  writes: ({ type }, template) => [
    patch(emailTemplates$, {}, all => ofType(all, type, () => template)),
    patch(emailTemplate$, { type }, () => template),
  ],
})

function ofType(
  all: readonly EmailTemplate[],
  type: string,
  change: (template: ClassicEmailTemplate) => ClassicEmailTemplate,
): EmailTemplate[] {
  return all.map(other => (other.source === 'classic' && other.type === type ? change(other) : other))
}

function changed(
  template: ClassicEmailTemplate,
  { subject, content }: { readonly subject?: string | undefined; readonly content?: unknown },
): ClassicEmailTemplate {
  return {
    ...template,
    ...(subject !== undefined && { subject }),
    ...(content !== undefined && { content }),
    isDefault: false,
  }
}

/**
 * Restores the platform's own mail of a type; if the project has no version of its own, that counts as done. Throws
 * NOT_ON_THIS_PLATFORM if the platform has no templates by type.
 *
 * @example
 * await admin.resetEmailTemplate({ type: 'password_reset' })
 */
export const resetEmailTemplate = adminWrite('DELETE /email-templates/{type}', {
  prepare: (_, input: { readonly type: EmailTemplateType }) => input,
  done: isDefault,
  refreshes: ({ type }) => [emailTemplates$, only(emailTemplate$, { type })],
})

/** Whether a refused reset counts as done: the platform answers 404 for its own template, and for an unknown call. */
async function isDefault(
  error: unknown,
  { type }: { readonly type: string },
  kit: Kit,
  { signal }: Attempted,
): Promise<boolean> {
  if (!isRefusedWith(error, [404])) return false
  await answerOf(kit, emailTemplate$, { type }, { signal })
  return true
}

/**
 * Renders HTML as a mail of the theme, without sending it. `previewHtml` is JSX to the platform: `<br />` and not `<br>`,
 * `style={{ color: 'red' }}`, no bare braces, comments or documents. EMAIL_RENDERING_ERROR is returned for other HTML, with the
 * reason in `details.error`. Throws NOT_ON_THIS_PLATFORM if the platform renders only
 * templates.
 *
 * @example
 * const result = await admin.renderEmail({ theme: 'default-light', previewHtml: '<p>Hello</p>' })
 * if (result.ok) console.log(result.value.html)
 */
export const renderEmail = adminWrite('POST /emails/render-email', {
  body: { theme: v.picklist(themes), previewHtml: v.string() },
  returns: v.object({ html: v.string() }),
  fails: ['EMAIL_RENDERING_ERROR'],
  // Newer releases have another call here.
  notOnPlatform: lacking('theme', 'preview_html'),
  refreshes: () => [],
})
