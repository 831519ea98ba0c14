import { unescapeHtml } from './html-text'
import { MarkupScanner, RefusedMarkup } from './markup-scanner'
import type { Fault } from './markup-scanner'
import { MarkupValues } from './markup-values'
import type { Attribute, Dialect, Parent } from './markup-values'

/** A mail's HTML after rendering, or the reason why the hosted platform refuses it. */
export type DrawnMarkup = { readonly html: string } | { readonly error: string }

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements of a whole document, which the theme supplies. */
const ofDocument = new Set(['html', 'head', 'body'])

/** A drawn root element, and the `value` of each component that is not drawn. */
export interface DrawnRoot {
  readonly html: string
  readonly kept: Readonly<Record<string, string>>
  /** The components of the dialect in it. */
  readonly used: ReadonlySet<string>
  /** The index after the element. */
  readonly end: number
}

/**
 * Renders a mail's HTML like the hosted platform, which puts it as JSX into a theme: every element must be closed,
 * `style` must be an object, and text must not contain `{`, `}`, `<` or `>`. Braces may contain a literal; this emulator
 * accepts nothing else there.
 *
 *  Written by hand, since a JSX parser would add a JavaScript parser to every page with a local platform. A server may
 * send any text, so each character is read only a few times.
 */
export function drawMarkup(source: string): DrawnMarkup {
  const markup = drawn(() => ({ html: new MarkupReader(source).read() }))
  return 'error' in markup ? { error: markup.error } : markup
}

/** Renders the element at an index of a longer source, in a dialect. The text after the element is not read. */
export function drawRoot(source: string, at: number, dialect: Dialect): DrawnRoot | Undrawn {
  return drawn(() => new MarkupReader(source, at, dialect).readRoot())
}

/** Why markup is not drawn. With a fault, a build fails too. */
export interface Undrawn {
  readonly error: string
  readonly fault?: Fault | undefined
}

function drawn<T>(draw: () => T): T | Undrawn {
  try {
    return draw()
  } catch (error) {
    if (error instanceof RefusedMarkup) return { error: error.message, fault: error.fault }
    throw error
  }
}

interface Opened extends Parent {
  /** What it is drawn as. */
  readonly element: string
  /** How many parts of it have been read. */
  children: number
}

class MarkupReader {
  readonly #scanner: MarkupScanner
  readonly #values: MarkupValues
  readonly #dialect: Dialect | undefined
  readonly #drawn: string[] = []
  readonly #kept: Record<string, string> = {}
  readonly #used = new Set<string>()
  readonly #open: Opened[] = []
  /** The last part drawn is a text. */
  #endsInText = false

  constructor(source: string, at = 0, dialect?: Dialect) {
    this.#scanner = new MarkupScanner(source, at)
    this.#values = new MarkupValues(this.#scanner, dialect)
    this.#dialect = dialect
  }

