import * as v from 'valibot'
import { items, json, millis } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import type { InputOf } from '../http/declared'
import { serve } from '../http/serve'
import { categoryOf, queueMail } from '../mail/mail-queue'
import { pruneOutbox } from '../mail/outbox'
import { checkTheme, renderTsx, requireOwnServer, requireRendered, requireTheme } from '../mail/tsx-mail'
import { templateOfHtml } from '../mail/tsx-template'
import type { Recipient } from '../model/email-tables'
import type { Engine } from '../model/engine'
import { laxEmail } from '../model/limits'
import { known, plain, schemaError } from '../model/refusal'
import { requireDraft } from './newer-email-drafts'
import { given, themeId, variables } from './newer-email-fields'
import { requireTemplate } from './newer-email-templates'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const send = endpoint('POST /emails/send-email', {
  access: 'server',
  body: {
    userIds: v.optional(v.array(v.string())),
    allUsers: v.optional(v.literal(true)),
    emails: v.optional(v.array(laxEmail())),
    html: v.optional(v.string()),
    templateId: v.optional(v.string()),
    variables: variables(),
    draftId: v.optional(v.string()),
    subject: v.optional(v.string()),
    notificationCategoryName: v.optional(v.string()),
    themeId: themeId(),
    isHighPriority: v.optional(v.boolean()),
    scheduledAt: v.optional(millis()),
  },
  returns: v.object({ results: v.array(v.object({ userId: v.string() })) }),
})

const text = () => v.optional(v.string())

const render = endpoint('POST /emails/render-email', {
  access: 'admin',
  body: {
    templateId: text(),
    templateTsxSource: text(),
    themeId: text(),
    themeTsxSource: text(),
    editableMarkers: v.optional(v.boolean()),
    editableSource: v.optional(v.picklist(['template', 'theme', 'both'])),
  },
  returns: v.object({ html: v.string(), subject: text(), notificationCategory: text() }),
})

/** A sent mail, which on this release has no sender. */
const SentEmail = v.object({
  id: v.string(),
  subject: v.string(),
  sentAt: millis(),
  to: v.array(v.string()),
  error: v.nullable(json()),
})

const sent = endpoint('GET /internal/emails', { access: 'admin', returns: items(SentEmail) })

/** The newer release's mails: it queues them, and its answers do not say whether they are sent. */
export const newerEmailRoutes = [
  serve(send, {}, ({ engine, caller: { project }, input, origin }) => {
    requireOwnServer(project)
    const { notificationCategoryName: category, scheduledAt, isHighPriority = false } = input
    if (category !== undefined && !categoryOf(category))
      throw plain(400, `There is no notification category "${category}".`)
    checkTheme(engine, input.themeId)
    const recipients = recipientsOf(engine, input)
    const now = engine.clock.now()
    const content = contentOf(engine, input)
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
    for (const to of recipients) queueMail(engine, project, { ...mail, id: crypto.randomUUID(), to })
    pruneOutbox(engine)
    if (content.draftId !== null) engine.tables.emailDrafts.patch(content.draftId, { sentAt: now })
    return { results: recipients.flatMap(({ userId }) => (userId === undefined ? [] : [{ userId }])) }
  }),

  serve(render, {}, ({ engine, caller: { project }, input }) => {
    const { templateId, templateTsxSource, themeId, themeTsxSource } = input
    if ((templateId === undefined) === (templateTsxSource === undefined))
      throw malformed('template_id', 'template_tsx_source')
    if ((themeId === undefined) === (themeTsxSource === undefined)) throw malformed('theme_id', 'theme_tsx_source')
    const { tsxSource } =
      templateId === undefined ? { tsxSource: templateTsxSource ?? '' } : requireTemplate(engine, templateId)
    if (themeId !== undefined) requireTheme(engine, themeId)
    const { html, subject, notificationCategory } = requireRendered(
      renderTsx(engine, project, { tsxSource, themeId, themeTsxSource }),
    )
    return { html, ...given({ subject, notificationCategory }) }
  }),

  serve(sent, {}, ({ engine: { tables } }) =>
    tables.sentEmails.page('sentAt', { desc: true }).rows.map(({ id, subject, to, sentAt, error }) => ({
      id,
      subject,
      sentAt: new Date(sentAt),
      to: [...to],
      error,
    })),
  ),
]

type Sent = InputOf<typeof send>

/** One mail for each user or address. */
function recipientsOf({ tables: { users } }: Engine, { userIds, allUsers, emails }: Sent): readonly Recipient[] {
  requireOne({ user_ids: userIds, all_users: allUsers, emails })
  if (emails) return emails.map(email => ({ type: 'custom-emails', emails: [email] }))
  const ids = userIds ?? users.rows().map(({ id }) => id)
  const unknown = ids.find(id => !users.get(id))
  if (unknown !== undefined)
    throw known('USER_ID_DOES_NOT_EXIST', 'There is no user with one of the ids.', { userId: unknown })
  return ids.map(userId => ({ type: 'user-primary-email', userId }))
}

/** The source of the mails, with the theme of the request, or of the template or draft. */
function contentOf(engine: Engine, { html, templateId, draftId, variables = {}, themeId }: Sent) {
  requireOne({ html, template_id: templateId, draft_id: draftId })
  const source =
    html !== undefined
      ? { tsxSource: templateOfHtml(html) }
      : draftId !== undefined
        ? requireDraft(engine, draftId)
        : requireTemplate(engine, templateId ?? '')
  return {
    tsxSource: source.tsxSource,
    themeId: themeId === undefined && 'themeId' in source ? (source.themeId ?? null) : (themeId ?? null),
    variables,
    draftId: draftId ?? null,
    templateId: templateId ?? null,
  }
}

function requireOne(fields: Readonly<Record<string, unknown>>): void {
  if (Object.values(fields).filter(value => value !== undefined).length === 1) return
  throw malformed(...Object.keys(fields))
}

function malformed(...fields: readonly string[]) {
  const message = `body must have exactly one of ${fields.join(', ')}`
  return schemaError(message)
}
