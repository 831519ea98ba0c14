import { declaration } from './mail-style'
import { escapeHtml } from '../http/html'
import { unescaped } from '../http/script-string'

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

class RefusedMarkup extends Error {}

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
  readonly #source: string
  readonly #dialect: Dialect | undefined
  readonly #drawn: string[] = []
  readonly #kept: Record<string, string> = {}
  readonly #open: Opened[] = []
  #at: number

  constructor(source: string, at = 0, dialect?: Dialect) {
    this.#source = source
    this.#at = at
    this.#dialect = dialect
  }

  read(): string {
    while (this.#at < this.#source.length) this.#part()
    return this.#ended()
  }

  readRoot(): DrawnRoot {
    do this.#part()
    while (this.#open.length > 0 && this.#at < this.#source.length)
    return { html: this.#ended(), kept: this.#kept }
  }

  #part(): void {
    if (this.#takes('</')) this.#end()
    else if (this.#takes('<')) this.#begin()
    else if (this.#takes('{')) this.#drawn.push(this.#literal())
    else this.#text()
  }

  #ended(): string {
    const open = this.#open.at(-1)
    this.#refuseVoid(open)
    if (open) throw new RefusedMarkup(`<${open.name}> is not closed`)
    return this.#drawn.join('')
  }

  #text(): void {
    const from = this.#at
    for (; this.#at < this.#source.length; this.#at++) {
      const code = this.#source.charCodeAt(this.#at)
      if (code === less || code === openBrace) break
      if (code === greater || code === closeBrace)
        throw new RefusedMarkup(`"${String.fromCharCode(code)}" in text; write ${code === greater ? '&gt;' : '&#125;'}`)
    }
    this.#drawn.push(folded(this.#source.slice(from, this.#at)))
  }

  #end(): void {
    const name = this.#name()
    this.#skipSpace()
    if (!this.#takes('>')) throw new RefusedMarkup(`</${name} does not end with ">"`)
    const open = this.#open.pop()
    if (open?.name !== name) {
      this.#refuseVoid(open)
      throw new RefusedMarkup(`</${name}> closes ${open === undefined ? 'nothing' : `<${open.name}>, which is open`}`)
    }
    if (name !== '' && !voids.has(open.element)) this.#drawn.push(`</${open.element}>`)
  }

  #begin(): void {
    if (this.#source.startsWith('!', this.#at)) throw new RefusedMarkup('"<!": a mail has no comment and no doctype')
    if (this.#takes('>')) {
      this.#open.push({ name: '', element: '' })
      return
    }
    const name = this.#name()
    if (name === '') throw new RefusedMarkup('"<" in text; write &lt;')
    const element = this.#elementOf(name)
    this.#refuseVoid(this.#open.at(-1))
    const attributes: Attribute[] = []
    let inner = ''
    this.#skipSpace()
    while (!this.#takes('>')) {
      if (this.#takes('/>')) {
        if (element === null) this.#keep(name, attributes)
        else this.#drawn.push(`<${element}${drawnOf(attributes)}>${inner}${voids.has(element) ? '' : `</${element}>`}`)
        return
      }
      if (this.#dialect && this.#takes('dangerouslySetInnerHTML=')) inner = this.#innerHtml()
      else attributes.push(this.#attribute(name))
      this.#skipSpace()
    }
    if (element === null) throw new RefusedMarkup(`<${name}> has content; write <${name} value="…" />`)
    this.#drawn.push(`<${element}${drawnOf(attributes)}>${inner}`)
    this.#open.push({ name, element })
  }

  /** What the element or component is drawn as; null: nothing. */
  #elementOf(name: string): string | null {
    const { components } = this.#dialect ?? {}
    if (components && Object.hasOwn(components, name)) return components[name] ?? null
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
    const name = this.#name()
    if (name === '') throw new RefusedMarkup(`<${element}> has something that is no attribute`)
    this.#skipSpace()
    if (!this.#takes('=')) return { name, drawn: ` ${name}`, value: null }
    this.#skipSpace()
    const shown = name === 'className' ? 'class' : name
    if (this.#takes('{')) {
      const value = name === 'style' ? escapeHtml(this.#style()) : this.#literal()
      return { name, drawn: ` ${shown}="${value}"`, value }
    }
    if (name === 'style') throw new RefusedMarkup(`style of <${element}> is a text; write style={{ color: 'red' }}`)
    const quote = this.#quote()
    if (quote === undefined) throw new RefusedMarkup(`${name} of <${element}> has no quotes`)
    const value = this.#until(quote)
    return { name, drawn: ` ${shown}=${quote}${value}${quote}`, value }
  }

  /** Reads `{{ __html: "…" }}`. */
  #innerHtml(): string {
    for (const part of ['{', '{', '__html', ':']) {
      if (!this.#takes(part)) throw new RefusedMarkup('dangerouslySetInnerHTML is not {{ __html: "…" }}')
      this.#skipSpace()
    }
    const quote = this.#quote()
    if (quote === undefined) throw new RefusedMarkup('__html is no text in quotes')
    const html = this.#string(quote)
    this.#skipSpace()
    this.#endBraces()
    this.#endBraces()
    return html
  }

  /** Reads the style object after the first of two braces and returns it as CSS. */
  #style(): string {
    this.#skipSpace()
    if (!this.#takes('{')) throw new RefusedMarkup("style is no object; write style={{ color: 'red' }}")
    const css: string[] = []
    this.#skipSpace()
    while (!this.#takes('}')) {
      const quote = this.#quote()
      const name = quote === undefined ? this.#name(isOfWord) : this.#string(quote)
      this.#skipSpace()
      if (name === '' || !this.#takes(':')) throw new RefusedMarkup('style has something that is no property')
      this.#skipSpace()
      css.push(declaration(name, this.#value()))
      this.#skipSpace()
      if (!this.#takes(',') && !this.#source.startsWith('}', this.#at))
        throw new RefusedMarkup(`style has no "," after ${name}`)
      this.#skipSpace()
    }
    this.#endBraces()
    return css.join(';')
  }

  /** Reads a literal, or a name of the dialect, between braces, after the opening one; returns HTML. */
  #literal(): string {
    this.#skipSpace()
    while (this.#takes('/*')) {
      this.#until('*/')
      this.#skipSpace()
    }
    if (this.#takes('}')) return ''
    const value = this.#named() ?? escapeHtml(String(this.#value()))
    this.#endBraces()
    return value
  }

  #named(): string | undefined {
    if (!this.#dialect) return undefined
    const path = this.#name(code => isOfWord(code) || code === dot)
    if (path === '') return undefined
    const value = this.#dialect.valueOf(path)
    if (value !== undefined) return value
    throw new RefusedMarkup(`the local platform executes no code of a template, and cannot play {${path}}`)
  }

  #value(): string | number {
    const quote = this.#quote()
    if (quote !== undefined) return this.#string(quote)
    const from = this.#at
    while (isNumeric(this.#source.charCodeAt(this.#at))) this.#at++
    const digits = this.#source.slice(from, this.#at)
    if (digits === '' || Number.isNaN(Number(digits))) throw new RefusedMarkup(this.#noCode())
    return Number(digits)
  }

  #endBraces(): void {
    this.#skipSpace()
    if (!this.#takes('}')) throw new RefusedMarkup(this.#dialect ? this.#noCode() : '"{" is not closed')
  }

  #noCode(): string {
    if (!this.#dialect) return '"{" begins JavaScript; write &#123; for a brace in text'
    return 'the local platform executes no code of a template: between braces it plays a name, a text or a number'
  }

  #quote(): string | undefined {
    return ['"', "'"].find(quote => this.#takes(quote))
  }

  /** Reads the rest of a JavaScript string, in which a backslash escapes. */
  #string(quote: string): string {
    const from = this.#at
    while (this.#at < this.#source.length && !this.#source.startsWith(quote, this.#at))
      this.#at += this.#source.charCodeAt(this.#at) === backslash ? 2 : 1
    const text = this.#source.slice(from, this.#at)
    if (!this.#takes(quote)) throw new RefusedMarkup(`nothing ends what ${quote} has to end`)
    return unescaped(text)
  }

  #until(end: string): string {
    const found = this.#source.indexOf(end, this.#at)
    if (found < 0) throw new RefusedMarkup(`nothing ends what ${end} has to end`)
    const text = this.#source.slice(this.#at, found)
    this.#at = found + end.length
    return text
  }

  #name(isPart = isOfName): string {
    const from = this.#at
    if (isLetter(this.#source.charCodeAt(this.#at))) while (isPart(this.#source.charCodeAt(this.#at))) this.#at++
    return this.#source.slice(from, this.#at)
  }

  #takes(part: string): boolean {
    if (!this.#source.startsWith(part, this.#at)) return false
    this.#at += part.length
    return true
  }

  #skipSpace(): void {
    while (isSpace(this.#source.charCodeAt(this.#at))) this.#at++
  }
}

const [less, greater, openBrace, closeBrace, backslash, dot] = [0x3c, 0x3e, 0x7b, 0x7d, 0x5c, 0x2e]

function drawnOf(attributes: readonly Attribute[]): string {
  return attributes.map(({ drawn }) => drawn).join('')
}

/**
 * Collapses white space as JSX does: a line break with the spaces around it becomes one space between words, and nothing
 * at an end.
 */
function folded(text: string): string {
  const lines = text.split('\n')
  const last = lines.length - 1
  return lines
    .map((line, index) => (index === last ? line : line.trimEnd()))
    .map((line, index) => (index === 0 ? line : line.trimStart()))
    .filter(line => line !== '')
    .join(' ')
}

export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x24
}

function isNumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d
}

function isOfWord(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39)
}

/** Whether the character may be in the name of an element or attribute; `-` and `:` may. */
function isOfName(code: number): boolean {
  return isOfWord(code) || code === 0x2d || code === 0x3a
}
