import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { uuid } from '../model/limits'
import { emailTemplate$, resetEmailTemplate, updateEmailTemplate } from '../../entities/email-templates/admin'
import * as tsx from '../../entities/email-templates/admin-tsx'
import { classicTemplates, tsxTemplates, type EmailTemplateType } from '../../entities/email-templates/shape'
import { json } from '../../core/wire'
import { renderEmail } from '../mail/email-blocks'
import { themeColors } from '../mail/email-themes'
import { emailTypes, wordingOf } from '../mail/email-templates'
import type { Engine } from '../model/engine'
import { hostedFailure, plain, refuse } from '../model/refusal'
import { serve, sparse } from '../http/serve'
import {
  answerWith,
  rendering,
  requireOwnServer,
  requireTemplate,
  tsxTemplates as templatesOf,
  builtInThemes,
  requireTheme,
  tsxThemes,
} from '../mail/tsx-mail'
import { newTemplate, drawTheme, newTheme, newDraft } from '../mail/tsx-template'
import * as themes from '../../entities/email-themes/admin'
import { endpoint } from '../../transport/endpoint'
import * as drafts from '../../entities/email-drafts/admin'
import type { EmailDraftRow, RunMail } from '../model/emails'

/** A theme of a mail: an id, or false for none. The platform does not check whether the theme exists. */
export const chosenTheme = v.union([v.literal(false), uuid])

/** A theme of a mail, or null for the project's. */
export const themeId = v.optional(v.nullable(chosenTheme))

export const variables = v.optional(v.record(v.string(), v.unknown()))

const path = { type: v.picklist(emailTypes) }
const content = v.optional(
  v.pipe(
    json(),
    v.check(value => value !== null, 'must not be null'),
  ),
)

export const routes = [
  serve(classicTemplates, {}, ({ engine }) => emailTypes.map(type => toTemplate(engine, type))),

  serve(emailTemplate$, { path }, ({ engine, input: { type } }) => toTemplate(engine, type)),

  serve(updateEmailTemplate, { path, body: { content } }, ({ engine, input: { type, subject, content } }) => {
    requireOwnMailServer(engine)
    // A document that cannot be drawn is refused.
    if (content !== undefined) renderEmail(content, themeColors['default-light'], {})
    const { isDefault: _, ...present } = toTemplate(engine, type)
    engine.tables.emailTemplates.put({
      id: type,
      // An empty subject changes nothing.
      subject: subject || present.subject,
      content: content ?? present.content,
    })
    return toTemplate(engine, type)
  }),

  serve(resetEmailTemplate, { path }, ({ engine, input: { type } }) => {
    if (!engine.tables.emailTemplates.delete(type))
      throw plain(404, `The project has not changed the mail of the type ${type}.`)
  }),
]

/** The refusal of the reference release; `requireOwnServer` is that of later ones. */
export function requireOwnMailServer({ settings }: Engine): void {
  if (settings.emailConfig.type === 'standard') return
  throw plain(400, 'Sending its own mails needs a mail server of the project: email_config is shared.')
}

function toTemplate({ tables }: Engine, type: EmailTemplateType) {
  const own = tables.emailTemplates.get(type)
  const { subject, content } = own ?? wordingOf(type)
  return { source: 'classic' as const, type, subject, content, isDefault: !own }
}

// Written apart from the kit's declaration: no recording has the call.
const remove = endpoint('DELETE /internal/email-themes/{emailThemeId}', { access: 'admin' })

/** Release 2.8.86 deletes no themes. */
export const laterRoutes = [
  serve(remove, {}, ({ engine, input: { emailThemeId } }) => {
    const { id } = requireTheme(engine, emailThemeId)
    if (builtInThemes.some(theme => theme.id === id)) throw plain(400, 'The themes of the platform cannot be deleted.')
    engine.tables.tsxThemes.delete(id)
  }),
]

const template = v.object({ id: v.string(), displayName: v.string(), tsxSource: v.string(), themeId })
const draft = sparse(drafts.EmailDraft)
const ok = { answers: v.object({ ok: v.literal('ok') }) }

