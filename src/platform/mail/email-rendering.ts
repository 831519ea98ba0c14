import { colorOf, colorsOf, numberOf, sizesOf, styleOf, textOf } from './email-blocks'
import type { EmailBlock } from './email-blocks'
import { emailPage } from './email-themes'
import type { EmailColors, Letterhead } from './email-themes'
import { linksInHtml, textOfHtml } from './html-text'
import { escapeHtml } from '../http/html'

// Written by hand: templates are JSON blocks of the platform's editor, which no mail library reads, and this also runs in
// browsers.

/** Values of placeholders by name; a missing value is replaced by an empty text. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

/** A mail as it is sent. */
export interface RenderedEmail {
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

/** A block as HTML and as plain text. */
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
  const colors = {
    ...theme,
    ...colorsOf(layout.props, { backdrop: 'backdropColor', canvas: 'canvasColor', text: 'textColor' }),
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
  const say: Say = name => filledIn(textOf(props, name), variables)
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
    case 'Text': {
      const text = say('text')
      links.push(...linksIn(text))
      return { html: `<p${css}>${lines(text)}</p>`, text }
    }
    case 'Heading': {
      const text = say('text')
      const level = /^h[1-3]$/.test(textOf(props, 'level')) ? textOf(props, 'level') : 'h2'
      return { html: `<${level}${css}>${lines(text)}</${level}>`, text }
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

/** The property as text, with the values of its variables. */
type Say = (name: string) => string

function drawButton({ props, style }: EmailBlock, say: Say, { links, colors }: Context): Drawn {
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

/** An image or avatar, which may be a link. */
function drawImage({ type, props, style }: EmailBlock, say: Say, links: string[]): Drawn {
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

/** Removes the punctuation of the sentence from the end of a link. */
function withoutMarks(link: string): string {
  let end = link.length
  while (end > 0 && '.,;:!?)'.includes(link.charAt(end - 1))) end--
  return link.slice(0, end)
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => withoutMarks(link)).filter(linkTo)
}

/** Replaces each `{{ name }}` by its value. Placeholders inside values are not replaced. */
export function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
