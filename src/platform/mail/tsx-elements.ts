import type { FunctionDeclaration, JSXElement, JSXFragment, JSXText, Node, Pattern } from 'estree-jsx'
import { propertyOf, bare, Html, Import, JsxElement, Thrown } from './tsx-built-in'
import type { Evaluator, Values } from './tsx-built-in'

/** An element or a fragment of a source. */
export type Jsx = JSXElement | JSXFragment

/** A text in a source. */
export interface TextPlace {
  readonly node: JSXText
  /** The elements that are written around it. */
  readonly parents: readonly Jsx[]
  readonly siblingIndex: number
}

/** Marks the texts and expressions of a source: with HTML before and after each. */
export interface Marks {
  text(place: TextPlace): Mark
  expression(code: string): Mark
}
export type Mark = readonly [before: string, after: string]

/** Reads the elements of a source for the interpreter. */
export class JsxReader {
  readonly #evaluator: Evaluator
  readonly #marks: Marks | undefined
  /** The elements that are open around the one that is read. */
  readonly #open: Jsx[] = []

  constructor(evaluator: Evaluator, marks: Marks | undefined) {
    this.#evaluator = evaluator
    this.#marks = marks
  }

  read(node: Jsx, scope: Values): JsxElement {
    const type =
      node.type === 'JSXFragment' ? new Import('Fragment', '') : this.#typeOf(node.openingElement.name, scope)
    const props = bare({})
    for (const each of node.type === 'JSXFragment' ? [] : node.openingElement.attributes) {
      if (each.type === 'JSXSpreadAttribute') {
        this.#evaluator.spread(props, this.#evaluator.evaluate(each.argument, scope))
        continue
      }
      const value = each.value?.type === 'JSXExpressionContainer' ? each.value.expression : each.value
      props[this.#evaluator.textOf(each.name)] = value ? this.#evaluator.evaluate(value, scope) : true
    }
    this.#open.push(node)
    const children = this.#children(node, scope)
    this.#open.pop()
    if (children.length > 0) props['children'] = children.length === 1 ? children[0] : children
    return new JsxElement(type, props)
  }

  #typeOf(name: Node, scope: Values): unknown {
    if (name.type === 'JSXMemberExpression') return propertyOf(this.#typeOf(name.object, scope), name.property.name)
    const written = this.#evaluator.textOf(name)
    if (/^[a-z]/.test(written)) return written
    if (!(written in scope)) throw new Thrown(`${written} is not defined`, 'ReferenceError')
    return scope[written]
  }

  #children(node: Jsx, scope: Values): unknown[] {
    let siblingIndex = 0
    return node.children.flatMap(child => {
      if (child.type === 'JSXText') {
        const text = folded(child.value)
        if (text === '') return []
        return marked(this.#marks?.text({ node: child, parents: [...this.#open], siblingIndex: siblingIndex++ }), text)
      }
      const inner =
        child.type === 'JSXExpressionContainer' || child.type === 'JSXSpreadChild' ? child.expression : child
      if (inner.type === 'JSXEmptyExpression') return []
      if (inner.type !== 'JSXFragment') siblingIndex++
      const value = this.#evaluator.evaluate(inner, scope)
      return marked(inner === child ? undefined : this.#marks?.expression(this.#evaluator.textOf(inner)), value)
    })
  }
}

function marked(mark: Mark | undefined, value: unknown): unknown[] {
  return mark ? [new Html(mark[0]), value, new Html(mark[1])] : [value]
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
  switch (pattern.type) {
    case 'Identifier':
      scope[pattern.name] = value
      return
    case 'RestElement':
      bind(pattern.argument, value)
      return
    case 'AssignmentPattern':
      bind(pattern.left, value === undefined ? evaluator.evaluate(pattern.right, scope) : value)
      return
    case 'ObjectPattern': {
      const rest = bare({})
      evaluator.spread(rest, value)
      for (const property of pattern.properties)
        if (property.type === 'RestElement') bind(property, rest)
        else {
          const name = evaluator.key(property.key, property.computed, scope)
          bind(property.value, propertyOf(value, name))
          Reflect.deleteProperty(rest, name)
        }
      return
    }
    default:
      throw evaluator.unplayable(pattern)
  }
}

/** The statement that a module exports. A default export without a name is never played. */
export function declared(node: Node): Node {
  if (node.type === 'ExportNamedDeclaration') return node.declaration ?? node
  if (node.type !== 'ExportDefaultDeclaration') return node
  const { declaration } = node
  const isNamed = declaration.type === 'FunctionDeclaration' && declaration.id
  return isNamed ? (declaration as FunctionDeclaration) : { type: 'EmptyStatement' }
}
