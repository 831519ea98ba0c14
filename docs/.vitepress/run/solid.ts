import ts from 'typescript'
import { edited } from './printing'
import type { Edit } from './printing'

type Jsx = ts.JsxElement | ts.JsxFragment | ts.JsxSelfClosingElement

/** What the compiled JSX calls. */
const runtime = `import { createComponent as _component, effect as _effect, insert as _insert } from 'solid-js/web'
function _element(tag, attributes, children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value)
    else _effect(() => element.setAttribute(name, value()))
  for (const child of children) _insert(element, child, null)
  return element
}
`

/**
 * Compiles the JSX of Solid: its own compiler is a plugin of Babel. An expression in an element becomes a function, and one in a
 * component a getter, so that Solid follows what it reads.
 */
export function readSolid(code: string): string {
  const source = ts.createSourceFile('app.tsx', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  return runtime + compiled(source, source)
}

/** The text of a node, in which JSX is compiled. */
function compiled(node: ts.Node, source: ts.SourceFile): string {
  if (isJsx(node)) return compiledJsx(node, source)
  const start = node.getStart(source)
  const edits: Edit[] = []
  const removed: { readonly from: number; readonly to: number }[] = []
  const visit = (child: ts.Node): void => {
    if (!isJsx(child)) {
      ts.forEachChild(child, visit)
      return
    }
    edits.push({ at: child.getStart(source) - start, text: compiledJsx(child, source) })
    removed.push({ from: child.getStart(source) - start, to: child.end - start })
  }
  ts.forEachChild(node, visit)
  const text = removed.reduceRight(
    (rest, { from, to }) => rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to),
    node.getText(source),
  )
  return edited(text, edits)
}

function isJsx(node: ts.Node): node is Jsx {
  return ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)
}

function compiledJsx(node: Jsx, source: ts.SourceFile): string {
  const children = (ts.isJsxSelfClosingElement(node) ? [] : node.children).flatMap(child =>
    compiledChild(child, source),
  )
  if (ts.isJsxFragment(node)) return `[${children.join(', ')}]`
  const { tagName, attributes } = ts.isJsxElement(node) ? node.openingElement : node
  const tag = tagName.getText(source)
  const isElement = /^[a-z]/.test(tag)
  const given = attributes.properties.filter(ts.isJsxAttribute).map(({ name, initializer }) => {
    const value =
      initializer && ts.isJsxExpression(initializer)
        ? compiled(initializer.expression!, source)
        : initializer?.getText(source)
    const key = name.getText(source)
    if (!isElement) return `get ${key}() { return ${value ?? 'true'} }`
    return `${key}: ${key.startsWith('on') ? value! : `() => (${value ?? "''"})`}`
  })
  if (isElement) return `_element('${tag}', { ${given.join(', ')} }, [${children.join(', ')}])`
  const [only, ...more] = children
  const shown =
    only === undefined ? [] : [`get children() { return ${more.length ? `[${children.join(', ')}]` : only} }`]
  return `_component(${tag}, { ${[...given, ...shown].join(', ')} })`
}

function compiledChild(child: ts.JsxChild, source: ts.SourceFile): string[] {
  if (ts.isJsxText(child)) {
    const lines = child.text.split('\n')
    const words = lines
      .map((line, index) => (index > 0 ? line.trimStart() : line))
      .map((line, index) => (index < lines.length - 1 ? line.trimEnd() : line))
      .filter(line => line !== '')
    return words.length > 0 ? [JSON.stringify(words.join(' '))] : []
  }
  if (!ts.isJsxExpression(child)) return [compiledJsx(child, source)]
  if (!child.expression) return []
  const value = compiled(child.expression, source)
  return [ts.isFunctionLike(child.expression) ? value : `() => (${value})`]
}
