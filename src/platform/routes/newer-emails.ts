import * as v from 'valibot'
import { items, json, millis } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { themeIds, themeOf } from '../mail/email-themes'
import type { Engine } from '../model/engine'
import { sendHtml } from '../mail/html-mail'
import { notificationCategories, wants } from '../directory/notifications'
import type { NotificationCategory } from '../directory/notifications'
import { noteSent, senderOf } from '../mail/outbox'
import { primaryChannelOf } from '../model/primary-channel'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import type { ProjectRow } from '../model/tables'
import { unclosedIn } from '../mail/unclosed-html'
import { wayOut } from './emails'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

/** The content of a mail. The local platform has none of this release's templates and drafts, and sends at once. */
const send = endpoint('POST /emails/send-email', {
  access: 'server',
  body: {
    userIds: v.optional(v.array(v.string())),
    allUsers: v.optional(v.literal(true)),
    html: v.string(),
    subject: v.optional(v.string()),
    notificationCategoryName: v.optional(v.string()),
    themeId: v.optional(v.nullable(v.union([v.picklist(Object.values(themeIds)), v.literal(false)]))),
    isHighPriority: v.optional(v.boolean()),
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
  returns: v.object({ html: v.string() }),
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
    if (project.config.emailConfig.type === 'shared')
      throw known('REQUIRES_CUSTOM_EMAIL_SERVER', 'This project has no mail server of its own: email_config is shared.')
    const { userIds, allUsers, notificationCategoryName: name = 'Transactional' } = input
    if ((userIds === undefined) === (allUsers === undefined)) throw malformed('user_ids', 'all_users')
    const category = notificationCategories.find(each => each.name === name)
    if (!category) throw plain(400, `There is no notification category "${name}".`)
    const { users } = engine.tables
    const ids = userIds ?? users.rows().map(({ id }) => id)
    const unknown = ids.find(id => !users.get(id))
    if (unknown !== undefined)
      throw known('USER_ID_DOES_NOT_EXIST', 'There is no user with one of the ids.', { userId: unknown })
    for (const userId of ids) sendTo(engine, project, userId, { ...input, category, origin })
    return { results: ids.map(userId => ({ userId })) }
  }),

  serve(render, {}, ({ input: { templateId, templateTsxSource, themeId, themeTsxSource } }) => {
    if ((templateId === undefined) === (templateTsxSource === undefined))
      throw malformed('template_id', 'template_tsx_source')
    if ((themeId === undefined) === (themeTsxSource === undefined)) throw malformed('theme_id', 'theme_tsx_source')
    const error = 'The local platform cannot render templates in TSX.'
    throw known('EMAIL_RENDERING_ERROR', `The e-mail cannot be rendered. ${error}`, { error })
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

interface Letter {
  readonly html: string
  readonly subject?: string | undefined
  readonly themeId?: string | false | null | undefined
  readonly category: NotificationCategory
  readonly origin: string
}

/** Sends the mail if the user has an address and wants it; the answer does not say whether. */
function sendTo(engine: Engine, project: ProjectRow, userId: string, letter: Letter): void {
  const { html, subject = project.displayName, themeId, category, origin } = letter
  const to = primaryChannelOf(engine.tables, userId)?.value
  if (to === undefined || !wants(engine, userId, category)) return
  const unclosed = unclosedIn(html)
  if (unclosed !== null) {
    noteSent(engine, senderOf(project), { to, subject }, { message: `The HTML does not end ${unclosed}.` })
    return
  }
  const theme = typeof themeId === 'string' ? themeOf(themeId) : themeId === false ? null : undefined
  sendHtml(engine, project, { to, subject, html, theme, ...wayOut(engine, userId, category, origin) })
}

function malformed(one: string, other: string) {
  const message = `body must have exactly one of ${one} and ${other}`
  return known('SCHEMA_ERROR', message, { message })
}
