import * as v from 'valibot'
import { isRecord, presentIn } from '../../core/values'
import { emailPage, hexColor, type EmailColors, type Letterhead } from './email-themes'
import { readHtml } from './html-text'
import { escapeHtml } from '../http/html'
import { plain } from '../model/refusal'

// Reads and draws the document of the hosted platform's e-mail editor: blocks by id, each `{ type, data: { style?, props? } }`.
// Written by hand: no mail library reads these blocks, and this also runs in browsers.

/** Values that cannot break out of an attribute. An invalid one is ignored. */
const color = v.fallback(v.optional(v.pipe(v.string(), v.regex(hexColor))), undefined)
const size = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2000))), undefined)
const text = v.fallback(v.optional(v.string(), ''), '')
const list = v.fallback(v.optional(v.array(v.unknown()), []), [])
const wordOf = (words: readonly string[]) => v.fallback(v.optional(v.picklist(words)), undefined)
const recordOf = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.unknown(),
    v.transform(value => (isRecord(value) ? value : {})),
    v.object(entries),
  )

/** The settings of a style, in the order in which they are drawn. */
const Style = recordOf({
  ...{ color, backgroundColor: color, fontWeight: wordOf(['bold', 'normal']) },
  ...{ textAlign: wordOf(['left', 'center', 'right']), fontSize: size },
  padding: v.optional(recordOf({ top: size, right: size, bottom: size, left: size })),
})

/** The settings of all blocks. */
const Props = recordOf({
  ...{ text, url: text, imageUrl: text, alt: text, linkHref: text, contents: text, fontFamily: text },
  ...{ level: wordOf(['h1', 'h2', 'h3']), width: size, height: size },
  ...{ buttonBackgroundColor: color, buttonTextColor: color, childrenIds: list, columns: list },
  ...{ backdropColor: color, canvasColor: color, textColor: color },
})

/** One block, with the blocks in it. */
interface EmailBlock {
  readonly type: string
  readonly style: v.InferOutput<typeof Style>
  readonly props: v.InferOutput<typeof Props>
  /** Lists of child blocks: one list, except in a block with columns. */
  readonly columns: readonly (readonly EmailBlock[])[]
}

/** More than any editor makes. Limits the recursive drawing, since one block may be the child of several others. */
const [deepest, most] = [50, 2000]

/** The document as a tree. Refuses invalid content and names what is wrong in which block. */
export function emailTree(content: unknown): EmailBlock {
  if (!isRecord(content)) throw refused('must be an object of blocks by id')
  const root = blockIn(content, 'root', [], { left: most })
  if (root.type !== 'EmailLayout') throw refused('has a block "root" of another type than EmailLayout')
  return root
}

function blockIn(
  blocks: Readonly<Record<string, unknown>>,
  id: string,
  above: readonly string[],
  budget: { left: number },
): EmailBlock {
  if (above.includes(id)) throw refused(`has a block "${id}" that contains itself`)
  if (above.length >= deepest) throw refused(`has blocks that are nested more than ${deepest} deep`)
  if (budget.left-- <= 0) throw refused(`has more than ${most} blocks`)
  // A block may be named like a member of Object.prototype.
  const block = Object.hasOwn(blocks, id) ? blocks[id] : undefined
  if (!isRecord(block)) throw refused(`has no block "${id}"`)
  const { type: name, data } = block
  const types = Object.keys(drawings)
  const type = types.find(each => each === name)
  if (!type || !isRecord(data))
    throw refused(`has a block "${id}" without one of the types ${types.join(', ')} and data`)
  // A layout has its settings beside its children, other blocks have them in `props`.
  const props = v.parse(Props, type === 'EmailLayout' ? data : data['props'])
  const lists = type === 'ColumnsContainer' ? props.columns.map(column => v.parse(Props, column)) : [props]
  return {
    type,
    props,
    style: v.parse(Style, data['style']),
    columns: lists.map(({ childrenIds }) =>
      childrenIds.map(child => {
        if (typeof child !== 'string') throw refused(`has a block "${id}" with a child whose id is no text`)
        return blockIn(blocks, child, [...above, id], budget)
      }),
    ),
  }
}

function refused(what: string) {
  return plain(400, `The content of an e-mail template ${what}.`)
}

/** Values of placeholders by name; a missing value is replaced by an empty text. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

/** A mail as it is sent. */
interface RenderedEmail extends Drawn {
  /** Every link in it, in order. */
  readonly links: readonly string[]
}

interface Drawn {
  readonly html: string
  readonly text: string
}

type TextName = 'text' | 'url' | 'imageUrl' | 'alt' | 'linkHref' | 'contents'

/** A block to draw in a mail with these colours, and the links so far. */
interface Drawing extends EmailBlock {
  /** A text of the block, with the values of the variables. */
  readonly say: (name: TextName, show?: (value: string) => string) => string
  readonly drawAll: (blocks: readonly EmailBlock[]) => Drawn
  /** A `style` attribute with the settings of the block, after `more`. */
  readonly css: (more?: readonly string[]) => string
  readonly colors: EmailColors
  readonly links: string[]
}

