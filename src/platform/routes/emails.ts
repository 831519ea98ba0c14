import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { renderEmail } from '../../entities/email-templates/admin'
import { sendEmail } from '../../entities/emails/server'
import { emailPage, themeColors } from '../mail/email-themes'
import { primaryChannelOf } from '../model/restriction'
import type { Engine } from '../model/engine'
import { drawMarkup, templateOfHtml } from '../mail/tsx-template'
import { refusedMail, sendHtml, pruneOutbox, notificationCategories, wants } from '../mail/outbox'
import type { NotificationCategory } from '../mail/outbox'
import { known, plain, schemaError } from '../model/refusal'
import { serve, servePublic } from '../http/serve'
import { renderTsxEmail } from '../../entities/email-templates/admin-tsx'
import type { InputOf } from '../http/declared'
import type { BodyForm } from '../http/request-checks'
import { editableRegions } from '../mail/tsx-elements'
import { categoryOf, queueMail, unsubscribeLink } from '../mail/mail-queue'
import { rendering, requireOwnServer, answerWith, requireTheme, selectedTheme, requireTemplate } from '../mail/tsx-mail'
import type { Recipient } from '../model/emails'
import { laxEmail, uuid } from '../model/limits'
import { requireDraft, requireOwnMailServer, themeId, variables } from './email-templates'

const required = {
  userIds: v.array(v.string()),
  subject: v.string(),
  html: v.string(),
  notificationCategoryName: v.string(),
}

const Sent = v.object({
  results: v.array(
    v.object({
      userId: v.string(),
      userEmail: v.optional(v.string()),
      success: v.boolean(),
      error: v.optional(v.string()),
    }),
  ),
})

const unrendered = 'There was an error rendering the email'

export const routes = [
  serve(sendEmail, { body: required, answers: Sent }, async ({ engine, input, origin }) => {
    requireOwnMailServer(engine)
    const { notificationCategoryName: name } = input
    const category = notificationCategories.find(each => each.name === name)
    if (!category) throw plain(404, `There is no notification category "${name}".`)
    const drawn = await drawMarkup(input.html)
    const results = input.userIds.map(userId => {
      const reached = addressOf(engine, userId, category)
      if ('error' in reached) return { userId, success: false, error: reached.error }
      if ('error' in drawn)
        return { userId, userEmail: reached.to, success: false, error: `${unrendered}: ${drawn.error}` }
      const { html } = drawn
      const { to } = reached
      const unsubscribe = unsubscribeLink(engine, userId, category, origin)
      return sendHtml(engine, { subject: input.subject, html, to }, unsubscribe)
        ? { userId, userEmail: to, success: true }
        : { userId, userEmail: to, success: false, error: refusedMail(engine) }
    })
    return { results }
  }),

  // The answer has no data of any project, and the hosted platform requires no key.
  servePublic(renderEmail, {}, async ({ input: { theme, previewHtml } }) => {
    const drawn = await drawMarkup(previewHtml)
    if ('error' in drawn) throw known('EMAIL_RENDERING_ERROR', `${unrendered}: ${drawn.error}`, { error: drawn.error })
    return { html: emailPage(drawn.html, themeColors[theme]) }
  }),
]

/** The user's address for a mail of the category, or the reason why it cannot be sent. */
function addressOf(
  engine: Engine,
  userId: string,
  category: NotificationCategory,
): { readonly to: string } | { readonly error: string } {
  if (!engine.tables.users.get(userId)) return { error: 'There is no user with this id.' }
  if (!wants(engine, userId, category)) return { error: `The user wants no mails of the category ${category.name}.` }
  const channel = primaryChannelOf(engine.tables, userId)
  return channel ? { to: channel.value } : { error: 'The user has no primary e-mail address.' }
}

/** The forms of a body that sends mails, by the source of the mail. */
const sendBodies: readonly BodyForm[] = [['html'], ['template_id', 'variables'], ['draft_id']]
const renderBodies = ['template_id', 'template_tsx_source'].flatMap(template =>
  ['theme_id', 'theme_tsx_source'].map((theme): BodyForm => [template, theme]),
)

