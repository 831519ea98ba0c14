import { declaration } from './mail-style'
import { escapeHtml } from '../http/html'
import { unescaped } from '../http/script-string'

/** A mail's HTML after rendering, or the reason why the hosted platform refuses it. */
export type DrawnMarkup = { readonly html: string } | { readonly error: string }

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements of a whole document, which the theme supplies. */
const ofDocument = new Set(['html', 'head', 'body'])

/**
 * Renders a mail's HTML like the hosted platform, which puts it as JSX into a theme: every element must be closed,
 * `style` must be an object, and text must not contain `{`, `}`, `<` or `>`. Braces may contain a literal; this emulator
 * accepts nothing else there.
 *
 *  Written by hand, since a JSX parser would add a JavaScript parser to every page with a local platform. A server may
 * send any text, so each character is read only a few times.
 */
export function drawMarkup(source: string): DrawnMarkup {
  try {
    return { html: new MarkupReader(source).read() }
  } catch (error) {
    if (error instanceof RefusedMarkup) return { error: error.message }
    throw error
  }
}

class RefusedMarkup extends Error {}

class MarkupReader {
  readonly #source: string
  readonly #drawn: string[] = []
  /** The names of open elements; '' is a fragment. */
  readonly #open: string[] = []
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  read(): string {
    while (this.#at < this.#source.length) {
      if (this.#takes('</')) this.#end()
      else if (this.#takes('<')) this.#begin()
      else if (this.#takes('{')) this.#drawn.push(escapeHtml(this.#literal()))
      else this.#text()
    }
    const name = this.#open.at(-1)
    this.#refuseVoid(name ?? '')
    if (name !== undefined) throw new RefusedMarkup(`<${name}> is not closed`)
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
    if (open !== undefined && open !== name) this.#refuseVoid(open)
    if (open !== name)
      throw new RefusedMarkup(`</${name}> closes ${open === undefined ? 'nothing' : `<${open}>, which is open`}`)
    if (name !== '' && !voids.has(name)) this.#drawn.push(`</${name}>`)
  }

  #begin(): void {
    if (this.#source.startsWith('!', this.#at)) throw new RefusedMarkup('"<!": a mail has no comment and no doctype')
    if (this.#takes('>')) {
      this.#open.push('')
      return
    }
    const name = this.#name()
    if (name === '') throw new RefusedMarkup('"<" in text; write &lt;')
    if (name !== name.toLowerCase()) throw new RefusedMarkup(`<${name}> is no element: names are in lower case`)
    if (ofDocument.has(name)) throw new RefusedMarkup(`<${name}>: a mail is no whole document`)
    this.#refuseVoid(this.#open.at(-1) ?? '')
    const attributes: string[] = []
    this.#skipSpace()
    while (!this.#takes('>')) {
      if (this.#takes('/>')) {
        this.#drawn.push(`<${name}${attributes.join('')}>${voids.has(name) ? '' : `</${name}>`}`)
        return
      }
      attributes.push(this.#attribute(name))
      this.#skipSpace()
    }
    this.#drawn.push(`<${name}${attributes.join('')}>`)
    this.#open.push(name)
  }

  #refuseVoid(open: string): void {
    if (voids.has(open)) throw new RefusedMarkup(`<${open}> is not closed; write <${open} />`)
  }

  #attribute(element: string): string {
    const name = this.#name()
    if (name === '') throw new RefusedMarkup(`<${element}> has something that is no attribute`)
    this.#skipSpace()
    if (!this.#takes('=')) return ` ${name}`
    this.#skipSpace()
    const shown = name === 'className' ? 'class' : name
    if (this.#takes('{')) {
      const value = name === 'style' ? this.#style() : this.#literal()
      return ` ${shown}="${escapeHtml(value)}"`
    }
    if (name === 'style') throw new RefusedMarkup(`style of <${element}> is a text; write style={{ color: 'red' }}`)
    const quote = this.#quote()
    if (quote === undefined) throw new RefusedMarkup(`${name} of <${element}> has no quotes`)
    const value = this.#until(quote)
    return ` ${shown}=${quote}${value}${quote}`
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

  /** Reads a literal between braces, after the opening one. */
  #literal(): string {
    this.#skipSpace()
    while (this.#takes('/*')) {
      this.#until('*/')
      this.#skipSpace()
    }
    if (this.#takes('}')) return ''
    const value = this.#value()
    this.#endBraces()
    return String(value)
  }

  #value(): string | number {
    const quote = this.#quote()
    if (quote !== undefined) return this.#string(quote)
    const from = this.#at
    while (isNumeric(this.#source.charCodeAt(this.#at))) this.#at++
    const digits = this.#source.slice(from, this.#at)
    if (digits === '' || Number.isNaN(Number(digits)))
      throw new RefusedMarkup('"{" begins JavaScript; write &#123; for a brace in text')
    return Number(digits)
  }

  #endBraces(): void {
    this.#skipSpace()
    if (!this.#takes('}')) throw new RefusedMarkup('"{" is not closed')
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

const [less, greater, openBrace, closeBrace, backslash] = [0x3c, 0x3e, 0x7b, 0x7d, 0x5c]

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

function isSpace(code: number): boolean {
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
