import type { FunctionDeclaration, Node, Pattern } from 'estree-jsx'
import { propertyOf } from './tsx-built-in'
import { bare } from './tsx-values'
import type { Evaluator, Values } from './tsx-values'

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