/** The newer release's templates in TSX: those of the platform, and those of the project. */
export const newerRoutes = [
  serve(tsxTemplates, { answers: v.object({ templates: v.array(template) }) }, ({ engine }) => ({
    templates: [...templatesOf(engine)],
  })),

  serve(tsx.createTsxEmailTemplate, {}, ({ engine, input: { displayName } }) => {
    requireOwnServer(engine)
    return engine.tables.tsxTemplates.put({ id: crypto.randomUUID(), displayName, tsxSource: newTemplate })
  }),

  serve(
    tsx.updateTsxEmailTemplate,
    { body: { themeId } },
    ({ engine, input: { emailTemplateId, tsxSource, themeId } }) => {
      requireOwnServer(engine)
      requireTemplate(engine, emailTemplateId)
      // The preview is in the project's theme, whatever the theme of the template.
      return answerWith(engine, rendering(engine, { tsxSource }), (later, { page }) => {
        const before = requireTemplate(later, emailTemplateId)
        later.tables.tsxTemplates.put({ ...before, tsxSource, ...presentIn({ themeId }) })
        return { renderedHtml: page().html }
      })
    },
  ),

  serve(tsx.deleteTsxEmailTemplate, { answers: v.object({}) }, ({ engine: { tables }, input: { emailTemplateId } }) => {
    // Deleting a changed template of the platform restores its original.
    if (!tables.tsxTemplates.delete(emailTemplateId)) throw plain(404, 'No template found with given id')
    return {}
  }),

  serve(themes.emailThemes$, { answers: v.object({ themes: v.array(themes.EmailThemeSummary) }) }, ({ engine }) => ({
    themes: [...tsxThemes(engine)],
  })),

  serve(themes.createEmailTheme, {}, ({ engine: { tables }, input: { displayName } }) =>
    tables.tsxThemes.put({ id: crypto.randomUUID(), displayName, tsxSource: newTheme() }),
  ),

  serve(themes.emailTheme$, { newer: { answers: { id: v.string() } } }, ({ engine, input: { emailThemeId } }) =>
    requireTheme(engine, emailThemeId),
  ),

  serve(themes.updateEmailTheme, {}, ({ engine, input: { emailThemeId, tsxSource } }) => {
    requireTheme(engine, emailThemeId)
    const render = (run?: RunMail) => drawTheme(tsxSource, undefined, run)
    return answerWith(engine, render, later =>
      later.tables.tsxThemes.put({ ...requireTheme(later, emailThemeId), tsxSource }),
    )
  }),
  ...laterRoutes,

  serve(drafts.emailDrafts$, { answers: v.object({ drafts: v.array(draft) }) }, ({ engine: { tables } }) => ({
    drafts: tables.emailDrafts
      .rows()
      .reverse()
      .sort((one, other) => (other.changedAt ?? 0) - (one.changedAt ?? 0))
      .map(toDraft),
  })),

  serve(
    drafts.createEmailDraft,
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

  serve(drafts.emailDraft$, { answers: draft }, ({ engine, input: { emailDraftId } }) =>
    toDraft(requireDraft(engine, emailDraftId)),
  ),

  serve(
    drafts.updateEmailDraft,
    { body: { themeId: v.optional(chosenTheme) }, ...ok },
    ({ engine: { tables, clock }, input: { emailDraftId, ...changes } }) => {
      const draft = tables.emailDrafts.get(emailDraftId) ?? refuse(hostedFailure('There is no draft with this id.'))
      tables.emailDrafts.put({ ...draft, ...presentIn(changes), changedAt: clock.now() })
      return { ok: 'ok' as const }
    },
  ),

  serve(drafts.deleteEmailDraft, ok, ({ engine, input: { emailDraftId } }) => {
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
  return tables.emailDrafts.get(id) ?? refuse(plain(status, text))
}

function toDraft(row: EmailDraftRow) {
  return { ...row, sentAt: row.sentAt === null ? null : new Date(row.sentAt) }
}
