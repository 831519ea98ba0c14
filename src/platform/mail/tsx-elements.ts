import type { FunctionDeclaration, JSXElement, JSXFragment, JSXText, Node, Pattern } from 'estree-jsx'
import { toHex } from '../directory/passwords'
import { propertyOf, bare, fragment, JsxElement, rawHtml, type Evaluator, type Values } from './tsx-built-in'
import type { MailProgram } from '../model/emails'
import type { PlacedNode } from './tsx-parser'

/** An element or a fragment of a source. */
export type Jsx = JSXElement | JSXFragment

/** HTML before and after a text or an expression of a source. The last parent is the element around it. */
export type Marks = (
  node: Node,
  parents: readonly Jsx[],
  siblingIndex: number,
) => readonly [before: string, after: string] | undefined

/** Reads the elements of a source for the interpreter. */
export function jsxReader({ evaluate, named, spread, textOf }: Evaluator, marks: Marks | undefined) {
  /** The elements that are open around the one that is read. */
  const open: Jsx[] = []

  function typeOf(name: Node, scope: Values): unknown {
    if (name.type === 'JSXMemberExpression') return propertyOf(typeOf(name.object, scope), name.property.name)
    const written = textOf(name)
    return /^[a-z]/.test(written) ? written : named(written, scope)
  }

  function childrenOf(node: Jsx, scope: Values): unknown[] {
    let siblingIndex = 0
    return node.children.flatMap(child => {
      const inner = 'expression' in child ? child.expression : child
      const text = inner.type === 'JSXText' ? folded(inner.value) : undefined
      if (inner.type === 'JSXEmptyExpression' || text === '') return []
      const mark = inner !== child || text !== undefined ? marks?.(inner, open, siblingIndex) : undefined
      if (inner.type !== 'JSXFragment') siblingIndex++
      const value = text ?? evaluate(inner, scope)
      return mark ? [rawHtml(mark[0]), value, rawHtml(mark[1])] : [value]
    })
  }

  return (node: Jsx, scope: Values): JsxElement => {
    const type = node.type === 'JSXFragment' ? fragment : typeOf(node.openingElement.name, scope)
    const props = bare({})
    for (const each of attributesOf(node))
      if (each.type === 'JSXSpreadAttribute') spread(props, evaluate(each.argument, scope))
      else {
        const value = each.value?.type === 'JSXExpressionContainer' ? each.value.expression : each.value
        props[textOf(each.name)] = value ? evaluate(value, scope) : true
      }
    open.push(node)
    const children = childrenOf(node, scope)
    open.pop()
    if (children.length > 0) props['children'] = children.length === 1 ? children[0] : children
    return new JsxElement(type, props)
  }
}

function attributesOf(node: Jsx) {
  return node.type === 'JSXFragment' ? [] : node.openingElement.attributes
}

/** Collapses white space as JSX does: a line break with the spaces around it is one space between words, and nothing at an end. */
function folded(text: string): string {
  const lines = text.split(/\r?\n/)
  const last = lines.length - 1
  return lines
    .map((line, index) => (index === last ? line : line.replace(/(?<![ \t])[ \t]+$/, '')))
    .map((line, index) => (index === 0 ? line : line.replace(/^[ \t]+/, '')))
    .filter(line => line !== '')
    .join(' ')
}

/** Gives the parts of a value the names that a declaration or a parameter has for them. */
export function bindPattern(evaluator: Evaluator, pattern: Pattern, value: unknown, scope: Values): void {
  const bind = (inner: Pattern, part: unknown) => {
    bindPattern(evaluator, inner, part, scope)
  }
  if (pattern.type === 'Identifier') scope[pattern.name] = value
  else if (pattern.type === 'RestElement') bind(pattern.argument, value)
  else if (pattern.type === 'AssignmentPattern')
    bind(pattern.left, value === undefined ? evaluator.evaluate(pattern.right, scope) : value)
  else if (pattern.type === 'ObjectPattern') {
    const rest = bare({})
    evaluator.spread(rest, value)
    for (const property of pattern.properties)
      if (property.type === 'RestElement') bind(property, rest)
      else {
        const name = evaluator.key(property.key, property.computed, scope)
        bind(property.value, propertyOf(value, name))
        Reflect.deleteProperty(rest, name)
      }
  } else throw evaluator.unplayable(pattern)
}

