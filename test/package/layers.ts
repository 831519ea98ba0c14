import { posix } from 'node:path'
import ts from 'typescript'

/** Lowest first. A file may import its own layer and those before it; `navigation` stands beside `session`. */
const layers = [
  ['core'],
  ['errors'],
  ['transport'],
  ['session', 'navigation'],
  ['store'],
  ['resources'],
  ['server'],
  ['admin'],
  ['auth'],
] as const
const joints = [
  'kit',
  'bind',
  'client',
  'known-options',
  'app',
  'server-definitions',
  'request-app',
  'server-app',
  'admin-definitions',
  'admin-app',
  'dehydrate',
  'index',
  'server',
  'admin',
].map(name => `src/${name}.ts`)
const platformEntries = ['src/platform.ts', 'src/platform-node.ts', 'src/platform-bin.ts']
const endpointConstants = ['src/transport/endpoint.ts', 'src/session/endpoints.ts']
const openToPlatform = ['core', 'errors', 'resources', 'server', 'admin', 'auth']

/** Every breach of the import rule, one sentence each, over all sources by path (`src/core/wire.ts`) and text. */
export function importViolations(sources: ReadonlyMap<string, string>): string[] {
  const violations: string[] = []
  const graph = new Map<string, string[]>()
  for (const [path, text] of sources) {
    if (!hasPlace(path)) violations.push(`${path} belongs to no layer`)
    const targets: string[] = []
    for (const { specifier, isType } of importsOf(path, text)) {
      // Style sheets of the example are for its bundler.
      if (specifier.endsWith('.css')) continue
      const target = specifier.startsWith('.') ? resolve(path, specifier, sources) : specifier
      if (target === undefined) violations.push(`${path} imports ${specifier}, which does not exist`)
      else if (!mayImport(path, target)) violations.push(`${path} may not import ${target}`)
      // Cycles of types are allowed: they do not exist at run time.
      else if (sources.has(target) && !isType) targets.push(target)
    }
    graph.set(path, targets)
  }
  return [...violations, ...cycles(graph).map(cycle => `cycle: ${cycle.join(' → ')}`)]
}

/** Everything imported, re-exported or named by `import()`, types included. */
function importsOf(path: string, text: string): { readonly specifier: string; readonly isType: boolean }[] {
  const found: { readonly specifier: string; readonly isType: boolean }[] = []
  const visit = (node: ts.Node): void => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            ? node.arguments[0]
            : undefined
    const isType =
      (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(node) && node.isTypeOnly) ||
      ts.isImportTypeNode(node)
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push({ specifier: specifier.text, isType })
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false))
  return found
}

function resolve(from: string, specifier: string, sources: ReadonlyMap<string, string>): string | undefined {
  const path = posix.join(posix.dirname(from), specifier)
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(candidate => sources.has(candidate))
}

function mayImport(from: string, to: string): boolean {
  const isSource = /^(src|react)\//.test(to)
  if (from.startsWith('react/')) return isSource ? to.startsWith('react/') : true
  if (to.startsWith('react/') || /^(rxauth|react|react-dom)(\/|$)/.test(to)) return false
  // What runs only under Node stays behind one entry and the program.
  const isNodeOnly = from.startsWith('src/platform/node/') || /^src\/platform-(node|bin)\.ts$/.test(from)
  if (to.startsWith('src/platform/node/') || to.startsWith('node:')) return isNodeOnly
  if (!isSource) return true

  if (isPlatform(from)) {
    return isPlatform(to) || endpointConstants.includes(to) || openToPlatform.includes(folderOf(to))
  }
  if (isPlatform(to)) return false
  if (joints.includes(from)) return true
  if (joints.includes(to)) return false
  return folderOf(from) === folderOf(to) || heightOf(to) < heightOf(from)
}

function hasPlace(path: string): boolean {
  return path.startsWith('react/') || joints.includes(path) || isPlatform(path) || heightOf(path) !== -1
}

const isPlatform = (path: string): boolean => path.startsWith('src/platform/') || platformEntries.includes(path)
const folderOf = (path: string): string => (path.split('/').length > 2 ? path.split('/')[1]! : '')

const heightOf = (path: string): number => layers.findIndex(folders => folders.some(name => name === folderOf(path)))

/** One shortest way round from each file that closes a cycle, each cycle once. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found = new Map<string, string[]>()
  for (const start of graph.keys()) {
    const cycle = wayBack(graph, start)
    if (cycle) found.set([...new Set(cycle)].sort().join(), cycle)
  }
  return [...found.values()]
}

function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const seen = new Set<string>()
  const ways = [[start]]
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)!) ?? []) {
      if (next === start) return [...way, start]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}
