import type { EmailTheme } from '../admin/email-templates'
import { escapeHtml } from './pages/html'

/** The colours of a mail: behind everything, behind the text, and of the text itself. */
export interface EmailColors {
  readonly backdrop: string
  readonly canvas: string
  readonly text: string
  /** Of buttons and links. */
  readonly accent: string
}

export const themeColors: Readonly<Record<EmailTheme, EmailColors>> = {
  'default-light': { backdrop: '#F5F5F5', canvas: '#FFFFFF', text: '#262626', accent: '#1D4ED8' },
  'default-dark': { backdrop: '#111827', canvas: '#1F2937', text: '#F3F4F6', accent: '#93C5FD' },
}

/** What the newer release calls the themes. */
export const themeIds: Readonly<Record<EmailTheme, string>> = {
  'default-light': '6f0d2a7e-3c1b-4f58-9a4e-51c27d90e3b1',
  'default-dark': 'c4b19e05-8d62-4a37-b0f7-2e6a93d1758c',
}

/** The theme that the newer release calls so; the light one where it has none of that id. */
export function themeOf(id: string): EmailTheme {
  return id === themeIds['default-dark'] ? 'default-dark' : 'default-light'
}

/** A whole mail; `body` is HTML. Mail programs know no stylesheets, so every style stands where it applies. */
export function emailPage(
  body: string,
  { backdrop, canvas, text }: EmailColors,
  font = 'system-ui, sans-serif',
): string {
  const around = `margin:0;padding:32px 0;background-color:${backdrop};color:${text};font:16px/1.5 ${font}`
  const inside = `max-width:600px;margin:0 auto;padding:16px 24px;background-color:${canvas};color:${text}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body style="${escapeHtml(around)}">
<div style="${escapeHtml(inside)}">
${body}
</div>
</body>
</html>
`
}
