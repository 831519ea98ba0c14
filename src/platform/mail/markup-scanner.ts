/** Where a build stops, and why, in the words of esbuild. */
export interface Fault {
  readonly at: number
  readonly text: string
}

/** Why the hosted platform refuses the markup of a mail. */
export class RefusedMarkup extends Error {
  /** The fault at which a build stops. Undefined: the source can be built, but this platform cannot play it. */
  readonly fault: Fault | undefined

  constructor(message: string, fault?: Fault) {
    super(message)
    this.fault = fault
  }
}

/** Reads JSX from an index on, a few times each character. */
export class MarkupScanner {
  readonly #source: string
  #at: number

  constructor(source: string, at: number) {
    this.#source = source
    this.#at = at
  }

  /** The index of the next character. */
  get at(): number {
    return this.#at
  }

  /** What has been read from an index on. */
  since(start: number): string {
    return this.#source.slice(start, this.#at)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length
  }

  /** Reads text up to a tag or a brace, with its white space collapsed. */
  text(): string {
    const from = this.#at
    for (; this.#at < this.#source.length; this.#at++) {
      const code = this.#source.charCodeAt(this.#at)
      if (code === less || code === openBrace) break
      if (code === greater || code === closeBrace) {
        const found = String.fromCharCode(code)
        throw new RefusedMarkup(`"${found}" in text; write ${code === greater ? '&gt;' : '&#125;'}`, {
          at: this.#at,
          text: `The character "${found}" is not valid inside a JSX element`,
        })
      }
    }
    return folded(this.#source.slice(from, this.#at))
  }

  /** Reads a number; undefined if there is none. */
  number(): number | undefined {
    const from = this.#at
    while (isNumeric(this.#source.charCodeAt(this.#at))) this.#at++
    const digits = this.#source.slice(from, this.#at)
    return digits === '' || Number.isNaN(Number(digits)) ? undefined : Number(digits)
  }

  quote(): string | undefined {
    return ['"', "'"].find(quote => this.takes(quote))
  }

  /** Reads the rest of a JavaScript string, in which a backslash escapes. */
  string(quote: string): string {
    const from = this.#at
    while (this.#at < this.#source.length && !this.sees(quote))
      this.#at += this.#source.charCodeAt(this.#at) === backslash ? 2 : 1
    const text = this.#source.slice(from, this.#at)
    if (!this.takes(quote)) throw new RefusedMarkup(`nothing ends what ${quote} has to end`)
    return unescaped(text)
  }

  until(end: string): string {
    const found = this.#source.indexOf(end, this.#at)
    if (found < 0) throw new RefusedMarkup(`nothing ends what ${end} has to end`)
    const text = this.#source.slice(this.#at, found)
    this.#at = found + end.length
    return text
  }

  name(isPart = isOfName): string {
    const from = this.#at
    if (isLetter(this.#source.charCodeAt(this.#at))) while (isPart(this.#source.charCodeAt(this.#at))) this.#at++
    return this.#source.slice(from, this.#at)
  }

  takes(part: string): boolean {
    if (!this.sees(part)) return false
    this.#at += part.length
    return true
  }

  skipSpace(): void {
    while (isSpace(this.#source.charCodeAt(this.#at))) this.#at++
  }

  sees(part: string): boolean {
    return this.#source.startsWith(part, this.#at)
  }
}

const [less, greater, openBrace, closeBrace, backslash, dot] = [0x3c, 0x3e, 0x7b, 0x7d, 0x5c, 0x2e]

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

export function isOfWord(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39)
}

/** Whether the character may be in a name such as `variables.name`. */
export function isPathPart(code: number): boolean {
  return isOfWord(code) || code === dot
}

/** Whether the character may be in the name of an element or attribute; `-` and `:` may. */
function isOfName(code: number): boolean {
  return isOfWord(code) || code === 0x2d || code === 0x3a
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }

/** What a JavaScript string between its quotes means: `\n`, `\x41`, `\u00e9` and `\u{1f600}` are characters. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{((?:10|[\da-fA-F])?[\da-fA-F]{1,4})\}|([^]))/g,
    (_, ...[byte, unit, point, other = '']: (string | undefined)[]) => {
      const hex = byte ?? unit ?? point
      return hex === undefined ? (controls[other] ?? other) : String.fromCodePoint(Number.parseInt(hex, 16))
    },
  )
}
