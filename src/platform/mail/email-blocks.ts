import { isRecord, presentIn } from '../../core/values'
import { emailPage, hexColor, type EmailColors, type Letterhead } from './email-themes'
import { readHtml } from './html-text'
import { escapeHtml } from '../http/html'
import { plain, refuse } from '../model/refusal'

// Draws the document of the hosted platform's e-mail editor: blocks by id, each `{ type, data: { style?, props? } }`.
// Written by hand: no mail library reads these blocks, and this also runs in browsers.

/** The settings of a block, of any writer. An invalid one is ignored. */
type Settings = Readonly<Record<string, unknown>>

const colorIn = (value: unknown) => (typeof value === 'string' && hexColor.test(value) ? value : undefined)
const sizeIn = (value: unknown) => (typeof value === 'number' && value >= 0 && value <= 2000 ? value : undefined)
const wordIn = (value: unknown, words: readonly string[]) => words.find(word => word === value)
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const settingsIn = (value: unknown): Settings => (isRecord(value) ? value : {})

/** More than any editor makes. Limits the recursive drawing, since one block may be the child of several others. */
const [deepest, most] = [50, 2000]

/** Values of placeholders by name; a missing value is replaced by an empty text. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

interface Drawn {
  readonly html: string
  readonly text: string
}

/** A mail as it is sent. */
interface RenderedEmail extends Drawn {
  /** Every link in it, in order. */
  readonly links: readonly string[]
}

/** A block to draw in a mail with these colours, and the links so far. */
interface Drawing {
  readonly props: Settings
  /** Draws the child blocks that the settings of the block, or of one of its columns, name. */
  readonly inside: (settings: Settings) => Drawn
  /** A text of the block, with the values of the variables. */
  readonly say: (name: string, show?: (value: string) => string) => string
  /** A `style` attribute with the settings of the block, after `more`. */
  readonly css: (more?: readonly string[]) => string
  readonly colors: EmailColors
  readonly links: string[]
}

/**
 * Renders a template's document. Refuses invalid content, and names what is wrong in which block. Colours come from its layout if
 * it names any, else from the theme.
 */
export function renderEmail(
  content: unknown,
  theme: EmailColors,
  variables: EmailVariables,
  letterhead?: Letterhead,
): RenderedEmail {
  const blocks = isRecord(content) ? content : refuse(refused('must be an object of blocks by id'))
  const links: string[] = []
  let left = most

  function read(id: string, above: readonly string[]) {
    if (above.includes(id)) throw refused(`has a block "${id}" that contains itself`)
    if (above.length >= deepest) throw refused(`has blocks that are nested more than ${deepest} deep`)
    if (left-- <= 0) throw refused(`has more than ${most} blocks`)
    // A block may be named like a member of Object.prototype.
    const block = Object.hasOwn(blocks, id) ? blocks[id] : undefined
    if (!isRecord(block)) throw refused(`has no block "${id}"`)
    const { data } = block
    const [type, drawBlock] = Object.entries(drawings).find(([name]) => name === block['type']) ?? []
    if (!drawBlock || !isRecord(data))
      throw refused(`has a block "${id}" without one of the types ${Object.keys(drawings).join(', ')} and data`)
    // A layout has its settings beside its children, other blocks have them in `props`.
    const props = type === 'EmailLayout' ? data : settingsIn(data['props'])
    return { type, drawBlock, props, style: settingsIn(data['style']) }
  }

  function drawAll({ childrenIds }: Settings, above: readonly string[]): Drawn {
    const drawn = listIn(childrenIds).map(child => {
      if (typeof child === 'string') return draw(child, above)
      throw refused(`has a block "${above.at(-1)}" with a child whose id is no text`)
    })
    return { html: drawn.map(({ html }) => html).join('\n'), text: drawn.map(({ text }) => text).join('\n\n') }
  }

  function draw(id: string, above: readonly string[]): Drawn {
    const { drawBlock, props, style } = read(id, above)
    const inside: Drawing['inside'] = settings => drawAll(settings, [...above, id])
    const say: Drawing['say'] = (name, show) => filledIn(textIn(props[name]), variables, show)
    const css: Drawing['css'] = (more = []) => attributeOf(style, more)
    return drawBlock({ props, inside, say, css, colors, links })
  }

  const { type, props } = read('root', [])
  if (type !== 'EmailLayout') throw refused('has a block "root" of another type than EmailLayout')
  const [backdrop, canvas, text] = [props['backdropColor'], props['canvasColor'], props['textColor']].map(colorIn)
  const colors = { ...theme, ...presentIn({ backdrop, canvas, text }) }
  const drawn = drawAll(props, ['root'])
  return {
    html: emailPage(drawn.html, colors, letterhead, fonts[textIn(props['fontFamily'])]),
    text: `${drawn.text.replace(/\n{3,}/g, '\n\n').trim()}\n`,
    links: [...new Set(links)],
  }
}