/** The newer release's mails: it queues them, and its answers do not say whether they are sent. */
export const newerRoutes = [
  serve(
    sendEmail,
    {
      body: { emails: v.optional(v.array(laxEmail)), themeId, variables },
      answers: v.object({ results: v.array(v.object({ userId: v.string() })) }),
      newer: { later: ['emails'], oneOf: sendBodies },
    },
    async ({ engine, input, origin }) => {
      requireOwnServer(engine)
      if ([input.userIds, input.allUsers, input.emails].filter(value => value !== undefined).length !== 1)
        throw schemaError('Exactly one of user_ids or all_users must be provided')
      const { notificationCategoryName: category, scheduledAt, isHighPriority = false } = input
      if (category !== undefined && !categoryOf(category))
        throw plain(400, 'Notification category not found with given name')
      const content = contentOf(engine, input)
      const recipients = recipientsOf(engine, input)
      const now = engine.clock.now()
      const mail = {
        ...content,
        createdAt: now,
        updatedAt: now,
        skipDeliverabilityCheck: false,
        scheduledAt: scheduledAt?.getTime() ?? now,
        isPaused: false,
        isHighPriority,
        subject: input.subject ?? null,
        category: category ?? null,
        origin,
        rendered: null,
        outcome: null,
      }
      for (const to of recipients) await queueMail(engine, { ...mail, id: crypto.randomUUID(), to })
      pruneOutbox(engine)
      if (content.draftId !== null) engine.tables.emailDrafts.patch(content.draftId, { sentAt: now, changedAt: now })
      return { results: recipients.flatMap(({ userId }) => (userId === undefined ? [] : [{ userId }])) }
    },
  ),

  serve(
    renderTsxEmail,
    { body: { templateId: v.optional(uuid), themeId }, newer: { oneOf: renderBodies } },
    async ({ engine, input }) => {
      const { templateId, templateTsxSource, themeId, themeTsxSource, editableMarkers, editableSource } = input
      const tsxSource =
        templateId === undefined ? (templateTsxSource ?? '') : requireTemplate(engine, templateId, 400).tsxSource
      if (typeof themeId === 'string') requireTheme(engine, themeId, 400)
      const regions = editableMarkers ? editableRegions(editableSource) : undefined
      const render = rendering(engine, { tsxSource, themeId, themeTsxSource, regions })
      return answerWith(engine, render, async (_, { page, subject, notificationCategory }) => {
        const marked = regions && { editableRegions: await regions.described() }
        return { html: page().html, ...presentIn({ subject, notificationCategory }), ...marked }
      })
    },
  ),
]

type SentInput = InputOf<typeof sendEmail>

/** One mail for each user or address. */
function recipientsOf({ tables: { users } }: Engine, { userIds, emails }: SentInput): readonly Recipient[] {
  if (emails) return emails.map(email => ({ type: 'custom-emails', emails: [email] }))
  const ids = userIds ?? users.rows().map(({ id }) => id)
  const unknown = ids.find(id => !users.get(id))
  if (unknown !== undefined)
    throw known('USER_ID_DOES_NOT_EXIST', 'There is no user with one of the ids.', { userId: unknown })
  return ids.map(userId => ({ type: 'user-primary-email', userId }))
}

/** The source and the theme of the mails. The theme is that of the request, the draft or the project, not of a template. */
function contentOf(engine: Engine, input: SentInput) {
  const { html, templateId, draftId, variables = {} } = input
  const draft = draftId === undefined ? null : requireDraft(engine, draftId, 400, 'No draft found with given draft_id')
  const missing = 'No template found with given template_id'
  const themeId = input.themeId === undefined ? draft?.themeId : input.themeId
  return {
    tsxSource:
      draft?.tsxSource ??
      (html === undefined ? requireTemplate(engine, templateId ?? '', 400, missing).tsxSource : templateOfHtml(html)),
    themeId: themeId ?? selectedTheme(engine),
    variables,
    draftId: draftId ?? null,
    templateId: templateId ?? null,
  }
}
