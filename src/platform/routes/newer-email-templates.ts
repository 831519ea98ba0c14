import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { serve } from '../http/serve'
import { renderTsx, requireOwnServer, requireRendered } from '../mail/tsx-mail'
import { previewVariablesIn } from '../mail/tsx-source'
import { newTemplate } from '../mail/tsx-template'
import { requireTemplate, tsxTemplates } from '../mail/tsx-templates'
import { plain } from '../model/refusal'
import { given, themeId } from './newer-email-fields'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const template = v.object({ id: v.string(), displayName: v.string(), tsxSource: v.string(), themeId: themeId() })
const path = '/internal/email-templates/{emailTemplateId}'

const list = endpoint('GET /internal/email-templates', {
  access: 'admin',
  returns: v.object({ templates: v.array(template) }),
})

const create = endpoint('POST /internal/email-templates', {
  access: 'admin',
  body: { displayName: v.string() },
  returns: v.object({ id: v.string() }),
})

const change = endpoint(`PATCH ${path}`, {
  access: 'admin',
  body: { tsxSource: v.string(), themeId: themeId() },
  returns: v.object({ renderedHtml: v.string() }),
})

const remove = endpoint(`DELETE ${path}`, { access: 'admin' })

/** The newer release's templates in TSX: those of the platform, and those of the project. */
export const newerEmailTemplateRoutes = [
  serve(list, {}, ({ engine }) => ({ templates: [...tsxTemplates(engine)] })),

  serve(create, {}, ({ engine: { tables }, caller: { project }, input: { displayName } }) => {
    requireOwnServer(project)
    return tables.tsxTemplates.put({ id: crypto.randomUUID(), displayName, tsxSource: newTemplate })
  }),

  serve(change, {}, ({ engine, caller: { project }, input: { emailTemplateId, tsxSource, themeId } }) => {
    requireOwnServer(project)
    const before = requireTemplate(engine, emailTemplateId)
    const after = { ...before, tsxSource, ...given({ themeId }) }
    // The preview is in the project's theme, whatever the theme of the template.
    const variables = previewVariablesIn(tsxSource)
    const { html } = requireRendered(renderTsx(engine, project, { tsxSource, variables }))
    engine.tables.tsxTemplates.put(after)
    return { renderedHtml: html }
  }),

  serve(remove, { answers: v.object({}) }, ({ engine: { tables }, input: { emailTemplateId } }) => {
    // A template of the platform is again as it was.
    if (!tables.tsxTemplates.delete(emailTemplateId)) throw plain(404, 'No template found with given id')
    return {}
  }),
]