function refused(what: string) {
  return plain(400, `The content of an e-mail template ${what}.`)
}

const fonts: Readonly<Record<string, string>> = {
  MODERN_SERIF: 'Georgia, serif',
  BOOK_SERIF: 'Palatino, serif',
  MONOSPACE: 'ui-monospace, monospace',
}

const drawings: Readonly<Record<string, (block: Drawing) => Drawn>> = {
  EmailLayout: drawContainer,
  Container: drawContainer,
  ColumnsContainer({ props, inside, css }) {
    const columns = listIn(props['columns']).map(column => inside(settingsIn(column)))
    const cells = columns.map(({ html }) => `<td style="vertical-align:top">\n${html}\n</td>`).join('\n')
    return {
      html: `<table${css()} role="presentation" width="100%"><tr>\n${cells}\n</tr></table>`,
      text: columns.map(({ text }) => text).join('\n\n'),
    }
  },
  Text({ say, css, links }) {
    const text = say('text')
    links.push(...linksIn(text))
    return { html: `<p${css()}>${lines(text)}</p>`, text }
  },
  Heading({ props, say, css }) {
    const [level, text] = [wordIn(props['level'], ['h1', 'h2', 'h3']) ?? 'h2', say('text')]
    return { html: `<${level}${css()}>${lines(text)}</${level}>`, text }
  },
  Button({ props, say, css, links, colors }) {
    const [text, url] = [say('text'), linkTo(say('url'))]
    if (url !== '') links.push(url)
    const look = css([
      'display:inline-block',
      'padding:12px 20px',
      'border-radius:4px',
      `background-color:${colorIn(props['buttonBackgroundColor']) ?? colors.accent}`,
      `color:${colorIn(props['buttonTextColor']) ?? colors.onAccent}`,
    ])
    return { html: `<p><a href="${escapeHtml(url)}"${look}>${lines(text)}</a></p>`, text: `${text}\n${url}` }
  },
  Image: block => drawImage(block, 'url'),
  Avatar: block => drawImage(block, 'imageUrl'),
  Divider: ({ css }) => ({ html: `<hr${css()}>`, text: '---' }),
  Spacer: ({ props }) => ({ html: `<div style="height:${sizeIn(props['height']) ?? 16}px"></div>`, text: '' }),
  Html({ say, css, links }) {
    // The HTML is the admin's own; values of variables are escaped.
    const html = say('contents', escapeHtml)
    const read = readHtml(html)
    links.push(...read.links)
    return { html: `<div${css()}>\n${html}\n</div>`, text: read.text.trim() }
  },
}

function drawContainer({ props, inside, css }: Drawing): Drawn {
  const { html, text } = inside(props)
  return { html: `<div${css()}>\n${html}\n</div>`, text }
}

function drawImage({ props, say, css, links }: Drawing, source: string): Drawn {
  const sizes = ['width', 'height'].flatMap(name => {
    const size = sizeIn(props[name])
    return size === undefined ? [] : [` ${name}="${size}"`]
  })
  const [image, alt, url] = [linkTo(say(source)), say('alt'), linkTo(say('linkHref'))]
  const shown = `<img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"${sizes.join('')}>`
  if (url === '') return { html: `<p${css()}>${shown}</p>`, text: alt }
  links.push(url)
  return { html: `<p${css()}><a href="${escapeHtml(url)}">${shown}</a></p>`, text: `${alt}\n${url}` }
}

function attributeOf(style: Settings, more: readonly string[]): string {
  const padding = settingsIn(style['padding'])
  const pixelsIn = (value: unknown) => (sizeIn(value) === undefined ? undefined : `${sizeIn(value)}px`)
  const settings = {
    color: colorIn(style['color']),
    'background-color': colorIn(style['backgroundColor']),
    'font-weight': wordIn(style['fontWeight'], ['bold', 'normal']),
    'text-align': wordIn(style['textAlign'], ['left', 'center', 'right']),
    'font-size': pixelsIn(style['fontSize']),
    ...Object.fromEntries(['top', 'right', 'bottom', 'left'].map(side => [`padding-${side}`, pixelsIn(padding[side])])),
  }
  const all = [...more, ...Object.entries(presentIn(settings)).map(([name, value]) => `${name}:${value}`)]
  return all.length === 0 ? '' : ` style="${all.join(';')}"`
}

function lines(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>')
}

/** The URL if it may be a link in a mail; empty for scripts and invalid URLs. */
function linkTo(url: string): string {
  return URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : ''
}

function linksIn(text: string): string[] {
  // The punctuation of the sentence is no part of the link.
  return [...text.matchAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g)].map(([link]) => link).filter(linkTo)
}

/** Replaces each `{{ name }}` by its value. Placeholders inside values are not replaced. */
export function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
