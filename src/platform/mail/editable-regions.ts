import type { JSXText } from 'estree-jsx'
import type { Jsx, Marks } from './tsx-elements'
import type { PlacedNode } from './tsx-parser'

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

/** The component that a source exports. */
export const componentOf = { template: 'EmailTemplate', theme: 'EmailTheme' } as const

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
    const ids = new Map<JSXText, string>()
    const written = (node: object) => source.slice((node as PlacedNode).start, (node as PlacedNode).end)
    return {
      text: ({ node, parents, siblingIndex }) => {
        const parent = parents.at(-1)
        if (!parent || node.raw.trim() === '') return ['', '']
        const id = ids.get(node) ?? `t${this.#regions.length}`
        const mark = [`<!-- STACK_EDITABLE_START ${id} -->`, `<!-- STACK_EDITABLE_END ${id} -->`] as const
        if (ids.has(node)) return mark
        ids.set(node, id)
        // Line breaks around a text, with the spaces beside them, are not drawn.
        const { raw } = node
        const undrawn = (space: string) => (space.includes('\n') ? space.length : 0)
        const start = (node as unknown as PlacedNode).start + undrawn(raw.slice(0, raw.length - raw.trimStart().length))
        const end = (node as unknown as PlacedNode).end - undrawn(raw.slice(raw.trimEnd().length))
        this.#regions.push({
          id,
          loc: { start, end, ...placeIn(source, start) },
          originalText: source.slice(start, end),
          jsxPath: [componentOf[file], ...parents.map(each => tagOf(each, written))],
          parentElement: { tagName: tagOf(parent, written), props: propsOf(parent, written) },
          sourceContext: {
            before: source.slice(Math.max(0, start - shownAround), start),
            after: source.slice(end, end + shownAround),
          },
          siblingIndex,
          sourceFile: file,
        })
        return mark
      },
      expression: code => {
        const bytes = new TextEncoder().encode(code)
        const base64 = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
        return [`<!-- STACK_EXPR_START ${base64} -->`, '<!-- STACK_EXPR_END -->']
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

function tagOf(node: Jsx, written: (node: object) => string): string {
  return node.type === 'JSXFragment' ? '' : written(node.openingElement.name)
}

/** The attributes of an element: a text as it is, code as it is written. */
function propsOf(node: Jsx, written: (node: object) => string): object {
  const attributes = node.type === 'JSXFragment' ? [] : node.openingElement.attributes
  const props = attributes.flatMap(each => {
    if (each.type === 'JSXSpreadAttribute') return []
    const { name, value } = each
    return [[written(name), value?.type === 'Literal' ? String(value.value) : value ? written(value) : 'true'] as const]
  })
  return Object.fromEntries(props)
}

/** The line, from 1 on, and the column, from 0 on, of an index. */
export function placeIn(source: string, at: number) {
  const lines = source.slice(0, at).split('\n')
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 }
}
