import type { EmailTheme } from '../admin/email-templates'
import { emailPage, themeColors } from './email-themes'
import type { Engine } from './engine'
import { linksInHtml, textOfHtml } from './html-text'
import { post, senderOf } from './outbox'
import { escapeHtml } from './pages/html'
import type { ProjectRow } from './tables'

/**
 * Mails what the app has written itself, in the project's theme or in another; a theme of null is none. `unsubscribe` is a
 * link at its end.
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
): void {
  const { to, subject, theme = project.config.emailTheme, unsubscribe } = letter
  const html =
    unsubscribe === undefined
      ? letter.html
      : `${letter.html}\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
  post(engine, senderOf(project), {
    to,
    subject,
    text: textOfHtml(html),
    html: theme === null ? html : emailPage(html, themeColors[theme]),
    links: linksInHtml(html),
    code: null,
  })
}