/** The statement that a module exports. A default export without a name is never played. */
export function declared(node: Node): Node {
  if (node.type === 'ExportNamedDeclaration') return node.declaration ?? node
  if (node.type !== 'ExportDefaultDeclaration') return node
  const { declaration } = node
  const isNamed = declaration.type === 'FunctionDeclaration' && declaration.id
  return isNamed ? (declaration as FunctionDeclaration) : { type: 'EmptyStatement' }
}

type File = MailProgram['file']

const shownAround = 100

/** The component that a source exports. */
export const componentOf = { template: 'EmailTemplate', theme: 'EmailTheme' } as const

/** Marks the texts and expressions of a mail for an editor, and describes the texts. */
export type EditableRegions = ReturnType<typeof editableRegions>

export function editableRegions(marked: File | 'both' = 'template') {
  const regions: Region[] = []
  return {
    /** The marks of a source; undefined: its texts are not marked. */
    marksOf(source: string, file: File): Marks | undefined {
      if (marked !== 'both' && marked !== file) return undefined
      const ids = new Map<Node, string>()
      return (node, parents, siblingIndex) => {
        if (node.type !== 'JSXText') {
          const bytes = new TextEncoder().encode(written(source, node))
          const base64 = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
          return [`<!-- STACK_EXPR_START ${base64} -->`, '<!-- STACK_EXPR_END -->']
        }
        if (node.raw.trim() === '') return undefined
        const id = ids.get(node) ?? `t${regions.length}`
        if (!ids.has(node)) regions.push({ id, ...regionOf(node, parents, siblingIndex, source, file) })
        ids.set(node, id)
        return [`<!-- STACK_EDITABLE_START ${id} -->`, `<!-- STACK_EDITABLE_END ${id} -->`]
      }
    },

    /** The regions by id, with how often each text occurs in its source. */
    async described(): Promise<Readonly<Record<string, object>>> {
      const entries = regions.map(async region => {
        const { originalText, sourceFile } = region
        const alike = regions.filter(one => one.originalText === originalText && one.sourceFile === sourceFile)
        const counted = { occurrenceCount: alike.length, occurrenceIndex: alike.indexOf(region) + 1 }
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(originalText))
        return [region.id, { ...region, ...counted, textHash: toHex(new Uint8Array(digest, 0, 8)) }] as const
      })
      return Object.fromEntries(await Promise.all(entries))
    },
  }
}

type Region = ReturnType<typeof regionOf> & { readonly id: string }

// The parser says where each node stands.
const placed = (node: object) => node as PlacedNode
const written = (source: string, node: object) => source.slice(placed(node).start, placed(node).end)

/** A text of a source that an editor may change, in the names of the wire. */
function regionOf(node: JSXText, parents: readonly Jsx[], siblingIndex: number, source: string, file: File) {
  const tagOf = (each: Jsx) => (each.type === 'JSXFragment' ? '' : written(source, each.openingElement.name))
  // Line breaks around a text, with the spaces beside them, are not drawn.
  const undrawn = (space: string) => (space.includes('\n') ? space.length : 0)
  const { raw } = node
  const start = placed(node).start + undrawn(raw.slice(0, raw.length - raw.trimStart().length))
  const end = placed(node).end - undrawn(raw.slice(raw.trimEnd().length))
  const props: Record<string, string> = {}
  // The attributes of the element: a text as it is, code as it is written.
  for (const each of parents.slice(-1).flatMap(attributesOf)) {
    if (each.type === 'JSXSpreadAttribute') continue
    const { name, value } = each
    const code = value ? written(source, value) : 'true'
    props[written(source, name)] = value?.type === 'Literal' ? String(value.value) : code
  }
  const tags = parents.map(tagOf)
  return {
    loc: { start, end, ...placeIn(source, start) },
    originalText: source.slice(start, end),
    jsxPath: [componentOf[file], ...tags],
    parentElement: { tagName: tags.at(-1) ?? '', props },
    sourceContext: {
      before: source.slice(Math.max(0, start - shownAround), start),
      after: source.slice(end, end + shownAround),
    },
    siblingIndex,
    sourceFile: file,
  }
}

/** The line, from 1 on, and the column, from 0 on, of an index. */
export function placeIn(source: string, at: number) {
  const lines = source.slice(0, at).split('\n')
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 }
}
