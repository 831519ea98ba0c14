import * as v from 'valibot'
import { adminWrite, json, lacking, newer, patch, type Patch, query } from '../declare'
import { missingRows } from '../rows'
import { configWritten } from '../config/server'
import { tsxTemplates, givenThemeId, type TsxEmailTemplate } from './shape'
import { emailTemplates$ } from './admin'
import { misuse } from '../../errors/auth-error'

/**
 * Creates a template in TSX with a first content of the platform's. `emailTemplates$` then has it; `updateTsxEmailTemplate`
 * changes its content.
 *
 * Throws REQUIRES_CUSTOM_EMAIL_SERVER if the project has no mail server of its own, and NOT_ON_THIS_PLATFORM on release
 * 2.8.18, as all of these calls do.
 *
 * @example
 * const { id } = await createTsxEmailTemplate(admin, { displayName: 'News' })
 */
export const createTsxEmailTemplate = adminWrite('POST /internal/email-templates', {
  body: { displayName: v.string() },
  returns: v.object({ id: v.string() }),
  notOnPlatform: lacking(404),
  refreshes: () => [emailTemplates$, configWritten],
})

const { changeIsDone, deletionIsDone } = missingRows<'emailTemplateId', {}>(query(tsxTemplates), 'emailTemplateId')

/**
 * Changes the source of a template and, if given, its theme. Returns the rendered mail, or EMAIL_RENDERING_ERROR with the reason
 * in `details.error`: then nothing is changed. A local platform executes no code: it renders the JSX that one component
 * returns, with `{variables.name}`.
 *
 * @example
 * const tsxSource = `import { NotificationCategory, Subject } from '@stackframe/emails'
 *
 * export function EmailTemplate() {
 *   return <p><Subject value="News" /><NotificationCategory value="Marketing" />We launch on Monday.</p>
 * }`
 * const result = await updateTsxEmailTemplate(admin, { emailTemplateId: 'template-1', tsxSource })
 * if (result.ok) console.log(result.value.renderedHtml)
 */
export const updateTsxEmailTemplate = adminWrite('PATCH /internal/email-templates/{emailTemplateId}', {
  body: { tsxSource: v.string(), themeId: givenThemeId() },
  returns: v.object({ renderedHtml: v.string() }),
  fails: ['EMAIL_RENDERING_ERROR'],
  notOnPlatform: lacking(404),
  done: changeIsDone,
  refreshes: () => [emailTemplates$, configWritten],
  writes: ({ emailTemplateId, tsxSource, themeId }) => [
    inTemplates(all =>
      all.map(template =>
        template.id === emailTemplateId
          ? { ...template, tsxSource, ...(themeId !== undefined && { themeId }) }
          : template,
      ),
    ),
  ],
})

/**
 * Deletes a template; one that is already gone counts as done.
 *
 * @example
 * await deleteTsxEmailTemplate(admin, { emailTemplateId: 'template-1' })
 */
export const deleteTsxEmailTemplate = adminWrite('DELETE /internal/email-templates/{emailTemplateId}', {
  notOnPlatform: lacking(404),
  done: deletionIsDone,
  refreshes: () => [emailTemplates$, configWritten],
  writes: ({ emailTemplateId }) => [inTemplates(all => all.filter(({ id }) => id !== emailTemplateId))],
})

/** A change of the templates of this era; a store of the other one has no row with such an id. */
function inTemplates(change: (all: readonly TsxEmailTemplate[]) => TsxEmailTemplate[]): Patch {
  return patch(emailTemplates$, {}, all => change(all.filter(template => template.source === 'tsx')))
}

interface Editing {
  /** Marks in the HTML what an editor may change, and lists it in `editableRegions`. */
  readonly editableMarkers?: boolean
  readonly editableSource?: 'template' | 'theme' | 'both'
}

type Template =
  | { readonly templateId: string; readonly templateTsxSource?: never }
  | { readonly templateTsxSource: string; readonly templateId?: never }

type Theme =
  | { readonly themeId?: string | false | null; readonly themeTsxSource?: never }
  | { readonly themeTsxSource: string; readonly themeId?: never }

/** A template and a theme, each by its id or its source. Without a theme, or with null: the project's; false: none. */
export type RenderTsxEmailInput = Template & Theme & Editing

/**
 * Renders a template in a theme without sending it. EMAIL_RENDERING_ERROR is returned for a source that cannot be rendered,
 * with the reason in `details.error`. `subject` and `notificationCategory` are those that the template names.
 *
 * Throws INVALID_INPUT, before a request, unless there is exactly one template, and for two themes, REQUEST_FAILED with status 400 or
 * 404 for an unknown id, and NOT_ON_THIS_PLATFORM on release 2.8.18, where `renderEmail` renders HTML.
 *
 * @example
 * const result = await renderTsxEmail(admin, { templateId: 'template-1', themeId: 'theme-1' })
 * if (result.ok) console.log(result.value.subject, result.value.html)
 */
export const renderTsxEmail = adminWrite('POST /emails/render-email', {
  body: {
    templateId: newer(v.optional(v.string())),
    templateTsxSource: newer(v.optional(v.string())),
    themeId: newer(givenThemeId()),
    themeTsxSource: newer(v.optional(v.string())),
    editableMarkers: newer(v.optional(v.boolean())),
    editableSource: newer(v.optional(v.picklist(['template', 'theme', 'both']))),
  },
  returns: v.object({
    html: v.string(),
    subject: v.optional(v.string()),
    notificationCategory: v.optional(v.string()),
    /** In the platform's own form. */
    editableRegions: v.optional(json()),
  }),
  fails: ['EMAIL_RENDERING_ERROR'],
  notOnPlatform: lacking(),
  prepare(_, input: RenderTsxEmailInput) {
    const { templateId, templateTsxSource, themeId, themeTsxSource } = input
    if ((templateId === undefined) === (templateTsxSource === undefined))
      throw misuse('templateId', 'of renderTsxEmail: exactly one of templateId and templateTsxSource is needed')
    if (themeId !== undefined && themeTsxSource !== undefined)
      throw misuse('themeId', 'of renderTsxEmail: excludes themeTsxSource')
    return input
  },
  refreshes: () => [],
})
