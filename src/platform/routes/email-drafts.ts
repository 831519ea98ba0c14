import { presentIn } from '../../core/values'
import * as v from 'valibot'
import {
  createEmailDraft,
  deleteEmailDraft,
  EmailDraft,
  emailDraft$,
  emailDrafts$,
  updateEmailDraft,
} from '../../entities/email-drafts/admin'
import { serve, sparse } from '../http/serve'
import { newDraft } from '../mail/tsx-template'
import type { EmailDraftRow } from '../model/emails'
import type { Engine } from '../model/engine'
import { plain } from '../model/refusal'
import { chosenTheme, themeId } from './email-templates'

const draft = sparse(EmailDraft)
const ok = { answers: v.object({ ok: v.literal('ok') }) }

/** The newer release's drafts: their source may be incomplete until they are sent. */
export const newerRoutes = [
  serve(emailDrafts$, { answers: v.object({ drafts: v.array(draft) }) }, ({ engine: { tables } }) => ({
    drafts: tables.emailDrafts
      .rows()
      .reverse()
      .sort((one, other) => (other.changedAt ?? 0) - (one.changedAt ?? 0))
      .map(toDraft),
  })),

  serve(
    createEmailDraft,
    { body: { themeId } },
    ({ engine, input: { displayName, tsxSource = newDraft, themeId } }) => {
      const changedAt = engine.clock.now()
      const draft = {
        id: crypto.randomUUID(),
        displayName,
        tsxSource,
        ...presentIn({ themeId }),
        sentAt: null,
        changedAt,
      }
      return toDraft(engine.tables.emailDrafts.put(draft))
    },
  ),

  serve(emailDraft$, { answers: draft }, ({ engine, input: { emailDraftId } }) =>
    toDraft(requireDraft(engine, emailDraftId)),
  ),

  serve(
    updateEmailDraft,
    { body: { themeId: v.optional(chosenTheme) }, ...ok },
    ({ engine: { tables, clock }, input: { emailDraftId, ...changes } }) => {
      const draft = tables.emailDrafts.get(emailDraftId)
      if (!draft) throw plain(500, 'There is no draft with this id. The hosted platform fails here, too.')
      tables.emailDrafts.put({ ...draft, ...presentIn(changes), changedAt: clock.now() })
      return { ok: 'ok' as const }
    },
  ),

  serve(deleteEmailDraft, ok, ({ engine, input: { emailDraftId } }) => {
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
