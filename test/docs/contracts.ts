import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './blocks'

/** One mention of a test in `docs/contributing/contracts.md`: the file under `test/` without its ending, and the name. */
export interface Mention {
  readonly file: string
  readonly name: string
}

/** Every promise of the page and the tests that it names. */
export function readContracts(text: string): { readonly promise: string; readonly tests: readonly Mention[] }[] {
  return [...text.matchAll(/^- ([^]*?)(?=^- |^\n|^#|$(?![^]))/gm)].map(([, body]) => {
    const line = (body ?? '').replace(/\s+/g, ' ').trim()
    const tests = [...line.matchAll(/`(\w[\w-]*(?:\/[\w-]+)+)`: ((?:“[^”]+”(?:, )?)+)/g)].flatMap(([, file, names]) =>
      [...(names ?? '').matchAll(/“([^”]+)”/g)].map(([, name]) => ({ file: file ?? '', name: name ?? '' })),
    )
    return { promise: line.replace(/ `\w[\w-]*(?:\/[\w-]+)+`: “.*$/, ''), tests }
  })
}

/** The names of the tests and groups in the source of a file; undefined: there is no such file. */
export function testNames(file: string): ReadonlySet<string> | undefined {
  const path = ['.test.ts', '.test.tsx', '.ts']
    .map(end => join(root, 'test', file + end))
    .find(each => existsSync(each))
  if (path === undefined) return undefined
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(describe|it)\b/.test(node.expression.getText(source))) {
      const [name] = node.arguments
      if (name && ts.isStringLiteralLike(name)) names.add(name.text)
    }
    // A table's first column often holds the names.
    if (ts.isArrayLiteralExpression(node) && node.elements[0] && ts.isStringLiteralLike(node.elements[0]))
      names.add(node.elements[0].text)
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  visit(source)
  return names
}
