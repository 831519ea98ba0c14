import { raw, requirePlayable, toText, Import, isValues, JsxElement, Thrown, Unplayable } from './tsx-built-in'
import type { Values } from './tsx-built-in'
import type { Interpreter } from './tsx-interpreter'

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements of a whole document, which the theme supplies. */
const ofDocument = new Set(['html', 'head', 'body'])
const notDrawn = new Set(['key', 'ref', 'children', 'dangerouslySetInnerHTML', 'style'])

/** The HTML that React makes of a value of a template, and the `value` of each component that is not drawn. */
export function drawnHtml(value: unknown, { budget, call }: Interpreter, isTemplate: boolean) {
  const parts: string[] = []
  const kept: Record<string, string> = {}
  let endsInText = false

  function draw(value: unknown): void {
    budget.deeper(() => {
      if (value == null || typeof value === 'boolean') return
      if (typeof value === 'string' || typeof value === 'number') text(escaped(value))
      else if (Array.isArray(value)) for (const each of value as readonly unknown[]) draw(each)
      else if (value instanceof JsxElement) element(value)
      else throw new Thrown('an object or a function is no content of an element')
    })
  }

  /** In a template, React marks where a text ends and another one begins. */
  function text(html: string): void {
    if (html === '') return
    if (isTemplate && endsInText) tag('<!-- -->')
    tag(html)
    endsInText = true
  }

  function tag(html: string): void {
    budget.spend(html.length)
    parts.push(html)
    endsInText = false
  }

  function element({ type, props }: JsxElement): void {
    if (typeof type === 'string') ofHtml(type, props)
    else if (!(type instanceof Import)) draw(call(type, [props], 'the type of an element'))
    else if (type.element) ofHtml(type.element, props)
    else if (type === raw) tag(String(props['html']))
    else if (type.element === '') draw(props['children'])
    else if (props['value'] !== undefined) kept[type.name] = toText(props['value'])
    requirePlayable(type)
  }

  function ofHtml(name: string, props: Readonly<Values>): void {
    // HTML that is put into a theme is no whole document.
    if (!isTemplate && ofDocument.has(name)) throw new Unplayable(`<${name}>: a mail is no whole document`)
    const { children, style, dangerouslySetInnerHTML: inner } = props
    const drawn = Object.entries(props).map(([prop, value]) => {
      if (notDrawn.has(prop) || value == null || value === false || typeof value === 'function') return ''
      return ` ${prop === 'className' ? 'class' : prop}="${value === true ? '' : escaped(value)}"`
    })
    if (style != null) drawn.push(` style="${escaped(cssOf(name, style))}"`)
    tag(`<${name}${drawn.join('')}>`)
    if (voids.has(name)) {
      if (children !== undefined) throw new Thrown(`<${name}> has no content; write <${name} />`)
      return
    }
    if (inner === undefined) draw(children)
    else if (isValues(inner) && typeof inner['__html'] === 'string') tag(inner['__html'])
    else throw new Thrown('dangerouslySetInnerHTML is not {{ __html: "…" }}')
    tag(`</${name}>`)
  }

  draw(value)
  return { html: parts.join(''), kept }
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' },
}

function escaped(value: unknown): string {
  return toText(value).replace(/[&<>"']/g, character => entities[character] ?? '')
}

/** The usual properties whose numbers are not pixels. */
const unitless = new Set(['fontWeight', 'lineHeight', 'opacity', 'order', 'flex', 'flexGrow', 'flexShrink', 'zIndex'])

function cssOf(element: string, style: unknown): string {
  if (!isValues(style)) throw new Thrown(`style of <${element}> is no object; write style={{ color: 'red' }}`)
  return Object.entries(style)
    .filter(([, value]) => value != null && value !== '' && typeof value !== 'boolean')
    .map(([name, value]) => {
      const unit = typeof value === 'number' && value !== 0 && !unitless.has(name) ? 'px' : ''
      return `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}:${toText(value)}${unit}`
    })
    .join(';')
}
