import * as v from 'valibot'
import { adminStore, adminWrite, lacking, lenient, only, patch, type Shape } from '../declare'
import { missingRows, withoutRow } from '../rows'
import { configWritten } from '../config/server'
import { orUnlisted } from '../otherwise'

const emailThemeSummary = v.object({ id: v.string(), displayName: v.string() })

/** A theme in the list of themes, without its source. */
export interface EmailThemeSummary extends v.InferOutput<typeof emailThemeSummary> {}
export const EmailThemeSummary: Shape<EmailThemeSummary> = emailThemeSummary

const tsxEmailTheme = v.object({
  displayName: v.string(),
  /** A module that exports a React component, which shows the mail as its `children`. */
  tsxSource: v.string(),
})

/** The frame of mails: a theme written in TSX. */
export interface TsxEmailTheme extends v.InferOutput<typeof tsxEmailTheme> {}
export const TsxEmailTheme: Shape<TsxEmailTheme> = tsxEmailTheme

/**
 * The themes of mails: those of the platform and those of the project. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, as all
 * of these calls do; its two themes are those of `EmailTheme`.
 *
 * @example
 * const themes = await emailThemes$(admin).get()
 */
export const emailThemes$ = adminStore('GET /internal/email-themes', {
  returns: lenient(
    v.pipe(
      v.object({ themes: v.array(EmailThemeSummary) }),
      v.transform(({ themes }) => themes),
    ),
  ),
  notOnPlatform: lacking(404),
})

/**
 * One theme with its source; null if there is none with this id.
 *
 * @example
 * const theme = await emailTheme$(admin, { emailThemeId: 'theme-1' }).get()
 */
export const emailTheme$ = orUnlisted(
  adminStore('GET /internal/email-themes/{emailThemeId}', { returns: TsxEmailTheme }),
  emailThemes$,
)

/**
 * Creates a theme with a first content of the platform's; `updateEmailTheme` changes it.
 *
 * @example
 * const { id } = await createEmailTheme(admin, { displayName: 'Winter' })
 */
export const createEmailTheme = adminWrite('POST /internal/email-themes', {
  body: { displayName: v.string() },
  returns: v.object({ id: v.string() }),
  notOnPlatform: lacking(404),
  refreshes: () => [emailThemes$, configWritten],
  writes: ({ displayName }, { id }) => [patch(emailThemes$, {}, all => [...all, { id, displayName }])],
})

const { changeIsDone, deletionIsDone } = missingRows<'emailThemeId', {}>(emailThemes$, 'emailThemeId')

/**
 * Changes the source of a theme, also of one of the platform's. EMAIL_RENDERING_ERROR is returned for a source that cannot be
 * rendered, with the reason in `details.error`: then nothing is changed.
 *
 * @example
 * const tsxSource = `import { Body, Html } from '@react-email/components'
 *
 * export function EmailTheme({ children }) { return <Html><Body>{children}</Body></Html> }`
 * const result = await updateEmailTheme(admin, { emailThemeId: 'theme-1', tsxSource })
 */
export const updateEmailTheme = adminWrite('PATCH /internal/email-themes/{emailThemeId}', {
  body: { tsxSource: v.string() },
  returns: v.object({ displayName: v.string() }),
  fails: ['EMAIL_RENDERING_ERROR'],
  notOnPlatform: lacking(404),
  done: changeIsDone,
  refreshes: ({ emailThemeId }) => [only(emailTheme$, { emailThemeId }), configWritten],
  writes: ({ emailThemeId, tsxSource }, { displayName }) => [
    patch(emailTheme$, { emailThemeId }, () => ({ displayName, tsxSource })),
  ],
})

/**
 * Deletes a theme of the project; one that is already gone counts as done. The platform's own themes stay: REQUEST_FAILED with
 * status 400 on a local platform. Not every release can: NOT_ON_THIS_PLATFORM.
 *
 * @example
 * await deleteEmailTheme(admin, { emailThemeId: 'theme-1' })
 */
export const deleteEmailTheme = adminWrite('DELETE /internal/email-themes/{emailThemeId}', {
  notOnPlatform: lacking(404, 405),
  done: deletionIsDone,
  refreshes: ({ emailThemeId }) => [emailThemes$, only(emailTheme$, { emailThemeId }), configWritten],
  writes: ({ emailThemeId }) => [
    withoutRow(emailThemes$, {}, emailThemeId),
    patch(emailTheme$, { emailThemeId }, () => null),
  ],
})
