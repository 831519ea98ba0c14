import { posix } from 'node:path'
import ts from 'typescript'

const below = (...rooms: string[]) => [...new Set(rooms.flatMap(room => [room, ...(mayUse[room] ?? [])]))]

/** The access levels of definitions, lowest first. */
const levels = ['shape', 'client', 'server', 'admin'] as const

/**
 * What each room may import, types included, apart from itself. A room is a folder of `src`, or one within `extras`, `platform`,
 * `session`, `sign-in` and `store`; `.` is the files of `src` itself and `platform/.` those of `src/platform`. In `entities`, the
 * first word of a file's name is its room, so that client code never gets what needs a secret key.
 */
const mayUse: Record<string, readonly string[]> = { core: [] }
mayUse['errors'] = below('core')
mayUse['navigation'] = below('errors')
mayUse['transport'] = below('errors')
mayUse['session'] = below('transport')
mayUse['session/stores'] = below('session')
mayUse['session/requests'] = below('session/stores')
mayUse['store'] = below('session', 'navigation')
for (const part of ['read', 'write', 'derive', 'tabs']) mayUse[`store/${part}`] = below('store')
mayUse['store/page'] = below('store/derive')
const ofStore = Object.keys(mayUse).filter(room => room.startsWith('store'))
mayUse['entities'] = below('session/requests', ...ofStore)
for (const [height, level] of levels.entries())
  mayUse[`entities/${level}`] = below(height === 0 ? 'entities' : `entities/${levels[height - 1]}`)
mayUse['sign-in'] = below('entities/client')
for (const method of ['cli', 'oauth', 'passkey', 'password']) mayUse[`sign-in/${method}`] = below('sign-in')
mayUse['sign-in/saved'] = below('sign-in/passkey', 'sign-in/password')
const signIn = Object.keys(mayUse).filter(room => room.startsWith('sign-in'))
mayUse['backend'] = below('entities')
mayUse['verify'] = below('entities/server')
mayUse['kit'] = below('entities/admin', 'verify', 'backend', ...signIn)
// What an app imports beside the kit: only entries and the pieces of Angular import it.
mayUse['extras'] = [...below('backend', ...signIn), 'kit']
for (const part of ['live', 'confirm', 'record']) mayUse[`extras/${part}`] = below('extras')
// The server's half of live updates needs the secret server key.
mayUse['extras/changes'] = [...below('extras/live'), 'verify', 'entities/server']
// The pieces of rxauth/angular; no other room may import Angular.
mayUse['angular'] = below('kit', 'extras/live', 'extras/confirm')
mayUse['.'] = below('angular', 'extras/changes', 'extras/record')
// What plays recordings: a kit, on a clock of its own.
mayUse['replay'] = below('extras/record')

/** The one file of its room that needs the secret server key. */
const serverExtra = 'src/extras/confirm/server.ts'

/** Declarations of the wire, which the platform serves; of the rest of the kit it knows nothing. */
const declarations = ['core', 'errors', ...Object.keys(mayUse).filter(room => /^(entities|sign-in)/.test(room))]
const endpointConstants = ['src/transport/endpoint.ts', 'src/session/endpoints.ts']
/** Lowest first: each may import those before it. */
const platformRooms = [
  'data',
  'model',
  'http',
  'provider',
  'webhooks',
  'directory',
  'mail',
  'test-tools',
  'passkeys',
  'pages',
  'console',
  'routes',
  '.',
  'node',
].map(room => `platform/${room}`)
for (const [height, room] of platformRooms.entries())
  mayUse[room] = [...declarations, ...platformRooms.slice(0, height)]
/** The command line has the platform by its entries only, and by the list of what it uses beside them. */
mayUse['cli'] = [...declarations, 'replay']
const platformDoors = ['src/platform.ts', 'src/platform-node.ts', 'src/platform-inside.ts']
const program = 'src/platform-bin.ts'

