import type { Engine } from './engine'
import { post, senderAddress } from './mail'
import { escapeHtml } from './pages/html'
import type { ProjectRow } from './tables'

const linkForm = /<a\b[^>]*?href="([^"]*)"[^>]*>([^]*?)<\/a\s*>/gi
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Mails what the app has written itself, in the name of the project's mail server; `unsubscribe` is a link at its end. */
export function sendHtml(
  engine: Engine,
  project: ProjectRow,
  letter: { readonly to: string; readonly subject: string; readonly html: string; readonly unsubscribe?: string },
): void {
  const { senderName = project.displayName, senderEmail = senderAddress } = project.config.emailConfig
  const { to, subject, unsubscribe } = letter
  const html =
    unsubscribe === undefined
      ? letter.html
      : `${letter.html}\n<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>\n`
  post(engine, {
    from: `${senderName} <${senderEmail}>`,
    to,
    subject,
    text: textOf(html),
    html,
    links: [...html.matchAll(linkForm)].map(([, link = '']) => unescapeHtml(link)),
    code: null,
  })
}

/** What a mail program without HTML shows: the text, with the address behind each link. */
function textOf(html: string): string {
  const text = html
    .replace(/<(style|script|head)\b[^]*?<\/\1\s*>/gi, '')
    .replace(linkForm, '$2 ($1)')
    .replace(/<br\b[^>]*>|<\/(p|div|h\d|li|tr)\s*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
  return `${unescapeHtml(text)
    .replace(/\n\s*\n/g, '\n')
    .trim()}\n`
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name.toLowerCase()] ?? whole
  })
}