  read(): string {
    while (!this.#scanner.isAtEnd) this.#part()
    return this.#ended()
  }

  readRoot(): DrawnRoot {
    do this.#part()
    while (this.#open.length > 0 && !this.#scanner.isAtEnd)
    return { html: this.#ended(), kept: this.#kept, used: this.#used, end: this.#scanner.at }
  }

  #part(): void {
    if (this.#scanner.takes('</')) this.#end()
    else if (this.#scanner.takes('<')) this.#begin()
    else if (this.#scanner.takes('{')) this.#drawText(this.#expression())
    else this.#drawText(this.#text())
  }

  /** In a template, React marks where a text ends and another one begins. What begins with "<" is no text: texts are escaped. */
  #drawText(html: string): void {
    if (html === '') return
    const isText = html[0] !== '<'
    if (this.#dialect && isText && this.#endsInText) this.#drawn.push('<!-- -->')
    this.#drawn.push(html)
    this.#endsInText = isText
  }

  #drawTag(html: string): void {
    this.#drawn.push(html)
    this.#endsInText = false
  }

  #text(): string {
    const from = this.#scanner.at
    const text = this.#scanner.text()
    const { marks } = this.#dialect ?? {}
    if (!marks || text === '') return text
    return marks.text(text, { from, to: this.#scanner.at, parents: this.#open, siblingIndex: this.#nextSibling() })
  }

  #expression(): string {
    const start = this.#scanner.at
    const html = this.#values.literal()
    const code = this.#scanner.since(start).slice(0, -1).trim()
    // A comment is no part of the mail.
    if (!this.#dialect?.marks || /^(?:\/\*|$)/.test(code)) return html
    this.#nextSibling()
    return this.#dialect.marks.expression(code, html)
  }

  /** The place of the next part among the parts of the element that is open. */
  #nextSibling(): number {
    const open = this.#open.at(-1)
    return open ? open.children++ : 0
  }

  #ended(): string {
    const open = this.#open.at(-1)
    this.#refuseVoid(open)
    if (open)
      throw new RefusedMarkup(`<${open.name}> is not closed`, {
        at: this.#scanner.at,
        text: `Unexpected end of file before a closing "${open.name}" tag`,
      })
    return this.#drawn.join('')
  }

  #end(): void {
    const { at } = this.#scanner
    const name = this.#scanner.name()
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('>')) throw new RefusedMarkup(`</${name} does not end with ">"`)
    const open = this.#open.pop()
    if (open?.name !== name) {
      const text = `Unexpected closing "${name}" tag does not match opening "${open?.name}" tag`
      this.#refuseVoid(open, { at, text })
      throw new RefusedMarkup(`</${name}> closes ${open === undefined ? 'nothing' : `<${open.name}>, which is open`}`, {
        at,
        text,
      })
    }
    if (name !== '' && !voids.has(open.element)) this.#drawTag(`</${open.element}>`)
  }

  #begin(): void {
    if (this.#scanner.sees('!')) throw new RefusedMarkup('"<!": a mail has no comment and no doctype')
    if (this.#scanner.takes('>')) {
      this.#open.push({ name: '', element: '', props: {}, children: 0 })
      return
    }
    this.#nextSibling()
    const name = this.#scanner.name()
    if (name === '') throw new RefusedMarkup('"<" in text; write &lt;')
    const element = this.#elementOf(name)
    this.#refuseVoid(this.#open.at(-1))
    const attributes: Attribute[] = []
    let inner = ''
    this.#scanner.skipSpace()
    while (!this.#scanner.takes('>')) {
      if (this.#scanner.takes('/>')) {
        if (element === null) this.#keep(name, attributes)
        else this.#drawTag(`<${element}${drawnOf(attributes)}>${inner}${voids.has(element) ? '' : `</${element}>`}`)
        return
      }
      if (this.#dialect && this.#scanner.takes('dangerouslySetInnerHTML=')) inner = this.#values.innerHtml()
      else attributes.push(this.#values.attribute(name))
      this.#scanner.skipSpace()
    }
    if (element === null) throw new RefusedMarkup(`<${name}> has content; write <${name} value="…" />`)
    this.#drawTag(`<${element}${drawnOf(attributes)}>${inner}`)
    this.#open.push({ name, element, props: propsOf(attributes), children: 0 })
  }

  /** What the element or component is drawn as; null: nothing. */
  #elementOf(name: string): string | null {
    const { components } = this.#dialect ?? {}
    if (components && Object.hasOwn(components, name)) {
      this.#used.add(name)
      return components[name] ?? null
    }
    if (name !== name.toLowerCase())
      throw new RefusedMarkup(
        components
          ? `the local platform cannot play the component <${name}>; it plays ${Object.keys(components).join(', ')}`
          : `<${name}> is no element: names are in lower case`,
      )
    if (!components && ofDocument.has(name)) throw new RefusedMarkup(`<${name}>: a mail is no whole document`)
    return name
  }

  #keep(component: string, attributes: readonly Attribute[]): void {
    const value = attributes.find(({ name }) => name === 'value')?.value
    if (value != null) this.#kept[component] = value
  }

  #refuseVoid(open: Opened | undefined, fault?: Fault): void {
    if (open && voids.has(open.element))
      throw new RefusedMarkup(`<${open.name}> is not closed; write <${open.name} />`, fault)
  }
}

function propsOf(attributes: readonly Attribute[]): Parent['props'] {
  return Object.fromEntries(attributes.map(({ name, value }) => [name, unescapeHtml(value ?? 'true')]))
}

function drawnOf(attributes: readonly Attribute[]): string {
  return attributes.map(({ drawn }) => drawn).join('')
}
