import * as v from 'valibot'
import { millis } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { serve } from '../http/serve'
import { newDraft } from '../mail/tsx-template'
import type { EmailDraftRow } from '../model/emails'
import type { Engine } from '../model/engine'
import { plain } from '../model/refusal'
import { chosenTheme, given, themeId } from './email-templates'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const draft = v.object({
  id: v.string(),
  displayName: v.string(),
  tsxSource: v.string(),
  themeId: themeId(),
  sentAt: v.nullable(millis()),
})
const path = '/internal/email-drafts/{emailDraftId}'

const list = endpoint('GET /internal/email-drafts', {
  access: 'admin',
  returns: v.object({ drafts: v.array(draft) }),
})

const create = endpoint('POST /internal/email-drafts', {
  access: 'admin',
  body: { displayName: v.string(), themeId: themeId(), tsxSource: v.optional(v.string()) },
  returns: v.object({ id: v.string() }),
})

const read = endpoint(`GET ${path}`, { access: 'admin', returns: draft })

const change = endpoint(`PATCH ${path}`, {
  access: 'admin',
  body: { displayName: v.optional(v.string()), themeId: v.optional(chosenTheme()), tsxSource: v.optional(v.string()) },
  returns: v.object({ ok: v.literal('ok') }),
})

const remove = endpoint(`DELETE ${path}`, { access: 'admin', returns: v.object({ ok: v.literal('ok') }) })

/** The newer release's drafts: their source may be incomplete until they are sent. */
export const newerEmailDraftRoutes = [
  serve(list, {}, ({ engine: { tables } }) => ({ drafts: tables.emailDrafts.rows().map(toDraft).reverse() })),

  serve(create, {}, ({ engine, input: { displayName, tsxSource = newDraft, themeId } }) => {
    const draft = { id: crypto.randomUUID(), displayName, tsxSource, ...given({ themeId }), sentAt: null }
    return toDraft(engine.tables.emailDrafts.put(draft))
  }),

  serve(read, {}, ({ engine, input: { emailDraftId } }) => toDraft(requireDraft(engine, emailDraftId))),

  serve(change, {}, ({ engine: { tables }, input: { emailDraftId, ...changes } }) => {
    const draft = tables.emailDrafts.get(emailDraftId)
    if (!draft) throw plain(500, 'There is no draft with this id. The hosted platform fails here, too.')
    tables.emailDrafts.put({ ...draft, ...given(changes) })
    return { ok: 'ok' as const }
  }),

  serve(remove, {}, ({ engine, input: { emailDraftId } }) => {
    engine.tables.emailDrafts.delete(requireDraft(engine, emailDraftId).id)
    return { ok: 'ok' as const }
  }),
]

/** The draft, or a refusal with this status and text: each call has its own. */
export function requireDraft(
  { tables }: Engine,
  id: string,
  status: 400 | 404 = 404,
  text = 'No draft found with given id',
): EmailDraftRow {
  const row = tables.emailDrafts.get(id)
  if (row) return row
  throw plain(status, text)
}

function toDraft(row: EmailDraftRow) {
  return { ...row, sentAt: row.sentAt === null ? null : new Date(row.sentAt) }
}
