import * as v from 'valibot'
import { items, json } from '../../core/wire'
import type { Shape } from '../../core/wire'
import { coreOf } from '../../store/core'
import type { Kit } from '../../store/kit'
import { mutation, only, patch } from '../../store/mutation'
import type { Attempted } from '../../store/mutation'
import { query } from '../../store/query'
import { isRefusedWith } from '../../store/refusals'
import { call } from '../../transport/call'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'

const types = ['email_verification', 'password_reset', 'magic_link', 'team_invitation', 'sign_in_invitation'] as const

/**
 * The mails that the platform sends by itself.
 *
 * @example
 * const type: EmailTemplateType = 'magic_link'
 * const template = await admin.emailTemplate$({ type }).get()
 */
export type EmailTemplateType = (typeof types)[number]

const themes = ['default-light', 'default-dark'] as const

/**
 * The themes of mails.
 *
 * @example
 * const theme: EmailTheme = 'default-dark'
 * const rendered = await admin.renderEmail({ theme, previewHtml: '<p>Hello</p>' })
 */
export type EmailTheme = (typeof themes)[number]

const emailTemplate = v.object({
  type: v.picklist(types),
  /** May contain variables: `{{ projectDisplayName }}`. */
  subject: v.string(),
  /** A document of editor blocks by id; the block `root` has the type EmailLayout. */
  content: json(),
  isDefault: v.boolean(),
})

/**
 * A mail that the platform sends by itself; `isDefault: false` if the project has its own version.
 *
 * @example
 * const own = (templates: readonly EmailTemplate[]) => templates.filter(({ isDefault }) => !isDefault)
 */
export interface EmailTemplate extends v.InferOutput<typeof emailTemplate> {}
export const EmailTemplate: Shape<EmailTemplate> = emailTemplate

/**
 * The mails that the platform sends by itself: always the same five.
 *
 * @example
 * const templates = await admin.emailTemplates$.get()
 */
export const emailTemplates$ = query(
  endpoint('GET /email-templates', { access: 'admin', returns: items(EmailTemplate), notOnPlatform: lacking(404) }),
)

const readTemplate = endpoint('GET /email-templates/{type}', {
  access: 'admin',
  returns: EmailTemplate,
  notOnPlatform: lacking(404),
})

/**
 * One of these mails, by type.
 *
 * @example
 * const { subject } = await admin.emailTemplate$({ type: 'password_reset' }).get()
 */
export const emailTemplate$ = query(readTemplate)

interface Changes {
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
export const updateEmailTemplate = mutation(
  endpoint('PATCH /email-templates/{type}', {
    access: 'admin',
    body: { subject: v.optional(v.string()), content: v.optional(json()) },
    returns: EmailTemplate,
    notOnPlatform: lacking(404),
  }),
  {
    prepare: (_, input: Changes) => input,
    refreshes: ({ type }) => [emailTemplates$, only(emailTemplate$, { type })],
    optimistic: ({ type, ...change }) => [
      patch(emailTemplates$, {}, all => all.map(other => (other.type === type ? changed(other, change) : other))),
      patch(emailTemplate$, { type }, template => changed(template, change)),
    ],
    writes: ({ type }, template) => [
      patch(emailTemplates$, {}, all => all.map(other => (other.type === type ? template : other))),
      patch(emailTemplate$, { type }, () => template),
    ],
  },
)

function changed(
  template: EmailTemplate,
  { subject, content }: { readonly subject?: string | undefined; readonly content?: unknown },
): EmailTemplate {
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
export const resetEmailTemplate = mutation(endpoint('DELETE /email-templates/{type}', { access: 'admin' }), {
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
  await call(coreOf(kit).transport, readTemplate, { type }, { signal })
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
export const renderEmail = mutation(
  endpoint('POST /emails/render-email', {
    access: 'admin',
    body: { theme: v.picklist(themes), previewHtml: v.string() },
    returns: v.object({ html: v.string() }),
    fails: ['EMAIL_RENDERING_ERROR'],
    // A newer release has another call here.
    notOnPlatform: lacking('theme', 'preview_html'),
  }),
  { refreshes: () => [] },
)
