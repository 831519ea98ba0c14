import type { Marks } from './markup-values'
import { placeIn } from './tsx-faults'

type File = 'template' | 'theme'

/** A text of a source that an editor may change, in the names of the wire. */
interface Region {
  readonly id: string
  readonly loc: { readonly start: number; readonly end: number; readonly line: number; readonly column: number }
  readonly originalText: string
  readonly jsxPath: readonly string[]
  readonly parentElement: { readonly tagName: string; readonly props: object }
  readonly sourceContext: { readonly before: string; readonly after: string }
  readonly siblingIndex: number
  readonly sourceFile: File
}

/** How many characters around a text the platform shows. */
const shownAround = 100

const componentOf = { template: 'EmailTemplate', theme: 'EmailTheme' } as const

/** Marks the texts and expressions of a mail for an editor, and describes the texts. */
export class EditableRegions {
  readonly #regions: Region[] = []
  readonly #marked: 'template' | 'theme' | 'both'

  constructor(marked: 'template' | 'theme' | 'both' = 'template') {
    this.#marked = marked
  }

  /** The marks of a source; undefined: its texts are not marked. */
  marksOf(source: string, file: File): Marks | undefined {
    if (this.#marked !== 'both' && this.#marked !== file) return undefined
    return {
      text: (text, { from, to, parents, siblingIndex }) => {
        const parent = parents.at(-1)
        if (!parent || text.trim() === '') return text
        const id = `t${this.#regions.length}`
        const raw = source.slice(from, to)
        // The line breaks and spaces around a text are not drawn.
        const start = raw.startsWith(text) ? from : to - raw.trimStart().length
        const end = raw.endsWith(text) ? to : from + raw.trimEnd().length
        this.#regions.push({
          id,
          loc: { start, end, ...placeIn(source, start) },
          originalText: source.slice(start, end),
          jsxPath: [componentOf[file], ...parents.map(({ name }) => name)],
          parentElement: { tagName: parent.name, props: parent.props },
          sourceContext: {
            before: source.slice(Math.max(0, start - shownAround), start),
            after: source.slice(end, end + shownAround),
          },
          siblingIndex,
          sourceFile: file,
        })
        return `<!-- STACK_EDITABLE_START ${id} -->${text}<!-- STACK_EDITABLE_END ${id} -->`
      },
      expression: (code, html) => {
        const bytes = new TextEncoder().encode(code)
        const base64 = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
        return `<!-- STACK_EXPR_START ${base64} -->${html}<!-- STACK_EXPR_END -->`
      },
    }
  }

  /** The regions by id, with how often each text occurs in its source. */
  async described(): Promise<Readonly<Record<string, object>>> {
    const entries = this.#regions.map(async region => {
      const { originalText, sourceFile } = region
      const alike = this.#regions.filter(one => one.originalText === originalText && one.sourceFile === sourceFile)
      const counted = { occurrenceCount: alike.length, occurrenceIndex: alike.indexOf(region) + 1 }
      return [region.id, { ...region, ...counted, textHash: await hashOf(originalText) }] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
}

/** The first eight bytes of the SHA-256 of a text. */
async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')
}
