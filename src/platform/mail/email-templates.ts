import type { EmailTemplateType } from '../../entities/email-templates/admin'
import { presentIn } from '../../core/values'
import { emailTree, colorOf, numberOf, sizesOf, styleOf, textOf } from './email-blocks'
import { colorsIn, letterheadOf, emailPage } from './email-themes'
import type { Engine } from '../model/engine'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'
import type { EmailBlock } from './email-blocks'
import type { EmailColors, Letterhead } from './email-themes'
import { linksInHtml, textOfHtml } from './html-text'
import { escapeHtml } from '../http/html'

/** Subject and content of a mail, by the project or by the platform. */
interface Wording {
  readonly subject: string
  readonly content: unknown
}

/** The platform's texts, for templates that the project has not changed. */
export const defaultWordings: Readonly<Record<EmailTemplateType, Wording>> = {
  email_verification: {
    subject: 'Verify your e-mail address at {{ projectDisplayName }}',
    content: documentOf(
      text('Confirm that this e-mail address belongs to your account at {{ projectDisplayName }}:'),
      button('Verify the address', '{{ emailVerificationLink }}'),
    ),
  },
  password_reset: {
    subject: 'Reset your password at {{ projectDisplayName }}',
    content: documentOf(
      text('Choose a new password for your account at {{ projectDisplayName }}. Your old one works until you do.'),
      button('Choose a password', '{{ passwordResetLink }}'),
    ),
  },
  magic_link: {
    subject: 'Sign in to {{ projectDisplayName }}: your code is {{ otp }}',
    content: {
      ...documentOf(
        text(
          'Enter this code on the page where you asked for it, or open the link below, to sign in to {{ projectDisplayName }}:',
        ),
        {
          type: 'Container',
          data: {
            style: { fontSize: 28, fontWeight: 'bold', textAlign: 'center' },
            props: { childrenIds: ['code'] },
          },
        },
        button('Sign in', '{{ magicLink }}'),
      ),
      code: text('{{ otp }}'),
    },
  },
  team_invitation: {
    subject: 'Join {{ teamDisplayName }} at {{ projectDisplayName }}',
    content: documentOf(
      text('You are invited to the team {{ teamDisplayName }} at {{ projectDisplayName }}. Open this link to join it:'),
      button('Join the team', '{{ teamInvitationLink }}'),
    ),
  },
  sign_in_invitation: {
    subject: 'Sign in to {{ projectDisplayName }}',
    content: documentOf(
      text('You are invited to {{ projectDisplayName }}. Open this link to sign in:'),
      button('Sign in', '{{ signInInvitationLink }}'),
    ),
  },
}

/** For old apps, which support the link only. */
const magicLinkWithoutCode: Wording = {
  subject: 'Sign in to {{ projectDisplayName }}',
  content: documentOf(
    text('Open this link to sign in to {{ projectDisplayName }}:'),
    button('Sign in', '{{ magicLink }}'),
  ),
}

/** The subject and the HTML of a mail in the project's theme. */
export function composeEmail(
  { tables }: Engine,
  project: ProjectRow,
  type: EmailTemplateType,
  variables: EmailVariables,
): RenderedEmail & { readonly subject: string } {
  const standard =
    type === 'magic_link' && variables['otp'] === undefined ? magicLinkWithoutCode : defaultWordings[type]
  const { subject, content } = tables.emailTemplates.get(type) ?? standard
  const known = { projectDisplayName: project.displayName, ...variables }
  const theme = configOf(project).emailTheme
  return {
    // A header must be one line.
    subject: filledIn(subject, known).replace(/\s+/g, ' ').trim(),
    ...renderEmail(emailTree(content), colorsIn(theme, project), known, letterheadOf(project, theme)),
  }
}

function documentOf(...blocks: readonly object[]) {
  const named = blocks.map((block, index) => [`block-${index + 1}`, block] as const)
  return {
    root: { type: 'EmailLayout', data: { childrenIds: named.map(([id]) => id) } },
    ...Object.fromEntries(named),
  }
}

function text(content: string) {
  return { type: 'Text', data: { style: {}, props: { text: content } } }
}

function button(label: string, url: string) {
  return { type: 'Button', data: { style: {}, props: { text: label, url } } }
}

// Written by hand: templates are JSON blocks of the platform's editor, which no mail library reads, and this also runs in
// browsers.

/** Values of placeholders by name; a missing value is replaced by an empty text. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

/** A mail as it is sent. */
interface RenderedEmail {
  readonly html: string
  readonly text: string
  /** Every link in it, in order. */
  readonly links: readonly string[]
}

interface Context {
  readonly variables: EmailVariables
  readonly colors: EmailColors
  readonly links: string[]
}

interface Drawn {
  readonly html: string
  readonly text: string
}