/** Every breach of the import rule, one sentence each, over all sources by path (`src/core/wire.ts`) and text. */
export function importViolations(sources: ReadonlyMap<string, string>): string[] {
  const violations: string[] = []
  const graph = new Map<string, string[]>()
  for (const [path, text] of sources) {
    if (!hasPlace(path)) violations.push(`${path} belongs to no room`)
    const targets: string[] = []
    for (const specifier of importsOf(path, text)) {
      // Style sheets of the example are for its bundler.
      if (specifier.endsWith('.css')) continue
      const target = specifier.startsWith('.') ? resolve(path, specifier, sources) : specifier
      if (target === undefined) violations.push(`${path} imports ${specifier}, which does not exist`)
      else if (!mayImport(path, target)) violations.push(`${path} may not import ${target}`)
      else if (sources.has(target)) targets.push(target)
    }
    graph.set(path, targets)
  }
  return [...violations, ...cycles(graph).map(cycle => `cycle: ${cycle.join(' → ')}`)]
}

/** The sources that a file imports when it runs. */
export function importedFiles(path: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  return importsOf(path, text, false).flatMap(specifier => resolve(path, specifier, sources) ?? [])
}

/** Everything imported, re-exported or named by `import()`; types too, unless `withTypes` is false. */
function importsOf(path: string, text: string, withTypes = true): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (!withTypes && isOfTypes(node)) return
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
            ? node.arguments[0]
            : undefined
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false))
  return found
}

function isOfTypes(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
  return ts.isExportDeclaration(node) ? node.isTypeOnly : ts.isImportTypeNode(node)
}

function resolve(from: string, specifier: string, sources: ReadonlyMap<string, string>): string | undefined {
  const path = posix.join(posix.dirname(from), specifier)
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(candidate => sources.has(candidate))
}

function mayImport(from: string, to: string): boolean {
  const isSource = /^(src|react)\//.test(to)
  if (from.startsWith('react/')) return isSource ? to.startsWith('react/') || to === 'src/inside.ts' : true
  const isTesting = from.startsWith('src/testing/')
  if (to.startsWith('react/') || (/^(rxauth|react|react-dom)(\/|$)/.test(to) && !isTesting)) return false
  // What runs only under Node stays behind one entry and the program.
  if (to.startsWith('node:'))
    return /^src\/(platform\/node\/|cli\/|platform-(node|inside|bin)\.ts$|testing\/)/.test(from)
  if (to.startsWith('src/platform/node/') && from === 'src/platform.ts') return false
  if (to.startsWith('@angular/')) return /^src\/angular[./]/.test(from)
  if (!isSource) return true

  // Other test runners load it: it uses the published package like any app.
  if (roomOf(from) === 'testing') return roomOf(to) === 'testing' || to === 'src/core/version.ts'
  if (from === program) return roomOf(to) === 'cli'
  if (platformDoors.includes(from)) return isPlatform(to) || ['core', 'replay'].includes(roomOf(to))
  if (platformDoors.includes(to)) return roomOf(from) === 'cli'
  if (to === program) return false
  if (isPlatform(from) && endpointConstants.includes(to)) return true
  if (from === serverExtra && ['verify', 'entities/server'].includes(roomOf(to))) return true
  return roomOf(from) === roomOf(to) || (mayUse[roomOf(from)] ?? []).includes(roomOf(to))
}

function hasPlace(path: string): boolean {
  return path.startsWith('react/') || roomOf(path) === 'testing' || Object.hasOwn(mayUse, roomOf(path))
}

const isPlatform = (path: string): boolean => roomOf(path).startsWith('platform/')

function roomOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/')
  if (rest.length === 0) return '.'
  if (folder === 'platform') return `platform/${rest.length > 1 ? rest[0] : '.'}`
  if (folder === 'entities') return roomOfEntity(path, rest.length > 1)
  return rest.length > 1 && /^(extras|session|sign-in|store)$/.test(folder) ? `${folder}/${rest[0]}` : folder
}

/** `users/auth.ts` is the user and the session at once, for clients. */
function roomOfEntity(path: string, isOwn: boolean): string {
  const name = posix.basename(path, '.ts')
  const level = path === 'src/entities/users/auth.ts' ? 'client' : levels.find(each => each === name.split('-')[0])
  return level ? `entities/${level}` : isOwn ? `entities/${name}` : 'entities'
}

/** A shortest cycle through each file that closes one, each cycle once. */
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