/** Renders a template's document. Colours come from its layout if it names any, else from the theme. */
export function renderEmail(
  { props, columns }: EmailBlock,
  theme: EmailColors,
  variables: EmailVariables,
  letterhead?: Letterhead,
): RenderedEmail {
  const { backdropColor: backdrop, canvasColor: canvas, textColor: text, fontFamily } = props
  const colors = { ...theme, ...presentIn({ backdrop, canvas, text }) }
  const links: string[] = []
  const drawAll = (blocks: readonly EmailBlock[]): Drawn => {
    const drawn = blocks.flatMap(block => {
      const css = (more: readonly string[] = []) => attributeOf(block.style, more)
      const say: Drawing['say'] = (name, show) => filledIn(block.props[name], variables, show)
      return drawings[block.type]?.({ ...block, say, drawAll, css, colors, links }) ?? []
    })
    return { html: drawn.map(({ html }) => html).join('\n'), text: drawn.map(({ text }) => text).join('\n\n') }
  }
  const { html, text: said } = drawAll(columns.flat())
  return {
    html: emailPage(html, colors, letterhead, fonts[fontFamily]),
    text: `${said.replace(/\n{3,}/g, '\n\n').trim()}\n`,
    links: [...new Set(links)],
  }
}

const fonts: Readonly<Record<string, string>> = {
  MODERN_SERIF: 'Georgia, serif',
  BOOK_SERIF: 'Palatino, serif',
  MONOSPACE: 'ui-monospace, monospace',
}

const drawings: Readonly<Record<string, (block: Drawing) => Drawn>> = {
  EmailLayout: drawContainer,
  Container: drawContainer,
  ColumnsContainer({ columns, css, drawAll }) {
    const inner = columns.map(drawAll)
    const cells = inner.map(({ html }) => `<td style="vertical-align:top">\n${html}\n</td>`).join('\n')
    return {
      html: `<table${css()} role="presentation" width="100%"><tr>\n${cells}\n</tr></table>`,
      text: inner.map(({ text }) => text).join('\n\n'),
    }
  },
  Text({ say, css, links }) {
    const text = say('text')
    links.push(...linksIn(text))
    return { html: `<p${css()}>${lines(text)}</p>`, text }
  },
  Heading({ props: { level = 'h2' }, say, css }) {
    const text = say('text')
    return { html: `<${level}${css()}>${lines(text)}</${level}>`, text }
  },
  Button({ props, say, css, links, colors }) {
    const [text, url] = [say('text'), linkTo(say('url'))]
    if (url !== '') links.push(url)
    const look = css([
      'display:inline-block',
      'padding:12px 20px',
      'border-radius:4px',
      `background-color:${props.buttonBackgroundColor ?? colors.accent}`,
      `color:${props.buttonTextColor ?? colors.onAccent}`,
    ])
    return { html: `<p><a href="${escapeHtml(url)}"${look}>${lines(text)}</a></p>`, text: `${text}\n${url}` }
  },
  Image: drawImage,
  Avatar: drawImage,
  Divider: ({ css }) => ({ html: `<hr${css()}>`, text: '---' }),
  Spacer: ({ props: { height = 16 } }) => ({ html: `<div style="height:${height}px"></div>`, text: '' }),
  Html({ say, css, links }) {
    // The HTML is the admin's own; values of variables are escaped.
    const html = say('contents', escapeHtml)
    links.push(...readHtml(html).links)
    return { html: `<div${css()}>\n${html}\n</div>`, text: readHtml(html).text.trim() }
  },
}

function drawContainer({ columns, css, drawAll }: Drawing): Drawn {
  const { html, text } = drawAll(columns.flat())
  return { html: `<div${css()}>\n${html}\n</div>`, text }
}

function drawImage({ type, props: { width, height }, say, css, links }: Drawing): Drawn {
  const sizes = Object.entries(presentIn({ width, height })).map(([name, value]) => ` ${name}="${value}"`)
  const [source, alt, url] = [say(type === 'Image' ? 'url' : 'imageUrl'), say('alt'), linkTo(say('linkHref'))]
  const image = `<img src="${escapeHtml(linkTo(source))}" alt="${escapeHtml(alt)}"${sizes.join('')}>`
  if (url === '') return { html: `<p${css()}>${image}</p>`, text: alt }
  links.push(url)
  return { html: `<p${css()}><a href="${escapeHtml(url)}">${image}</a></p>`, text: `${alt}\n${url}` }
}

function attributeOf({ padding = {}, ...words }: EmailBlock['style'], more: readonly string[]): string {
  const sides = Object.entries(padding).map(([side, width]) => [`padding-${side}`, width] as const)
  const said = [...Object.entries(words), ...sides].flatMap(([name, value]) => {
    const property = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    return value === undefined ? [] : [`${property}:${value}${typeof value === 'number' ? 'px' : ''}`]
  })
  const all = [...more, ...said]
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
export function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