/** Renders a template's document. Colours come from its layout if it names any, else from the theme. */
export function renderEmail(
  layout: EmailBlock,
  theme: EmailColors,
  variables: EmailVariables,
  letterhead?: Letterhead,
): RenderedEmail {
  const colorAt = (name: string) => colorOf(layout.props, name)
  const colors = {
    ...theme,
    ...presentIn({ backdrop: colorAt('backdropColor'), canvas: colorAt('canvasColor'), text: colorAt('textColor') }),
  }
  const links: string[] = []
  const { html, text } = drawAll(layout.columns.flat(), { variables, colors, links })
  const font = fonts[textOf(layout.props, 'fontFamily')]
  return {
    html: emailPage(html, colors, letterhead, font),
    text: `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`,
    links: [...new Set(links)],
  }
}

const fonts: Readonly<Record<string, string>> = {
  MODERN_SERIF: 'Georgia, serif',
  BOOK_SERIF: 'Palatino, serif',
  MONOSPACE: 'ui-monospace, monospace',
}

function drawAll(blocks: readonly EmailBlock[], context: Context): Drawn {
  const drawn = blocks.map(block => draw(block, context))
  return { html: drawn.map(({ html }) => html).join('\n'), text: drawn.map(({ text }) => text).join('\n\n') }
}

function draw(block: EmailBlock, context: Context): Drawn {
  const { type, props, style, columns } = block
  const { variables, links } = context
  const say = (name: string) => filledIn(textOf(props, name), variables)
  const css = styleOf(style)
  switch (type) {
    case 'EmailLayout':
    case 'Container': {
      const inner = drawAll(columns.flat(), context)
      return { ...inner, html: `<div${css}>\n${inner.html}\n</div>` }
    }
    case 'ColumnsContainer': {
      const inner = columns.map(column => drawAll(column, context))
      const cells = inner.map(({ html }) => `<td style="vertical-align:top">\n${html}\n</td>`).join('\n')
      return {
        html: `<table${css} role="presentation" width="100%"><tr>\n${cells}\n</tr></table>`,
        text: inner.map(({ text }) => text).join('\n\n'),
      }
    }
    case 'Text':
    case 'Heading': {
      const text = say('text')
      if (type === 'Text') links.push(...linksIn(text))
      const level = /^h[1-3]$/.test(textOf(props, 'level')) ? textOf(props, 'level') : 'h2'
      const tag = type === 'Text' ? 'p' : level
      return { html: `<${tag}${css}>${lines(text)}</${tag}>`, text }
    }
    case 'Button':
      return drawButton(block, say, context)
    case 'Image':
    case 'Avatar':
      return drawImage(block, say, links)
    case 'Divider':
      return { html: `<hr${css}>`, text: '---' }
    case 'Spacer':
      return { html: `<div style="height:${numberOf(props, 'height') ?? 16}px"></div>`, text: '' }
    case 'Html': {
      // The HTML is the admin's own; values of variables are escaped.
      const html = filledIn(textOf(props, 'contents'), variables, escapeHtml)
      links.push(...linksInHtml(html))
      return { html: `<div${css}>\n${html}\n</div>`, text: textOfHtml(html).trim() }
    }
  }
}

function drawButton({ props, style }: EmailBlock, say: (name: string) => string, { links, colors }: Context): Drawn {
  const [text, url] = [say('text'), linkTo(say('url'))]
  if (url !== '') links.push(url)
  const look = styleOf(style, [
    'display:inline-block',
    'padding:12px 20px',
    'border-radius:4px',
    `background-color:${colorOf(props, 'buttonBackgroundColor') ?? colors.accent}`,
    `color:${colorOf(props, 'buttonTextColor') ?? colors.onAccent}`,
  ])
  return { html: `<p><a href="${escapeHtml(url)}"${look}>${lines(text)}</a></p>`, text: `${text}\n${url}` }
}

function drawImage({ type, props, style }: EmailBlock, say: (name: string) => string, links: string[]): Drawn {
  const css = styleOf(style)
  const source = linkTo(say(type === 'Image' ? 'url' : 'imageUrl'))
  const image = `<img src="${escapeHtml(source)}" alt="${escapeHtml(say('alt'))}"${sizesOf(props)}>`
  const url = linkTo(say('linkHref'))
  if (url === '') return { html: `<p${css}>${image}</p>`, text: say('alt') }
  links.push(url)
  return { html: `<p${css}><a href="${escapeHtml(url)}">${image}</a></p>`, text: `${say('alt')}\n${url}` }
}

function lines(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>')
}

/** The URL if it may be a link in a mail; empty for scripts and invalid URLs. */
function linkTo(url: string): string {
  return URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : ''
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)]
    .map(([link]) => {
      // The punctuation of the sentence is no part of the link.
      let end = link.length
      while (end > 0 && '.,;:!?)'.includes(link.charAt(end - 1))) end--
      return link.slice(0, end)
    })
    .filter(linkTo)
}

/** Replaces each `{{ name }}` by its value. Placeholders inside values are not replaced. */
function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
