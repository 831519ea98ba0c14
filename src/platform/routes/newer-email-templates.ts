import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { serve } from '../http/serve'
import { checkTheme, renderTsx, requireOwnServer, requireRendered } from '../mail/tsx-mail'
import { newTemplate } from '../mail/tsx-template'
import type { TsxTemplateRow } from '../model/email-tables'
import type { Engine } from '../model/engine'
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

/** The newer release's templates in TSX. */
export const newerEmailTemplateRoutes = [
  serve(list, {}, ({ engine: { tables } }) => ({ templates: [...tables.tsxTemplates.rows()] })),

  serve(create, {}, ({ engine: { tables }, caller: { project }, input: { displayName } }) => {
    requireOwnServer(project)
    return tables.tsxTemplates.put({ id: crypto.randomUUID(), displayName, tsxSource: newTemplate })
  }),

  serve(change, {}, ({ engine, caller: { project }, input: { emailTemplateId, tsxSource, themeId } }) => {
    const before = requireTemplate(engine, emailTemplateId)
    requireOwnServer(project)
    checkTheme(engine, themeId)
    const after = { ...before, tsxSource, ...given({ themeId }) }
    const { html } = requireRendered(renderTsx(engine, project, after))
    engine.tables.tsxTemplates.put(after)
    return { renderedHtml: html }
  }),

  serve(remove, {}, ({ engine, input: { emailTemplateId } }) => {
    engine.tables.tsxTemplates.delete(requireTemplate(engine, emailTemplateId).id)
  }),
]

export function requireTemplate({ tables }: Engine, id: string): TsxTemplateRow {
  const row = tables.tsxTemplates.get(id)
  if (row) return row
  throw plain(404, 'There is no template with this id.')
}
