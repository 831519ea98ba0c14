import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

/** A line of `docs/contributing/contracts.md`: the promise and, in code behind it, the id; undefined: the line has none. */
export interface Contract {
  readonly id: string | undefined
  readonly promise: string
}

/** A comment above a test, `// Promise: some-id, another-id`, which says that the test checks these promises. */
export interface PromiseMark {
  readonly file: string
  readonly line: number
  /** Undefined: the mark is malformed. */
  readonly ids: readonly string[] | undefined
  /** Of the test below the mark; undefined: there is none. */
  readonly title: string | undefined
}

const source = 'docs/contributing/contracts.md'
const id = '[a-z\\d]+(?:-[a-z\\d]+)*'
const wellFormed = new RegExp(`^ *// Promise: (${id}(?:, ${id})*)$`)
/** A line with a comment that is a mark, or a misspelt one. */
const anyMark = /^(?:(?:.*[ (){},;])?\/[/*]\** *| *\* *)promises?(?: *:| *-| +[a-z\d]+(?:-[a-z\d]+)+ *$).*$/gim
const bullet = /^- ([^]*?)\n(?=- |\n|#|$(?![^]))/gm

/** Every promise of the page. */
export function readContracts(text: string): Contract[] {
  return [...text.matchAll(bullet)].map(([, body = '']) => {
    const line = body.replace(/\s+/g, ' ')
    const [, promise = line, name] = new RegExp(`^(.*\\.) \`(${id})\`$`).exec(line) ?? []
    return { id: name, promise }
  })
}

/** Every mark in the text of a test. */
export function marksIn(file: string, text: string): PromiseMark[] {
  const comments = [...text.matchAll(anyMark)]
  if (comments.length === 0) return []
  const outermost = new Map<number, ts.Node>()
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    const start = node.getStart(tree)
    if (!outermost.has(start)) outermost.set(start, node)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(tree, visit)
  return comments.map(({ 0: comment, index }) => {
    const [trivia = ''] = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*/.exec(text.slice(index)) ?? []
    const node = outermost.get(index + trivia.length)
    return {
      file,
      line: text.slice(0, index).split('\n').length,
      ids: wellFormed.exec(comment)?.[1]?.split(', '),
      title: node && titleOf(node),
    }
  })
}

/** The title of a test, a group, a benchmark, or the row of a table. */
function titleOf(node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
    if (!ts.isCallExpression(call) || !/^(?:compare|describe|it)(?![a-z])/.test(call.getText())) return undefined
    return call.arguments[0] && textIn(call.arguments[0])
  }
  const { parent } = node
  return ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent) ? textIn(node) : undefined
}

/** The first text in an expression. */
function textIn(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node
      .getText()
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, '…')
  return ts.forEachChild(node, textIn)
}

/** Every mark in the tests. */
export function marksOf(root: string): PromiseMark[] {
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return /^(?:\.|(?:build|dist|node_modules)$)/.test(entry.name) ? [] : filesIn(path)
      return /\.(?:mjs|tsx?)$/.test(entry.name) ? [path] : []
    })
  return filesIn(join(root, 'test'))
    .sort()
    .flatMap(path => marksIn(relative(root, path), readFileSync(path, 'utf8')))
}

/** The mistakes in promises and marks. */
export function problemsOf(contracts: readonly Contract[], marks: readonly PromiseMark[]): string[] {
  const ids = contracts.flatMap(contract => contract.id ?? [])
  const marked = new Set(marks.flatMap(mark => mark.ids ?? []))
  return [
    ...contracts.flatMap(({ id, promise }) =>
      id === undefined ? `"${promise}" has no id: write it in code behind the full stop, as \`some-id\`` : [],
    ),
    ...new Set(ids.filter((id, at) => ids.indexOf(id) !== at).map(id => `${id} is the id of two promises`)),
    ...ids.flatMap(id =>
      marked.has(id) ? [] : `${id} has no test: write "// Promise: ${id}" above the test that checks the promise`,
    ),
    ...marks.flatMap(({ file, line, ids: named, title }) => {
      const place = `${file}:${line}`
      if (!named) return `${place} is no mark: write "// Promise: some-id, another-id"`
      const unknown = named.filter(id => !ids.includes(id)).map(id => `${place} names ${id}, which is not in ${source}`)
      return title === undefined ? [...unknown, `${place} stands above no test with a title`] : unknown
    }),
  ]
}

/** The page of the site and of the package: each promise, with its tests folded. */
export function promisesPage(root: string): string {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly repository: { readonly url: string }
  }
  const files = `${repository.url.replace(/^git\+(.*)\.git$/, '$1')}/blob/main`
  return pageOf(readFileSync(join(root, source), 'utf8'), marksOf(root), files)
}

/** `files`: the address of the folder that the marks name their files in. */
export function pageOf(text: string, marks: readonly PromiseMark[], files: string): string {
  const introduction = "Each promise, with the tests that check it. To run one: `npx jest -t 'its title'`.\n\n"
  return text.replace(/(?<=^# .*\n\n)[^]*?(?=^## )/m, introduction).replace(bullet, line => {
    const { id = '', promise } = readContracts(line)[0]!
    const tests = marks.filter(({ ids }) => ids?.includes(id))
    const lists = [...new Set(tests.map(({ file }) => file))].map(file => {
      const titles = tests.flatMap(test => (test.file === file ? `<li>${escaped(test.title ?? '')}</li>` : []))
      return `<p><a href="${files}/${file}">${file}</a></p><ul>${titles.join('')}</ul>`
    })
    const count = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`
    return `- ${promise}\n  <details id="${id}"><summary>${count}</summary>${lists.join('')}</details>\n`
  })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
