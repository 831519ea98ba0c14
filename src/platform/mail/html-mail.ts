import type { EmailTheme } from '../../entities/email-templates/admin'
import { colorsIn, emailPage, letterheadOf } from './email-themes'
import type { Engine } from '../model/engine'
import { linksInHtml, textOfHtml } from './html-text'
import { post, senderOf } from './outbox'
import { escapeHtml } from '../http/html'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'

/**
 * Sends HTML of the app in the project's theme, in another theme, or in none (null). `unsubscribe` adds a link at its
 * end. False if the mail server refuses it.
 */
export function sendHtml(
  engine: Engine,
  project: ProjectRow,
  letter: {
    readonly to: string
    readonly subject: string
    readonly html: string
    readonly theme?: EmailTheme | null | undefined
    readonly unsubscribe?: string
  },
): boolean {
  const { to, subject, html, theme = configOf(project).emailTheme, unsubscribe } = letter
  const wayOut = unsubscribe === undefined ? '' : `\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
  return post(engine, senderOf(project), {
    to,
    subject,
    text: textOfHtml(html + wayOut),
    html:
      theme === null
        ? html + wayOut
        : emailPage(html, colorsIn(theme, project), letterheadOf(project, theme, unsubscribe)),
    links: linksInHtml(html + wayOut),
    code: null,
  })
}
