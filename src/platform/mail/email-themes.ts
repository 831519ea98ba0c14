import type { EmailTheme } from '../../entities/email-templates/admin'
import { escapeHtml } from '../http/html'
import type { ProjectRow } from '../model/projects'

export const hexColor = /^#[\da-f]{3,8}$/i

/** The colours of a mail: page background, background of the text, and the text itself. */
export interface EmailColors {
  readonly backdrop: string
  readonly canvas: string
  readonly text: string
  /** The colour of buttons and lines. */
  readonly accent: string
  readonly onAccent: string
}

export const themeColors: Readonly<Record<EmailTheme, EmailColors>> = {
  'default-light': {
    backdrop: '#F5F5F5',
    canvas: '#FFFFFF',
    text: '#262626',
    accent: '#1D4ED8',
    onAccent: '#FFFFFF',
  },
  'default-dark': {
    backdrop: '#111827',
    canvas: '#1F2937',
    text: '#F3F4F6',
    accent: '#93C5FD',
    onAccent: '#111827',
  },
}

/** The parts of a project that its mails show above and below the text. */
export interface Letterhead {
  readonly name: string
  readonly logoUrl: string | null
  /** The unsubscribe address at the end of the mail. */
  readonly unsubscribe?: string | undefined
}

export function letterheadOf(
  { displayName: name, ...logos }: ProjectRow,
  theme: EmailTheme,
  unsubscribe?: string,
): Letterhead {
  const light = logos.logoFullUrl ?? logos.logoUrl ?? null
  const logoUrl = theme === 'default-dark' ? (logos.logoFullDarkModeUrl ?? logos.logoDarkModeUrl ?? light) : light
  return { name, logoUrl, unsubscribe }
}

/** The theme's colours, with the project's colour for buttons and lines. */
export function colorsIn(theme: EmailTheme, project: ProjectRow): EmailColors {
  const { color: accent = null } = project
  return {
    ...themeColors[theme],
    ...(accent !== null && hexColor.test(accent) && { accent, onAccent: textOn(accent) }),
  }
}

/** Black or white, the one with more contrast on the colour (WCAG 2, relative luminance). */
function textOn(color: string): string {
  // #rgb is short for #rrggbb.
  const long = color.length < 7 ? color.replace(/[^#]/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = (/^#(..)(..)(..)/.exec(long) ?? []).slice(1).map(hex => {
    const part = parseInt(hex, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#FFFFFF'
}

const defaultFont = 'system-ui, sans-serif'

/**
 * A complete mail; `body` is HTML. Styles are inline because mail programs ignore style sheets. A preview has no
 * letterhead.
 */
export function emailPage(body: string, colors: EmailColors, letterhead?: Letterhead, font = defaultFont): string {
  const { backdrop, canvas, text, accent } = colors
  const around = `margin:0;padding:32px 8px;background-color:${backdrop};color:${text};font:16px/1.5 ${font}`
  const inside = `max-width:600px;margin:0 auto;padding:16px 24px;border-top:4px solid ${accent};border-radius:8px;background-color:${canvas};color:${text}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body style="${escapeHtml(around)}">
${letterhead ? head(letterhead) : ''}<div style="${escapeHtml(inside)}">
${body}
</div>
${letterhead ? foot(letterhead, colors) : ''}</body>
</html>
`
}

/** A mail of the project in a theme. */
export function themedPage(project: ProjectRow, theme: EmailTheme, body: string, unsubscribe?: string): string {
  return emailPage(body, colorsIn(theme, project), letterheadOf(project, theme, unsubscribe))
}

const row = 'max-width:600px;margin:0 auto;padding:0 24px'

function head({ name, logoUrl }: Letterhead): string {
  const shown =
    logoUrl !== null && /^(https?:\/\/|data:image\/)/.test(logoUrl)
      ? `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="40">`
      : escapeHtml(name)
  return `<p style="${row};padding-bottom:16px;font-size:20px;font-weight:bold">${shown}</p>\n`
}

function foot({ name, unsubscribe }: Letterhead, { text }: EmailColors): string {
  const end =
    unsubscribe === undefined
      ? 'If you did not expect this e-mail, you can ignore it.'
      : `<a href="${escapeHtml(unsubscribe)}" style="color:${text}">Unsubscribe</a>`
  return `<p style="${row};padding-top:16px;font-size:13px">Sent by ${escapeHtml(name)}. ${end}</p>\n`
}
