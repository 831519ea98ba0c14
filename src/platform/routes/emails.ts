import * as v from 'valibot'
import { renderEmail } from '../../entities/email-templates/admin'
import { sendEmail } from '../../entities/emails/server'
import { emailPage, themeColors } from '../mail/email-themes'
import { primaryChannelOf } from '../model/primary-channel'
import type { Engine } from '../model/engine'
import { sendHtml } from '../mail/html-mail'
import { drawMarkup } from '../mail/mail-markup'
import { refusalOf, senderOf } from '../mail/outbox'
import { notificationCategories, wants } from '../model/notifications'
import type { NotificationCategory } from '../model/notifications'
import { known, plain } from '../model/refusal'
import { serve, servePublic } from '../http/serve'
import { createCode } from '../directory/verification-codes'

// Written apart from the kit's declaration, which is that of the newer release too.
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

export const emailRoutes = [
  serve(sendEmail, { body: required, answers: Sent }, ({ engine, caller: { project }, input, origin }) => {
    if (project.config.emailConfig.type === 'shared')
      throw plain(400, 'Sending its own mails needs a mail server of the project: email_config is shared.')
    const { notificationCategoryName: name } = input
    const category = notificationCategories.find(each => each.name === name)
    if (!category) throw plain(404, `There is no notification category "${name}".`)
    const drawn = drawMarkup(input.html)
    const results = input.userIds.map(userId => {
      const reached = addressOf(engine, userId, category)
      if ('error' in reached) return { userId, success: false, error: reached.error }
      if ('error' in drawn)
        return { userId, userEmail: reached.to, success: false, error: `${unrendered}: ${drawn.error}` }
      const { html } = drawn
      const { to } = reached
      const way = wayOut(engine, userId, category, origin)
      return sendHtml(engine, project, { subject: input.subject, html, to, ...way })
        ? { userId, userEmail: to, success: true }
        : { userId, userEmail: to, success: false, error: refusalOf(senderOf(project)).message }
    })
    return { results }
  }),

  // The answer has no data of any project, and the hosted platform requires no key.
  servePublic(renderEmail, {}, ({ input: { theme, previewHtml } }) => {
    const drawn = drawMarkup(previewHtml)
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

/** The unsubscribe link at the end of a mail; empty for categories that cannot be switched off. */
export function wayOut(
  engine: Engine,
  userId: string,
  { id, canDisable }: NotificationCategory,
  origin: string,
): { readonly unsubscribe?: string } {
  if (!canDisable) return {}
  const code = createCode(engine, 'unsubscribe', { userId, notificationCategoryId: id })
  return { unsubscribe: `${origin}/api/v1/emails/unsubscribe-link?code=${code}` }
}
