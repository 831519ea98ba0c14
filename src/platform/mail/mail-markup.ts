import { declaration } from './mail-style'
import { escapeHtml } from '../http/html'
import { isOfWord, isPathPart, MarkupScanner, RefusedMarkup } from './markup-scanner'

/** A mail's HTML after rendering, or the reason why the hosted platform refuses it. */
export type DrawnMarkup = { readonly html: string } | { readonly error: string }

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements of a whole document, which the theme supplies. */
const ofDocument = new Set(['html', 'head', 'body'])

/** What a template in TSX may contain besides the markup of a mail. */
export interface Dialect {
  /** The element that a component is drawn as; `null`: it is not drawn, and its `value` is kept. */
  readonly components: Readonly<Record<string, string | null>>
  /** The HTML of a name between braces; undefined: the name cannot be played. */
  valueOf(path: string): string | undefined
}

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
  return drawn(() => ({ html: new MarkupReader(source).read() }))
}

/** The same for the element at an index of a longer source, in a dialect; what follows the element is not read. */
export function drawRoot(source: string, at: number, dialect: Dialect): DrawnRoot | { readonly error: string } {
  return drawn(() => new MarkupReader(source, at, dialect).readRoot())
}

function drawn<T>(draw: () => T): T | { readonly error: string } {
  try {
    return draw()
  } catch (error) {
    if (error instanceof RefusedMarkup) return { error: error.message }
    throw error
  }
}

interface Opened {
  /** '' is a fragment. */
  readonly name: string
  /** What it is drawn as. */
  readonly element: string
}

interface Attribute {
  readonly name: string
  readonly drawn: string
  /** In HTML; null without a value. */
  readonly value: string | null
}

class MarkupReader {
  readonly #scanner: MarkupScanner
  readonly #dialect: Dialect | undefined
  readonly #drawn: string[] = []
  readonly #kept: Record<string, string> = {}
  readonly #used = new Set<string>()
  readonly #open: Opened[] = []

  constructor(source: string, at = 0, dialect?: Dialect) {
    this.#scanner = new MarkupScanner(source, at)
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
    else if (this.#scanner.takes('{')) this.#drawn.push(this.#literal())
    else this.#drawn.push(this.#scanner.text())
  }

  #ended(): string {
    const open = this.#open.at(-1)
    this.#refuseVoid(open)
    if (open) throw new RefusedMarkup(`<${open.name}> is not closed`)
    return this.#drawn.join('')
  }

