import * as v from 'valibot'
import { DEV } from '../../core/dev'
import { json, newer } from '../../core/wire'
import { invalidInput } from '../../errors/auth-error'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { givenThemeId } from './shape-theme-id'

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

/**
 * A template and a theme, each by its id or its source. Without a theme, or with null: the project's; false: none.
 *
 * @example
 * const themeTsxSource = 'export function EmailTheme({ children }) { return <main>{children}</main> }'
 * const input: RenderTsxEmailInput = { templateId: 'template-1', themeTsxSource }
 */
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
export const renderTsxEmail = mutation(
  endpoint('POST /emails/render-email', {
    access: 'admin',
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
  }),
  {
    prepare(_, input: RenderTsxEmailInput) {
      const { templateId, templateTsxSource, themeId, themeTsxSource } = input
      if ((templateId === undefined) === (templateTsxSource === undefined))
        throw invalidInput(
          'templateId',
          DEV ? 'of renderTsxEmail: exactly one of templateId and templateTsxSource is needed' : '',
        )
      if (themeId !== undefined && themeTsxSource !== undefined)
        throw invalidInput('themeId', DEV ? 'of renderTsxEmail: excludes themeTsxSource' : '')
      return input
    },
    refreshes: () => [],
  },
)
