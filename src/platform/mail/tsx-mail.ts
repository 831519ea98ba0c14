import { builtInTemplates } from './email-templates'
import { themeColors, themedPage } from './email-themes'
import type { Row, Table } from '../data/table'
import type { EditableRegions } from './tsx-elements'
import { escapeHtml } from '../http/html'
import { Awaited } from '../http/serve'
import { at } from '../model/config-override'
import {
  themeIds,
  themeOf,
  type DrawnTemplate,
  type RunMail,
  type TsxThemeRow,
  type ThemeId,
  type Undrawn,
  type TsxTemplateRow,
} from '../model/emails'
import { configOf, configuredIn } from '../model/project-config'
import { projectOf, type Engine } from '../model/engine'
import { known, plain, refuse } from '../model/refusal'
import { drawTemplate, drawTheme, isOfHtml, newTheme } from './tsx-template'

/** A rendered mail. */
export interface TsxMail extends Omit<DrawnTemplate, 'html'> {
  /** The whole page, and the text that it shows, without the theme; with a link to unsubscribe at the end if there is one. */
  readonly page: (unsubscribe?: string) => { readonly html: string; readonly body: string }
}

/** A mail to render. */
interface MailToRender {
  readonly tsxSource: string
  readonly themeId?: ThemeId | undefined
  readonly themeTsxSource?: string | undefined
  /** Undefined: those of its preview. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /** The name of the user whom the mail is for. */
  readonly displayName?: string | null | undefined
  /** Where the texts of the mail are marked. */
  readonly regions?: EditableRegions | undefined
}

export const builtInThemes: readonly TsxThemeRow[] = [
  { id: themeIds['default-light'], displayName: 'Default Light', tsxSource: newTheme(themeColors['default-light']) },
  { id: themeIds['default-dark'], displayName: 'Default Dark', tsxSource: newTheme(themeColors['default-dark']) },
  {
    id: 'c7e2d94f-8a1b-4e6d-b3f5-9d0a2e7c1b8f',
    displayName: 'Default Colorful',
    tsxSource: newTheme({ backdrop: '#EDE9FE', canvas: '#FFFFFF', text: '#312E81' }),
  },
]

/** The platform's rows, as the project has changed them, and its own ones after them. */
function withOwn<R extends Row>(builtIn: readonly R[], table: Pick<Table<R>, 'get' | 'rows'>): readonly R[] {
  const own = table.rows().filter(({ id }) => !builtIn.some(each => each.id === id))
  return [...builtIn.map(row => table.get(row.id) ?? row), ...own]
}

/** The platform's three themes, and those of the project. */
export function tsxThemes({ tables }: Engine): readonly TsxThemeRow[] {
  return withOwn(builtInThemes, tables.tsxThemes)
}

/** The theme; the status tells in which call it is missing. */
export function requireTheme(engine: Engine, id: string, status: 400 | 404 = 404): TsxThemeRow {
  return tsxThemes(engine).find(each => each.id === id) ?? refuse(plain(status, 'No theme found with given id'))
}

/** The theme of the project's mails, of its own ones too. */
export function selectedTheme(engine: Engine): string {
  const themeId = String(at(configuredIn(projectOf(engine)).rendered, ['emails', 'selectedThemeId']))
  return tsxThemes(engine).some(({ id }) => id === themeId) ? themeId : themeIds['default-light']
}

/**
 * Reads all that a mail needs: a template and a theme, by its id or in TSX, or none. The function that it returns renders the mail, and
 * reads nothing more. So code of the mail runs while no unit of work is open, which must not wait for it.
 */
export function rendering(
  engine: Engine,
  { tsxSource, themeId, themeTsxSource, variables, displayName = null, regions }: MailToRender,
): (run: RunMail | undefined) => Promise<TsxMail | Undrawn> {
  const project = projectOf(engine)
  const themes = tsxThemes(engine)
  const wanted = themeId === false ? null : (themes.find(({ id }) => id === themeId)?.id ?? selectedTheme(engine))
  const theme = themes.find(({ id }) => id === wanted)
  // These two look like the themes of the reference release, as long as the project has not changed them.
  const [light, dark] = builtInThemes
  const themeSource = themeTsxSource ?? (theme === light || theme === dark ? undefined : theme?.tsxSource)
  return async runs => {
    // An editor's marks are made by the interpreter, and HTML is no code.
    const run = regions ? undefined : runs
    const isHtml = isOfHtml(tsxSource)
    const props = { variables, user: { displayName }, project: { displayName: project.displayName } }
    const drawn = await drawTemplate(tsxSource, props, regions, isHtml ? undefined : run)
    if ('error' in drawn) return drawn
    const lacks = (part: string) => ({ error: `${part} is required, import it from @stackframe/emails` })
    if (!isHtml && drawn.subject === undefined) return lacks('Subject')
    if (!isHtml && drawn.notificationCategory === undefined) return lacks('NotificationCategory')
    const around = themeSource === undefined ? undefined : await drawTheme(themeSource, regions, run)
    if (around && 'error' in around) return around
    const { html, ...named } = drawn
    return {
      ...named,
      page(unsubscribe) {
        const link = unsubscribe === undefined ? '' : `\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
        const body = html + link
        if (around) return { body, html: around.around(body) }
        return { body, html: wanted === null ? body : themedPage(project, themeOf(wanted), html, unsubscribe) }
      },
    }
  }
}

/** Answers with a rendering, in a unit of work of its own: no unit waits for it. Refuses a source that cannot be rendered. */
export function answerWith<T extends object, R>(
  { runMail }: Engine,
  render: (run: RunMail | undefined) => Promise<T | Undrawn>,
  answer: (engine: Engine, rendered: T) => R | Promise<R>,
): Awaited<R> {
  return new Awaited(async () => {
    const rendered = await render(runMail)
    return later => {
      if (!('error' in rendered)) return answer(later, rendered)
      const { error } = rendered
      throw known('EMAIL_RENDERING_ERROR', `Failed to render email with theme: ${error}`, { error })
    }
  })
}

/** Refuses mails of a project without a mail server of its own. */
export function requireOwnServer(engine: Engine): void {
  if (configOf(projectOf(engine)).emailConfig.type === 'standard') return
  throw known('REQUIRES_CUSTOM_EMAIL_SERVER', 'This project has no mail server of its own: email_config is shared.')
}

/** The platform's templates, some with a source of the project, and the project's own after them. */
export function tsxTemplates({ tables }: Engine): readonly TsxTemplateRow[] {
  return withOwn(builtInTemplates, tables.tsxTemplates)
}

/** The template, or a refusal with this status and text: each call has its own. */
export function requireTemplate(
  engine: Engine,
  id: string,
  status: 400 | 404 = 404,
  text = 'No template found with given id',
): TsxTemplateRow {
  return tsxTemplates(engine).find(each => each.id === id) ?? refuse(plain(status, text))
}
