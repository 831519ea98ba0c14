import type { Options } from 'acorn'
import type { Program } from 'estree-jsx'

/** A place at which a source is no TSX, and the reason. */
export class SourceFault extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Where a node stands in its source. */
export interface PlacedNode {
  readonly start: number
  readonly end: number
}

/** The tree of a source. Throws a `SourceFault`. */
export type TsxParse = (source: string) => Program

/** The part of an acorn parser that is used here; its types declare none of it. */
interface Steps {
  readonly pos: number
  readonly start: number
  parse(): Program
  nextToken(): void
  raise(at: number, message: string): never
  jsx_parseClosingElementAt(at: number, place: unknown): unknown
  jsx_parseElementAt(at: number, place: unknown): unknown
}

/** Any caller may send a source: a parse that goes back too often, or is too long, is a fault. */
const [mostTokens, mostReads] = [250_000, 20]

const nameHere = /\s*([\w$.:-]*)/y

/** The parser is as large as all other mails, so it is loaded with the first source. */
export async function tsxParser(): Promise<TsxParse> {
  const [{ Parser }, { tsPlugin }] = await Promise.all([import('acorn'), import('@sveltejs/acorn-typescript')])
  // The constructor is protected in the types, and public for plugins.
  const Reader = Parser.extend(tsPlugin({ jsx: true })) as unknown as new (options: Options, source: string) => Steps
  class TsxReader extends Reader {
    readonly #source: string
    /** Where the open elements begin. */
    readonly #open: number[] = []
    #tokens = 0
    #reads = 0

    constructor(source: string) {
      super({ sourceType: 'module', ecmaVersion: 'latest', locations: true }, source)
      this.#source = source
    }

    override nextToken(): void {
      const { pos } = this
      super.nextToken()
      this.#reads += this.pos - pos
      if (++this.#tokens > mostTokens || this.#reads > mostReads * (this.#source.length + 100))
        throw new SourceFault('the source is too long, or nested too often', pos)
    }

    /** An error of acorn has a line, which takes as long to find as the source is long: the parser makes many and drops them. */
    override raise(at: number, message: string): never {
      throw Object.assign(new SyntaxError(message), { pos: at })
    }

    #nameAt(at: number): string {
      nameHere.lastIndex = at
      return nameHere.exec(this.#source)?.[1] ?? ''
    }

    override jsx_parseElementAt(at: number, place: unknown): unknown {
      this.#open.push(at)
      try {
        return super.jsx_parseElementAt(at, place)
      } finally {
        this.#open.pop()
      }
    }

    /** Acorn compares the names later, when it has read what follows, and then complains about that. */
    override jsx_parseClosingElementAt(at: number, place: unknown): unknown {
      const [name, open] = [this.#nameAt(this.start), this.#nameAt((this.#open.at(-1) ?? 0) + 1)]
      if (name === open) return super.jsx_parseClosingElementAt(at, place)
      const before = name === '' ? '' : ` before </${name}>`
      return this.raise(
        this.start,
        open ? `<${open}> is not closed${before}; write <${open} />` : `</${name}> closes nothing`,
      )
    }
  }
  return source => {
    const reader = new TsxReader(source)
    try {
      return reader.parse()
    } catch (error) {
      if (error instanceof RangeError) throw new SourceFault('the source is nested too deep', reader.pos)
      if (!(error instanceof SyntaxError) || !('pos' in error)) throw error
      throw new SourceFault(error.message.replace(/ \(\d+:\d+\)$/, ''), Number(error.pos))
    }
  }
}
