import { escapeHtml } from '../http/html'
import { isOfWord, isPathPart, RefusedMarkup } from './markup-scanner'
import type { MarkupScanner } from './markup-scanner'

/** What a template in TSX may contain besides the markup of a mail. */
export interface Dialect {
  /** The element that a component is drawn as; `null`: it is not drawn, and its `value` is kept. */
  readonly components: Readonly<Record<string, string | null>>
  /** The HTML of a name between braces; undefined: this platform cannot play the name. */
  valueOf(path: string): string | undefined
  /** Changes what is drawn of texts and expressions within elements. */
  readonly marks?: Marks | undefined
}

/** An element that is open around a text. */
export interface Parent {
  /** '' is a fragment. */
  readonly name: string
  readonly props: Readonly<Record<string, string>>
}

export interface Marks {
  /** The HTML of a text. */
  text(
    text: string,
    place: {
      /** What is read in the source, with the space around the text. */
      readonly from: number
      readonly to: number
      readonly parents: readonly Parent[]
      readonly siblingIndex: number
    },
  ): string
  /** The HTML of an expression. */
  expression(code: string, html: string): string
}

export interface Attribute {
  readonly name: string
  readonly drawn: string
  /** In HTML; null without a value. */
  readonly value: string | null
}

/** Reads the attributes of elements, and what is between braces. */
export class MarkupValues {
  readonly #scanner: MarkupScanner
  readonly #dialect: Dialect | undefined

  constructor(scanner: MarkupScanner, dialect: Dialect | undefined) {
    this.#scanner = scanner
    this.#dialect = dialect
  }

  attribute(element: string): Attribute {
    const name = this.#scanner.name()
    if (name === '') throw new RefusedMarkup(`<${element}> has something that is no attribute`)
    this.#scanner.skipSpace()
    if (!this.#scanner.takes('=')) return { name, drawn: ` ${name}`, value: null }
    this.#scanner.skipSpace()
    const shown = name === 'className' ? 'class' : name
    if (this.#scanner.takes('{')) {
      const value = name === 'style' ? escapeHtml(this.#style()) : this.literal()
      return { name, drawn: ` ${shown}="${value}"`, value }
    }
    if (name === 'style') throw new RefusedMarkup(`style of <${element}> is a text; write style={{ color: 'red' }}`)
    const quote = this.#scanner.quote()
    if (quote === undefined) throw new RefusedMarkup(`${name} of <${element}> has no quotes`)
    const value = this.#scanner.until(quote)
    return { name, drawn: ` ${shown}=${quote}${value}${quote}`, value }
  }

  /** Reads `{{ __html: "…" }}`. */
  innerHtml(): string {
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
  literal(): string {
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

/** The usual properties whose numbers are not pixels. */
const unitless = new Set(['fontWeight', 'lineHeight', 'opacity', 'order', 'flex', 'flexGrow', 'flexShrink', 'zIndex'])

/** One property of a `style` object as CSS: `fontSize: 14` is `font-size:14px`. */
function declaration(name: string, value: string | number): string {
  return `${cssName(name)}:${typeof value === 'number' && value !== 0 && !unitless.has(name) ? `${value}px` : value}`
}

function cssName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