  #end(): void {
    const name = this.#scanner.name()
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('>')) throw new RefusedMarkup(`</${name} does not end with ">"`)
    const open = this.#open.pop()
    if (open?.name !== name) {
      this.#refuseVoid(open)
      throw new RefusedMarkup(`</${name}> closes ${open === undefined ? 'nothing' : `<${open.name}>, which is open`}`)
    }
    if (name !== '' && !voids.has(open.element)) this.#drawn.push(`</${open.element}>`)
  }

  #begin(): void {
    if (this.#scanner.sees('!')) throw new RefusedMarkup('"<!": a mail has no comment and no doctype')
    if (this.#scanner.takes('>')) {
      this.#open.push({ name: '', element: '' })
      return
    }
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
        else this.#drawn.push(`<${element}${drawnOf(attributes)}>${inner}${voids.has(element) ? '' : `</${element}>`}`)
        return
      }
      if (this.#dialect && this.#scanner.takes('dangerouslySetInnerHTML=')) inner = this.#innerHtml()
      else attributes.push(this.#attribute(name))
      this.#scanner.skipSpace()
    }
    if (element === null) throw new RefusedMarkup(`<${name}> has content; write <${name} value="…" />`)
    this.#drawn.push(`<${element}${drawnOf(attributes)}>${inner}`)
    this.#open.push({ name, element })
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

  #refuseVoid(open: Opened | undefined): void {
    if (open && voids.has(open.element)) throw new RefusedMarkup(`<${open.name}> is not closed; write <${open.name} />`)
  }

  #attribute(element: string): Attribute {
    const name = this.#scanner.name()
    if (name === '') throw new RefusedMarkup(`<${element}> has something that is no attribute`)
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('=')) return { name, drawn: ` ${name}`, value: null }
    this.#scanner.skipSpace()
    const shown = name === 'className' ? 'class' : name
    if (this.#scanner.takes('{')) {
      const value = name === 'style' ? escapeHtml(this.#style()) : this.#literal()
      return { name, drawn: ` ${shown}="${value}"`, value }
    }
    if (name === 'style') throw new RefusedMarkup(`style of <${element}> is a text; write style={{ color: 'red' }}`)
    const quote = this.#scanner.quote()
    if (quote === undefined) throw new RefusedMarkup(`${name} of <${element}> has no quotes`)
    const value = this.#scanner.until(quote)
    return { name, drawn: ` ${shown}=${quote}${value}${quote}`, value }
  }

  /** Reads `{{ __html: "…" }}`. */
  #innerHtml(): string {
    for (const part of ['{', '{', '__html', ':']) {
      if (!this.#scanner.takes(part)) throw new RefusedMarkup('dangerouslySetInnerHTML is not {{ __html: "…" }}')
      this.#scanner.skipSpace()
    }
    const quote = this.#scanner.quote()
    if (quote === undefined) throw new RefusedMarkup('__html is no text in quotes')
    const html = this.#scanner.string(quote)
    this.#scanner.skipSpace()
    this.#endBraces()
    this.#endBraces()
    return html
  }

  /** Reads the style object after the first of two braces and returns it as CSS. */
  #style(): string {
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('{')) throw new RefusedMarkup("style is no object; write style={{ color: 'red' }}")
    const css: string[] = []
    this.#scanner.skipSpace()
    while (!this.#scanner.takes('}')) {
      const quote = this.#scanner.quote()
      const name = quote === undefined ? this.#scanner.name(isOfWord) : this.#scanner.string(quote)
      this.#scanner.skipSpace()
      if (name === '' || !this.#scanner.takes(':')) throw new RefusedMarkup('style has something that is no property')
      this.#scanner.skipSpace()
      css.push(declaration(name, this.#value()))
      this.#scanner.skipSpace()
      if (!this.#scanner.takes(',') && !this.#scanner.sees('}'))
        throw new RefusedMarkup(`style has no "," after ${name}`)
      this.#scanner.skipSpace()
    }
    this.#endBraces()
    return css.join(';')
  }

  /** Reads a literal, or a name of the dialect, between braces, after the opening one; returns HTML. */
  #literal(): string {
    this.#scanner.skipSpace()
    while (this.#scanner.takes('/*')) {
      this.#scanner.until('*/')
      this.#scanner.skipSpace()
    }
    if (this.#scanner.takes('}')) return ''
    const value = this.#named() ?? escapeHtml(String(this.#value()))
    this.#endBraces()
    return value
  }

  #named(): string | undefined {
    if (!this.#dialect) return undefined
    const path = this.#scanner.name(isPathPart)
    if (path === '') return undefined
    const value = this.#dialect.valueOf(path)
    if (value !== undefined) return value
    throw new RefusedMarkup(`the local platform executes no code of a template, and cannot play {${path}}`)
  }

  #value(): string | number {
    const quote = this.#scanner.quote()
    if (quote !== undefined) return this.#scanner.string(quote)
    const number = this.#scanner.number()
    if (number === undefined) throw new RefusedMarkup(this.#noCode())
    return number
  }

  #endBraces(): void {
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('}')) throw new RefusedMarkup(this.#dialect ? this.#noCode() : '"{" is not closed')
  }

  #noCode(): string {
    if (!this.#dialect) return '"{" begins JavaScript; write &#123; for a brace in text'
    return 'the local platform executes no code of a template: between braces it plays a name, a text or a number'
  }
}

function drawnOf(attributes: readonly Attribute[]): string {
  return attributes.map(({ drawn }) => drawn).join('')
}
