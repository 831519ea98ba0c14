import type { EmailTemplateType } from 'rxauth/admin'

/**
 * The mail's content with samples, for `renderEmail`, which adds the theme. The platform puts it into the theme as JSX,
 * so every element is closed and a style is an object.
 */
export function previewHtml(content: unknown, samples: Samples): string {
  return blocksAt(content, 'root')
    .map(block => html(block, samples))
    .join('')
}

function html({ type, style, props, children }: Block, samples: Samples): string {
  const say = (key: string) => escaped(filled(textOf(props[key]), samples))
  const css = styleOf(looksOf(style))
  switch (type) {
    case 'Heading':
      return `<h2${css}>${say('text')}</h2>`
    case 'Text':
      return `<p${css}>${say('text').replaceAll('\n', '<br />')}</p>`
    case 'Button':
      return `<p${css}><a href="${say('url')}"${styleOf({
        display: 'inline-block',
        padding: '12px 20px',
        borderRadius: '6px',
        color: colorOf(props['buttonTextColor'], '#ffffff'),
        background: colorOf(props['buttonBackgroundColor'], '#1f2937'),
      })}>${say('text')}</a></p>`
    case 'Image':
    case 'Avatar':
      return `<p${css}><img src="${say(type === 'Image' ? 'url' : 'imageUrl')}" alt="${say('alt')}"${styleOf({ maxWidth: '100%' })} /></p>`
    case 'Divider':
      return '<hr />'
    case 'Spacer':
      return `<div${styleOf({ height: `${Number(props['height']) || 16}px` })}></div>`
    case 'Html':
      return filled(textOf(props['contents']), samples)
    default:
      return `<div${css}>${children.map(each => html(each, samples)).join('')}</div>`
  }
}

/** The styles of a block that a preview shows. */
function looksOf(style: Block['style']): Readonly<Record<string, string>> {
  const align = ['left', 'center', 'right'].find(each => each === style['textAlign'])
  return {
    ...(align && { textAlign: align }),
    ...(Number(style['fontSize']) > 0 && { fontSize: `${Number(style['fontSize'])}px` }),
    ...(style['fontWeight'] === 'bold' && { fontWeight: 'bold' }),
  }
}

/** The `style` attribute, or nothing without styles. No value contains a quote. */
function styleOf(style: Readonly<Record<string, string>>): string {
  const entries = Object.entries(style).map(([name, value]) => `${name}: '${value}'`)
  return entries.length === 0 ? '' : ` style={{ ${entries.join(', ')} }}`
}

function colorOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^#[\da-f]{3,8}$/i.test(value) ? value : otherwise
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '{': '&#123;',
  '}': '&#125;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"{}]/g, character => entities[character] ?? character)
}

/** A sample value for each variable, while no mail has been sent. */
export type Samples = Readonly<Record<string, string>>

const link = 'https://example.com/handler/…'

const own: Readonly<Record<EmailTemplateType, Samples>> = {
  email_verification: { emailVerificationLink: link },
  password_reset: { passwordResetLink: link },
  magic_link: { magicLink: link, otp: 'A1B2C3' },
  team_invitation: { teamInvitationLink: link, teamDisplayName: 'Analytical Engines' },
  sign_in_invitation: { signInInvitationLink: link },
}

export function samplesFor(type: EmailTemplateType, projectDisplayName: string): Samples {
  return { projectDisplayName, userDisplayName: 'Ada Lovelace', ...own[type] }
}

/** Replaces each variable by its sample; other text stays. */
export function filled(text: string, samples: Samples): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(samples, name) ? (samples[name] ?? whole) : whole,
  )
}

type EditorJson = Readonly<Record<string, unknown>>

/** The fields of a block that the pages use. */
interface Block {
  readonly id: string
  readonly type: string
  readonly style: EditorJson
  readonly props: EditorJson
  readonly children: readonly Block[]
}

/**
 * The block with this id in a template's content: blocks by id, each `{ type, data: { style, props } }`, the first one in
 * `root`. None if it is invalid, or within itself.
 */
function blocksAt(content: unknown, id: string, above: readonly string[] = []): Block[] {
  const block = recordIn(content, id)
  const data = recordIn(block, 'data')
  if (above.includes(id) || !block || !data || typeof block['type'] !== 'string') return []
  const props = recordIn(data, 'props') ?? {}
  const parents: unknown[] = [data, props, props['columns']].flat()
  const ids = parents.flatMap(each => (isRecord(each) ? each['childrenIds'] : []))
  const children = ids.flatMap(each => (typeof each === 'string' ? blocksAt(content, each, [...above, id]) : []))
  return [{ id, type: block['type'], style: recordIn(data, 'style') ?? {}, props, children }]
}

/** A text of the mail that can be edited. */
interface TemplateText {
  readonly blockId: string
  readonly label: string
  readonly text: string
}

const labels: Readonly<Record<string, string>> = { Heading: 'Heading', Text: 'Text', Button: 'Button' }

/** Every text of the mail in order, numbered if there are several of a kind. */
export function textsOf(content: unknown): TemplateText[] {
  const below = (block: Block): Block[] => [block, ...block.children.flatMap(below)]
  const all = blocksAt(content, 'root').flatMap(below)
  const blocks = [...new Map(all.map(block => [block.id, block])).values()].filter(
    ({ type, props }) => type in labels && typeof props['text'] === 'string',
  )
  return blocks.map(({ id, type, props }) => {
    const alike = blocks.filter(each => each.type === type)
    const number = alike.length > 1 ? ` ${alike.findIndex(each => each.id === id) + 1}` : ''
    return { blockId: id, label: `${labels[type] ?? type}${number}`, text: String(props['text']) }
  })
}

/** The content with another text in one block. */
export function withText(content: unknown, blockId: string, text: string): unknown {
  const block = recordIn(content, blockId)
  const data = recordIn(block, 'data')
  if (!isRecord(content) || !data) return content
  return { ...content, [blockId]: { ...block, data: { ...data, props: { ...recordIn(data, 'props'), text } } } }
}

function recordIn(value: unknown, key: string): EditorJson | undefined {
  const found = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return isRecord(found) ? found : undefined
}

function isRecord(value: unknown): value is EditorJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
