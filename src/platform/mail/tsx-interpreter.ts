import type * as tree from 'estree-jsx'
import {
  callMethod,
  globals,
  imported,
  inside,
  isPrimitive,
  operatorOf,
  propertyOf,
  requirePlayable,
  toText,
  bare,
  Budget,
  isValues,
  Thrown,
  Unplayable,
} from './tsx-built-in'
import type { Evaluator, Native, Values } from './tsx-built-in'
import { bindPattern, declared, JsxReader } from './tsx-elements'
import type { Marks } from './tsx-elements'
import type { PlacedNode } from './tsx-parser'

/** The value of an optional chain that has met null. */
const short = Symbol('short')

/** Syntax of TypeScript that says nothing when a program runs: the types of the tree know JavaScript only. */
const typesOnly = /^TS(?:Interface|TypeAlias|DeclareFunction)/
const typed = /^TS(?:As|Satisfies|NonNull|Instantiation)/

const preview = 'PreviewVariables'

/**
 * Plays the tree of a source: elements, values, conditions, functions and their calls. A source is never run as code, so it
 * reaches only what is given to it, no value of it ever changes, and its budget ends it.
 */
export class Interpreter implements Evaluator {
  readonly budget = new Budget()
  readonly #source: string
  readonly #elements: JsxReader
  /** The values of the preview, of each function that has some. */
  readonly previews = new WeakMap<object, unknown>()

  constructor(source: string, marks?: Marks) {
    this.#source = source
    this.#elements = new JsxReader(this, marks)
  }

  /** Plays the statements of a module, and returns its names. */
  module(body: readonly tree.Node[]): Values {
    const scope = inside(globals())
    this.#block(body.map(declared), scope)
    return scope
  }

  call(callee: unknown, values: readonly unknown[], name: string): unknown {
    requirePlayable(callee)
    if (typeof callee !== 'function') throw new Thrown(`${name} is not a function`, 'TypeError')
    return (callee as Native)(...values)
  }

