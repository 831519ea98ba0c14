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
import { bindPattern, declared, jsxReader, type Marks } from './tsx-elements'
import type { PlacedNode } from './tsx-parser'

/** Ends an optional chain that has met null. */
const chainEnd = new Error('the chain has ended')

/** The end of a function, with its value. */
class ReturnedValue {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** The nodes that are played: an expression gives its value, and a statement nothing or a `ReturnedValue`. */
type Plays = {
  readonly [T in tree.Node['type']]?: (node: Extract<tree.Node, { type: T }>, scope: Values) => unknown
}

/** Syntax of TypeScript that says nothing when a program runs: the types of the tree know JavaScript only. */
const typesOnly = /^TS(?:Interface|TypeAlias|DeclareFunction)/
const typed = /^TS(?:As|Satisfies|NonNull|Instantiation)/

const preview = 'PreviewVariables'

/** Plays one source. */
export type Interpreter = ReturnType<typeof interpreterOf>

/**
 * Plays the tree of a source: elements, values, conditions, functions and their calls. A source is never run as code, so it
 * reaches only what is given to it, no value of it ever changes, and its budget ends it.
 */
export function interpreterOf(source: string, marks?: Marks) {
  const budget = new Budget()
  /** The values of the preview, of each function that has some. */
  const previews = new WeakMap<object, unknown>()

  // The parser says where each node stands.
  const textOf = (node: object) => source.slice((node as PlacedNode).start, (node as PlacedNode).end)

  function unplayable(node: { readonly type: string }): Unplayable {
    return new Unplayable(`the local platform cannot play ${node.type}: ${textOf(node).slice(0, 80)}`)
  }

  function evaluate(node: tree.Node, scope: Values): unknown {
    return budget.deeper(() => {
      // Each entry takes the nodes of its type.
      const play = plays[node.type] as ((node: tree.Node, scope: Values) => unknown) | undefined
      if (play) return play(node, scope)
      if (typesOnly.test(node.type)) return undefined
      if (!typed.test(node.type) || !('expression' in node)) throw unplayable(node)
      return evaluate(node.expression as tree.Node, scope)
    })
  }

  /** Plays statements, up to a `return` among them. */
  function block(body: readonly tree.Node[], scope: Values): ReturnedValue | undefined {
    for (const node of body) if (node.type === 'FunctionDeclaration') scope[node.id.name] = closure(node, scope)
    for (const node of body) {
      const returned = evaluate(node, scope)
      if (returned instanceof ReturnedValue) return returned
    }
    return undefined
  }

  function call(callee: unknown, values: readonly unknown[], name: string): unknown {
    requirePlayable(callee)
    if (typeof callee !== 'function') throw new Thrown(`${name} is not a function`, 'TypeError')
    return (callee as Native)(...values)
  }

  function closure(node: tree.Function, scope: Values): Native {
    if (node.async || node.generator) throw unplayable(node)
    const { params, body } = node
    return (...values) =>
      budget.deeper(() => {
        const inner = inside(scope)
        params.forEach((param, index) => {
          bindPattern(evaluator, param, param.type === 'RestElement' ? values.slice(index) : values[index], inner)
        })
        return body.type === 'BlockStatement' ? block(body.body, inner)?.value : evaluate(body, inner)
      })
  }

  /** The value that `?.` or another way follows. */
  function linked(node: tree.Node, optional: boolean, scope: Values): unknown {
    const value = evaluate(node, scope)
    if (optional && value == null) throw chainEnd
    return value
  }

  function key(node: tree.Node, isComputed: boolean, scope: Values): string {
    return node.type === 'Identifier' && !isComputed ? node.name : toText(evaluate(node, scope))
  }

  function named(name: string, scope: Values): unknown {
    if (name in scope) return scope[name]
    throw new Thrown(`${name} is not defined`, 'ReferenceError')
  }

  function operation(node: tree.UnaryExpression | tree.BinaryExpression, scope: Values): unknown {
    const nodes = node.type === 'UnaryExpression' ? [node.argument] : [node.left, node.right]
    const values = nodes.map(each => evaluate(each, scope))
    const operate = operatorOf(node.operator, values)
    if (!operate) throw unplayable(node)
    const made = operate()
    return typeof made === 'string' ? spent(made) : made
  }

  function list(nodes: readonly (tree.Node | null)[], scope: Values): unknown[] {
    return nodes.flatMap(node => {
      if (node?.type !== 'SpreadElement') return [node ? evaluate(node, scope) : undefined]
      const spread = evaluate(node.argument, scope)
      if (!Array.isArray(spread)) throw new Thrown(`${textOf(node.argument)} is not iterable`, 'TypeError')
      budget.spend(spread.length)
      return spread as unknown[]
    })
  }

  function spread(into: Values, from: unknown): void {
    if (isValues(from)) budget.spend(Object.keys(Object.assign(into, from)).length)
  }

  function spent(text: string): string {
    budget.spend(text.length)
    return text
  }

  const evaluator: Evaluator = { evaluate, key, named, spread, textOf, unplayable }
  const readJsx = jsxReader(evaluator, marks)

  const plays: Plays = {
    FunctionDeclaration: () => undefined,
    EmptyStatement: () => undefined,
    ImportDeclaration({ specifiers, source: from }, scope) {
      for (const specifier of specifiers) {
        const others = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
        const name = specifier.type === 'ImportSpecifier' ? textOf(specifier.imported) : others
        scope[specifier.local.name] = imported(String(from.value), name)
      }
    },
    ExportNamedDeclaration({ specifiers }, scope) {
      for (const { local, exported } of specifiers) scope[textOf(exported)] = scope[textOf(local)]
    },
    VariableDeclaration({ declarations }, scope) {
      for (const { id, init } of declarations)
        bindPattern(evaluator, id, init ? evaluate(init, scope) : undefined, scope)
    },
    ExpressionStatement({ expression }, scope) {
      evaluate(expression, scope)
    },
    ReturnStatement: ({ argument }, scope) => new ReturnedValue(argument ? evaluate(argument, scope) : undefined),
    IfStatement({ test, consequent, alternate }, scope) {
      const next = evaluate(test, scope) ? consequent : alternate
      return next ? block([next], scope) : undefined
    },
    BlockStatement: ({ body }, scope) => block(body, inside(scope)),
    ThrowStatement({ argument }, scope) {
      const thrown = evaluate(argument, scope)
      const { name = 'Error', message = thrown } = isValues(thrown) ? thrown : {}
      throw new Thrown(toText(message), toText(name))
    },
    Literal(node) {
      if (!isPrimitive(node.value) || 'bigint' in node) throw unplayable(node)
      return node.value
    },
    Identifier: ({ name }, scope) => named(name, scope),
    TemplateLiteral: ({ quasis, expressions }, scope) =>
      quasis.reduce((text, { value }, index) => {
        const before = expressions[index - 1]
        return spent(text + (before ? toText(evaluate(before, scope)) : '') + (value.cooked ?? ''))
      }, ''),
    ArrayExpression: ({ elements }, scope) => list(elements, scope),
    ObjectExpression({ properties }, scope) {
      const made = bare({})
      for (const property of properties)
        if (property.type === 'SpreadElement') spread(made, evaluate(property.argument, scope))
        else if (property.kind !== 'init') throw unplayable(property)
        else made[key(property.key, property.computed, scope)] = evaluate(property.value, scope)
      return made
    },
    ArrowFunctionExpression: closure,
    FunctionExpression: closure,
    ConditionalExpression: ({ test, consequent, alternate }, scope) =>
      evaluate(evaluate(test, scope) ? consequent : alternate, scope),
    LogicalExpression({ left, operator, right }, scope) {
      const value = evaluate(left, scope)
      const isLeft = { '&&': !value, '||': Boolean(value), '??': value != null }[operator]
      return isLeft ? value : evaluate(right, scope)
    },
    UnaryExpression: operation,
    BinaryExpression: operation,
    ChainExpression({ expression }, scope) {
      try {
        return evaluate(expression, scope)
      } catch (error) {
        if (error === chainEnd) return undefined
        throw error
      }
    },
    MemberExpression: ({ object, optional, property, computed }, scope) =>
      propertyOf(linked(object, optional, scope), key(property, computed, scope)),
    CallExpression({ callee, optional, arguments: given }, scope) {
      const name = textOf(callee)
      if (callee.type !== 'MemberExpression') return call(linked(callee, optional, scope), list(given, scope), name)
      const owner = linked(callee.object, callee.optional, scope)
      const method = key(callee.property, callee.computed, scope)
      const own = propertyOf(owner, method)
      const values = list(given, scope)
      return own === undefined && !isValues(owner) ? callMethod(budget, owner, method, values) : call(own, values, name)
    },
    NewExpression(node, scope) {
      if (!/Error$/.test(textOf(node.callee))) throw unplayable(node)
      return call(evaluate(node.callee, scope), list(node.arguments, scope), 'the error')
    },
    AssignmentExpression(node, scope) {
      const owner = node.left.type === 'MemberExpression' ? evaluate(node.left.object, scope) : undefined
      if (typeof owner !== 'function' || !textOf(node.left).endsWith(`.${preview}`)) throw unplayable(node)
      previews.set(owner, evaluate(node.right, scope))
    },
    JSXElement: readJsx,
    JSXFragment: readJsx,
  }

  /** Plays the statements of a module, and returns its names. */
  function module(body: readonly tree.Node[]): Values {
    const scope = inside(globals())
    block(body.map(declared), scope)
    return scope
  }

  return { budget, previews, evaluate, call, module }
}
