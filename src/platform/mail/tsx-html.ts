import { requirePlayable, toText, Html, Import, isValues, JsxElement, Thrown, Unplayable } from './tsx-built-in'
import type { Values } from './tsx-built-in'
import type { Interpreter } from './tsx-interpreter'

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements of a whole document, which the theme supplies. */
const ofDocument = new Set(['html', 'head', 'body'])
const notDrawn = new Set(['key', 'ref', 'children', 'dangerouslySetInnerHTML', 'style'])

/** Draws a value of a template as the HTML that React makes of it. */
export class HtmlDrawing {
  readonly #interpreter: Interpreter
  /** The mail is a template, not HTML that is put into a theme. */
  readonly #isTemplate: boolean
  readonly #parts: string[] = []
  /** The `value` of each component that is not drawn. */
  readonly kept: Record<string, string> = {}
  #endsInText = false

  constructor(interpreter: Interpreter, isTemplate: boolean) {
    this.#interpreter = interpreter
    this.#isTemplate = isTemplate
  }

  get html(): string {
    return this.#parts.join('')
  }

  draw(value: unknown): void {
    this.#interpreter.budget.deeper(() => {
      if (value == null || typeof value === 'boolean') return
      if (typeof value === 'string' || typeof value === 'number') this.#text(escaped(value))
      else if (value instanceof Html) this.#tag(value.html)
      else if (Array.isArray(value)) for (const each of value as readonly unknown[]) this.draw(each)
      else if (value instanceof JsxElement) this.#element(value)
      else throw new Thrown('an object or a function is no content of an element')
    })
  }

  /** In a template, React marks where a text ends and another one begins. */
  #text(html: string): void {
    if (html === '') return
    if (this.#isTemplate && this.#endsInText) this.#tag('<!-- -->')
    this.#tag(html)
    this.#endsInText = true
  }

  #tag(html: string): void {
    this.#interpreter.budget.spend(html.length)
    this.#parts.push(html)
    this.#endsInText = false
  }

  #element({ type, props }: JsxElement): void {
    if (typeof type === 'string') this.#ofHtml(type, props)
    else if (!(type instanceof Import)) this.draw(this.#interpreter.call(type, [props], 'the type of an element'))
    else if (type.element) this.#ofHtml(type.element, props)
    else if (type.element === '') this.draw(props['children'])
    else if (props['value'] !== undefined) this.kept[type.name] = toText(props['value'])
    requirePlayable(type)
  }

  #ofHtml(name: string, props: Readonly<Values>): void {
    if (!this.#isTemplate && ofDocument.has(name)) throw new Unplayable(`<${name}>: a mail is no whole document`)
    const { children, style, dangerouslySetInnerHTML: inner } = props
    const drawn = Object.entries(props).map(([prop, value]) => {
      if (notDrawn.has(prop) || value == null || value === false || typeof value === 'function') return ''
      return ` ${prop === 'className' ? 'class' : prop}="${value === true ? '' : escaped(value)}"`
    })
    if (style != null) drawn.push(` style="${escaped(cssOf(name, style))}"`)
    this.#tag(`<${name}${drawn.join('')}>`)
    if (voids.has(name)) {
      if (children !== undefined) throw new Thrown(`<${name}> has no content; write <${name} />`)
      return
    }
    if (inner === undefined) this.draw(children)
    else if (isValues(inner) && typeof inner['__html'] === 'string') this.#tag(inner['__html'])
    else throw new Thrown('dangerouslySetInnerHTML is not {{ __html: "…" }}')
    this.#tag(`</${name}>`)
  }
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
