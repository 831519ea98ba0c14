import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { guides, root } from './blocks'
import { documentedNames } from './reference-examples'

const makers = ['createClientApp', 'createAdminApp', 'createKit']

/** The lines that make an app while a component renders, or in an attribute of markup. */
function madeInRenders(code: string): string[] {
  const source = ts.createSourceFile('code.tsx', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && makers.includes(node.expression.getText(source)) && isOfRender(node))
      found.push(node.parent.getText(source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether React evaluates it at each render; an effect runs once for each commit, and can dispose of it. */
function isOfRender(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isJsxExpression(at)) return true
    if (ts.isCallExpression(at) && /^use(Layout|Insertion)?Effect$/.test(at.expression.getText())) return false
    if (ts.isFunctionLike(at) && /^([A-Z]|use[A-Z])/.test(nameOf(at))) return true
  }
  return false
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ? node : node.parent
  return 'name' in named && named.name ? (named.name as ts.Node).getText() : ''
}

/** The code of a page: its blocks of any language, and each of the rest that stands in backticks. */
function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```\w+.*\n([^]*?)^ *```$/gm)].map(([, code]) => code ?? '')
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
  return [...blocks, ...spans]
}

const isCode = /\.(tsx?|mjs|vue|svelte)$/

const folders = ['react', 'test/example']
const files = folders.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
)

describe('no app is made in a render', () => {
  // Promise: living-apps
  it.each(guides())('of %s', page => {
    expect(codeOf(readFileSync(join(root, page), 'utf8')).flatMap(madeInRenders)).toEqual([])
  })

  // Promise: living-apps
  it('of an example in a docstring', () => {
    const all = documentedNames()
    expect(all.flatMap(({ at, example }) => madeInRenders(example).map(line => `${at}: ${line}`))).toEqual([])
  })

  // Promise: living-apps
  it('of the example and the console', () => {
    const code = files.filter(file => isCode.test(file) && !file.includes('node_modules'))
    expect(code.length).toBeGreaterThan(100)
    expect(code.flatMap(file => madeInRenders(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  it.each([
    ['function Page() { const app = createClientApp({ tokens }) }', 1],
    ['export default function App() { const [app] = useState(() => createClientApp({ tokens })) }', 1],
    ['const Page = () => { const kit = useMemo(() => createKit({ tokens }), []) }', 1],
    ['function useMine() { return createAdminApp({ owner }) }', 1],
    ['<AuthProvider app={createClientApp({ tokens })}>', 1],
    ['const app = createClientApp({ tokens }); function Page() { return <AuthProvider app={app} /> }', 0],
    ['function Page() { useEffect(() => { const app = createAdminApp({ owner }); return () => app.dispose() }) }', 0],
    ['test("a page", () => { const app = createClientApp({ tokens }) })', 0],
    ['const connect = () => createClientApp({ tokens })', 0],
  ])('is found in %s', (code, count) => {
    expect(madeInRenders(code)).toHaveLength(count)
  })
})
