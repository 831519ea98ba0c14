import { blockOf } from './blocks'
import type { Block } from './blocks'
import { filled } from './samples'
import type { Samples } from './samples'

/** The mail as HTML with samples in it, without its look, which `renderEmail` gives it. */
export function previewHtml(content: unknown, samples: Samples): string {
  const draw = (id: string, above: readonly string[]): string => {
    const block = above.includes(id) ? null : blockOf(content, id)
    return block ? html(block, samples, () => block.childrenIds.map(each => draw(each, [...above, id])).join('')) : ''
  }
  return draw('root', [])
}

function html({ type, style, props }: Block, samples: Samples, inner: () => string): string {
  const say = (key: string) => escaped(filled(textOf(props[key]), samples))
  const css = `style="${cssOf(style)}"`
  switch (type) {
    case 'Heading':
      return `<h2 ${css}>${say('text')}</h2>`
    case 'Text':
      return `<p ${css}>${say('text').replaceAll('\n', '<br>')}</p>`
    case 'Button':
      return `<p ${css}><a href="${say('url')}" style="display:inline-block;padding:12px 20px;border-radius:6px;color:${colorOf(props['buttonTextColor'], '#ffffff')};background:${colorOf(props['buttonBackgroundColor'], '#1f2937')}">${say('text')}</a></p>`
    case 'Image':
    case 'Avatar':
      return `<p ${css}><img src="${say(type === 'Image' ? 'url' : 'imageUrl')}" alt="${say('alt')}" style="max-width:100%"></p>`
    case 'Divider':
      return '<hr>'
    case 'Spacer':
      return `<div style="height:${Number(props['height']) || 16}px"></div>`
    case 'Html':
      return filled(textOf(props['contents']), samples)
    default:
      return `<div ${css}>${inner()}</div>`
  }
}

/** What is said of a block's looks, as far as a preview shows it. */
function cssOf(style: Block['style']): string {
  const align = ['left', 'center', 'right'].find(each => each === style['textAlign'])
  return [
    ...(align ? [`text-align:${align}`] : []),
    ...(Number(style['fontSize']) > 0 ? [`font-size:${Number(style['fontSize'])}px`] : []),
    ...(style['fontWeight'] === 'bold' ? ['font-weight:bold'] : []),
  ].join(';')
}

function colorOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && /^#[\da-f]{3,8}$/i.test(value) ? value : otherwise
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, character => entities[character] ?? character)
}