  evaluate(node: tree.Node, scope: Values): unknown {
    return this.budget.deeper(() => this.#valueOf(node, scope))
  }

  textOf(node: object): string {
    // The parser says where each node stands.
    const { start, end } = node as PlacedNode
    return this.#source.slice(start, end)
  }

  unplayable(node: { readonly type: string }): Unplayable {
    return new Unplayable(`the local platform cannot play ${node.type}: ${this.textOf(node).slice(0, 80)}`)
  }

  /** Plays statements; returns what a `return` among them gives, in a list. */
  #block(body: readonly tree.Node[], scope: Values): [unknown] | undefined {
    for (const node of body) if (node.type === 'FunctionDeclaration') scope[node.id.name] = this.#closure(node, scope)
    for (const node of body) {
      const returned = this.budget.deeper(() => this.#execute(node, scope))
      if (returned) return returned
    }
    return undefined
  }

  #execute(node: tree.Node, scope: Values): [unknown] | undefined {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return undefined
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          const others = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
          const name = specifier.type === 'ImportSpecifier' ? this.textOf(specifier.imported) : others
          scope[specifier.local.name] = imported(String(node.source.value), name)
        }
        return undefined
      case 'ExportNamedDeclaration':
        for (const { local, exported } of node.specifiers) scope[this.textOf(exported)] = scope[this.textOf(local)]
        return undefined
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          bindPattern(this, id, init ? this.evaluate(init, scope) : undefined, scope)
        return undefined
      case 'ExpressionStatement':
        this.evaluate(node.expression, scope)
        return undefined
      case 'ReturnStatement':
        return [node.argument ? this.evaluate(node.argument, scope) : undefined]
      case 'IfStatement': {
        const next = this.evaluate(node.test, scope) ? node.consequent : node.alternate
        return next ? this.#block([next], scope) : undefined
      }
      case 'BlockStatement':
        return this.#block(node.body, inside(scope))
      case 'ThrowStatement': {
        const thrown = this.evaluate(node.argument, scope)
        const { name = 'Error', message = thrown } = isValues(thrown) ? thrown : {}
        throw new Thrown(toText(message), toText(name))
      }
      default:
        if (typesOnly.test(node.type)) return undefined
        throw this.unplayable(node)
    }
  }

  #valueOf(node: tree.Node, scope: Values): unknown {
    switch (node.type) {
      case 'Literal':
        if (!isPrimitive(node.value) || 'bigint' in node) throw this.unplayable(node)
        return node.value
      case 'Identifier':
        if (node.name in scope) return scope[node.name]
        throw new Thrown(`${node.name} is not defined`, 'ReferenceError')
      case 'TemplateLiteral':
        return node.quasis.reduce((text, { value }, index) => {
          const before = node.expressions[index - 1]
          return this.#spent(text + (before ? toText(this.evaluate(before, scope)) : '') + (value.cooked ?? ''))
        }, '')
      case 'ArrayExpression':
        return this.#list(node.elements, scope)
      case 'ObjectExpression':
        return this.#record(node, scope)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#closure(node, scope)
      case 'ConditionalExpression':
        return this.evaluate(this.evaluate(node.test, scope) ? node.consequent : node.alternate, scope)
      case 'LogicalExpression': {
        const left = this.evaluate(node.left, scope)
        const isLeft = { '&&': !left, '||': Boolean(left), '??': left != null }[node.operator]
        return isLeft ? left : this.evaluate(node.right, scope)
      }
      case 'UnaryExpression':
      case 'BinaryExpression':
        return this.#operation(node, scope)
      case 'ChainExpression': {
        const value = this.evaluate(node.expression, scope)
        return value === short ? undefined : value
      }
      case 'MemberExpression': {
        const target = this.#target(node, scope)
        return target === short ? short : propertyOf(target, this.key(node.property, node.computed, scope))
      }
      case 'CallExpression':
        return this.#callOf(node, scope)
      case 'NewExpression':
        if (!/Error$/.test(this.textOf(node.callee))) throw this.unplayable(node)
        return this.call(this.evaluate(node.callee, scope), this.#list(node.arguments, scope), 'the error')
      case 'AssignmentExpression': {
        const owner = node.left.type === 'MemberExpression' ? this.evaluate(node.left.object, scope) : undefined
        if (typeof owner !== 'function' || !this.textOf(node.left).endsWith(`.${preview}`)) throw this.unplayable(node)
        this.previews.set(owner, this.evaluate(node.right, scope))
        return undefined
      }
      case 'JSXElement':
      case 'JSXFragment':
        return this.#elements.read(node, scope)
      default:
        if (!typed.test(node.type) || !('expression' in node)) throw this.unplayable(node)
        return this.evaluate(node.expression, scope)
    }
  }

  #callOf(node: tree.SimpleCallExpression, scope: Values): unknown {
    const { callee, optional } = node
    const name = this.textOf(callee)
    if (callee.type !== 'MemberExpression') {
      const called = this.evaluate(callee, scope)
      if (called === short || (optional && called == null)) return short
      return this.call(called, this.#list(node.arguments, scope), name)
    }
    const target = this.#target(callee, scope)
    if (target === short) return short
    const key = this.key(callee.property, callee.computed, scope)
    const own = propertyOf(target, key)
    const values = this.#list(node.arguments, scope)
    return own === undefined && !isValues(target)
      ? callMethod(this.budget, target, key, values)
      : this.call(own, values, name)
  }

  #closure(node: tree.Function, scope: Values): Native {
    if (node.async || node.generator) throw this.unplayable(node)
    const { params, body } = node
    return (...values) =>
      this.budget.deeper(() => {
        const inner = inside(scope)
        params.forEach((param, index) => {
          bindPattern(this, param, param.type === 'RestElement' ? values.slice(index) : values[index], inner)
        })
        return body.type === 'BlockStatement' ? this.#block(body.body, inner)?.[0] : this.evaluate(body, inner)
      })
  }

  #target({ object, optional }: tree.MemberExpression, scope: Values): unknown {
    const target = this.evaluate(object, scope)
    return target === short || (optional && target == null) ? short : target
  }

  key(key: tree.Node, computed: boolean, scope: Values): string {
    return key.type === 'Identifier' && !computed ? key.name : toText(this.evaluate(key, scope))
  }

  #operation(node: tree.UnaryExpression | tree.BinaryExpression, scope: Values): unknown {
    const nodes = node.type === 'UnaryExpression' ? [node.argument] : [node.left, node.right]
    const values = nodes.map(each => this.evaluate(each, scope))
    const operator = operatorOf(node.operator, values)
    if (!operator) throw this.unplayable(node)
    const made = operator()
    return typeof made === 'string' ? this.#spent(made) : made
  }

  #list(nodes: readonly (tree.Node | null)[], scope: Values): unknown[] {
    return nodes.flatMap(node => {
      if (node?.type !== 'SpreadElement') return [node ? this.evaluate(node, scope) : undefined]
      const spread = this.evaluate(node.argument, scope)
      if (!Array.isArray(spread)) throw new Thrown(`${this.textOf(node.argument)} is not iterable`, 'TypeError')
      this.budget.spend(spread.length)
      return spread as unknown[]
    })
  }

  #record({ properties }: tree.ObjectExpression, scope: Values): Values {
    const made = bare({})
    for (const property of properties)
      if (property.type === 'SpreadElement') this.spread(made, this.evaluate(property.argument, scope))
      else if (property.kind !== 'init') throw this.unplayable(property)
      else made[this.key(property.key, property.computed, scope)] = this.evaluate(property.value, scope)
    return made
  }

  spread(into: Values, from: unknown): void {
    if (isValues(from)) this.budget.spend(Object.keys(Object.assign(into, from)).length)
  }

  #spent(text: string): string {
    this.budget.spend(text.length)
    return text
  }
}
