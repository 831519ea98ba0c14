import * as v from 'valibot'
import { missingRows } from '../unlisted'
import { configWritten } from '../config/server-config-written'
import { mutation, patch } from '../../store/write/mutation'
import type { Patch } from '../../store/source'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { tsxTemplates } from './shape-email-template-fields'
import type { TsxEmailTemplate } from './shape-email-template-fields'
import { emailTemplates$ } from './admin'
import { givenThemeId } from './shape-theme-id'

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
export const createTsxEmailTemplate = mutation(
  endpoint('POST /internal/email-templates', {
    access: 'admin',
    body: { displayName: v.string() },
    returns: v.object({ id: v.string() }),
    notOnPlatform: lacking(404),
  }),
  { refreshes: () => [emailTemplates$, configWritten] },
)

const { changeIsDone, deletionIsDone } = missingRows<'emailTemplateId', {}>(tsxTemplates, 'emailTemplateId')

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
export const updateTsxEmailTemplate = mutation(
  endpoint('PATCH /internal/email-templates/{emailTemplateId}', {
    access: 'admin',
    body: { tsxSource: v.string(), themeId: givenThemeId() },
    returns: v.object({ renderedHtml: v.string() }),
    fails: ['EMAIL_RENDERING_ERROR'],
    notOnPlatform: lacking(404),
  }),
  {
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
  },
)

/**
 * Deletes a template; one that is already gone counts as done.
 *
 * @example
 * await deleteTsxEmailTemplate(admin, { emailTemplateId: 'template-1' })
 */
export const deleteTsxEmailTemplate = mutation(
  endpoint('DELETE /internal/email-templates/{emailTemplateId}', { access: 'admin', notOnPlatform: lacking(404) }),
  {
    done: deletionIsDone,
    refreshes: () => [emailTemplates$, configWritten],
    writes: ({ emailTemplateId }) => [inTemplates(all => all.filter(({ id }) => id !== emailTemplateId))],
  },
)

/** A change of the templates of this era; a store of the other one has no row with such an id. */
function inTemplates(change: (all: readonly TsxEmailTemplate[]) => TsxEmailTemplate[]): Patch {
  return patch(emailTemplates$, {}, all => change(all.filter(template => template.source === 'tsx')))
}
