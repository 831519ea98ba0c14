import * as v from 'valibot'
import { emailTemplate$, resetEmailTemplate, updateEmailTemplate } from '../../entities/email-templates/admin'
import { classicTemplates } from '../../entities/email-templates/shape'
import type { EmailTemplateType } from '../../entities/email-templates/shape'
import { json } from '../../core/wire'
import { emailTree } from '../mail/email-blocks'
import { defaultWordings } from '../mail/email-templates'
import type { Engine } from '../model/engine'
import { plain } from '../model/refusal'
import { serve } from '../http/serve'
import type { ProjectRow } from '../model/projects'

// In the hosted platform's order.
const types = Object.keys(defaultWordings) as EmailTemplateType[]

const path = { type: v.picklist(types) }
const content = v.optional(
  v.pipe(
    json(),
    v.check(value => value !== null, 'must not be null'),
  ),
)

export const emailTemplateRoutes = [
  serve(classicTemplates, {}, ({ engine }) => types.map(type => toTemplate(engine, type))),

  serve(emailTemplate$, { path }, ({ engine, input: { type } }) => toTemplate(engine, type)),

  serve(
    updateEmailTemplate,
    { path, body: { content } },
    ({ engine, caller: { project }, input: { type, subject, content } }) => {
      requireOwnServer(project)
      if (content !== undefined) emailTree(content)
      const { isDefault: _, ...present } = toTemplate(engine, type)
      engine.tables.emailTemplates.put({
        id: type,
        // An empty subject changes nothing.
        subject: subject || present.subject,
        content: content ?? present.content,
      })
      return toTemplate(engine, type)
    },
  ),

  serve(resetEmailTemplate, { path }, ({ engine, input: { type } }) => {
    if (!engine.tables.emailTemplates.delete(type))
      throw plain(404, `The project has not changed the mail of the type ${type}.`)
  }),
]

function requireOwnServer({ config }: ProjectRow): void {
  if (config.emailConfig.type === 'standard') return
  throw plain(400, 'Sending its own mails needs a mail server of the project: email_config is shared.')
}

function toTemplate({ tables }: Engine, type: EmailTemplateType) {
  const own = tables.emailTemplates.get(type)
  const { subject, content } = own ?? defaultWordings[type]
  return { source: 'classic' as const, type, subject, content, isDefault: !own }
}
