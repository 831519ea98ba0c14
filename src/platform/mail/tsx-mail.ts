import type { EmailTheme } from '../../definitions/admin/email-templates'
import { colorsIn, emailPage, letterheadOf, themeColors, themeIds } from './email-themes'
import { escapeHtml } from '../http/html'
import type { TsxThemeRow, ThemeId } from '../model/email-tables'
import type { Engine } from '../model/engine'
import { known, plain, schemaError } from '../model/refusal'
import type { ProjectRow } from '../model/project-tables'
import { drawTemplate, drawTheme, newTheme } from './tsx-template'
import type { Unplayed } from './tsx-template'

/** A rendered mail. */
export interface TsxMail {
  /** The whole page. */
  readonly html: string
  /** The text that the page shows, without the theme. */
  readonly body: string
  readonly subject?: string
  readonly notificationCategory?: string
}

const builtIn: readonly TsxThemeRow[] = (['default-light', 'default-dark'] as const).map(theme => ({
  id: themeIds[theme],
  displayName: theme === 'default-light' ? 'Default Light' : 'Default Dark',
  tsxSource: newTheme(themeColors[theme]),
}))

/** The platform's two themes, and those of the project. */
export function tsxThemes({ tables: { tsxThemes } }: Engine): readonly TsxThemeRow[] {
  const own = tsxThemes.rows().filter(({ id }) => !isBuiltIn(id))
  return [...builtIn.map(theme => tsxThemes.get(theme.id) ?? theme), ...own]
}

export function requireTheme(engine: Engine, id: string): TsxThemeRow {
  const theme = tsxThemes(engine).find(each => each.id === id)
  if (theme) return theme
  throw plain(404, 'There is no theme with this id.')
}

export function isBuiltIn(themeId: string): boolean {
  return builtIn.some(({ id }) => id === themeId)
}

/** Refuses the id of a theme that does not exist. */
export function checkTheme(engine: Engine, themeId: ThemeId | undefined): void {
  if (typeof themeId !== 'string' || tsxThemes(engine).some(({ id }) => id === themeId)) return
  throw schemaError('body.theme_id must be the id of a theme, null or false')
}

/**
 * Renders a template in a theme: one by its id, one in TSX, or none. `unsubscribe` adds a link at its end.
 */
export function renderTsx(
  engine: Engine,
  project: ProjectRow,
  mail: {
    readonly tsxSource: string
    readonly themeId?: ThemeId | undefined
    readonly themeTsxSource?: string | undefined
    readonly variables?: Readonly<Record<string, unknown>> | undefined
    readonly unsubscribe?: string | undefined
  },
): TsxMail | Unplayed {
  const { tsxSource, themeId, variables = {}, unsubscribe } = mail
  const drawn = drawTemplate(tsxSource, variables)
  if ('error' in drawn) return drawn
  const link = unsubscribe === undefined ? '' : `\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
  const body = drawn.html + link
  const id = themeId === false ? null : (themeId ?? themeIds[project.config.emailTheme])
  const source = mail.themeTsxSource ?? (id === null ? undefined : engine.tables.tsxThemes.get(id)?.tsxSource)
  if (source !== undefined) {
    const page = drawTheme(source, body)
    return 'error' in page ? page : { ...drawn, body, html: page.html }
  }
  if (id === null) return { ...drawn, body, html: body }
  const theme: EmailTheme = id === themeIds['default-dark'] ? 'default-dark' : 'default-light'
  const html = emailPage(drawn.html, colorsIn(theme, project), letterheadOf(project, theme, unsubscribe))
  return { ...drawn, body, html }
}

/** The rendered mail; refuses a source that cannot be played. */
export function requireRendered<T extends object>(rendered: T | Unplayed): T {
  if (!('error' in rendered)) return rendered
  const { error } = rendered
  throw known('EMAIL_RENDERING_ERROR', `The e-mail cannot be rendered: ${error}.`, { error })
}

/** Refuses mails of a project without a mail server of its own. */
export function requireOwnServer({ config }: ProjectRow): void {
  if (config.emailConfig.type === 'standard') return
  throw known('REQUIRES_CUSTOM_EMAIL_SERVER', 'This project has no mail server of its own: email_config is shared.')
}
