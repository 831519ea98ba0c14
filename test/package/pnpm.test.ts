import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from './sources'

/*
 * The declarations of the built package, in a workspace as pnpm lays it out: an app reaches what it depends on itself, and the
 * packages that those depend on are links in node_modules/.pnpm only.
 */

/** What an app exports, with inferred types. */
const app = `
import { auth$, cookieTokens, createClientApp, derive, isAuthError, mutation, query, signInWithPassword } from 'rxauth'
import { teams$, updateUser, user$, view } from 'rxauth'

export const app = createClientApp({ baseUrl: 'http://localhost:8102', tokens: cookieTokens() })
export const { user$: own$, teams$: ownTeams$, signOut, derive: deriveOf, teamMembers$, updateTeam } = app
export const name$ = view(user$, user => user?.displayName)
export const shown$ = derive(app, read => [read(teams$(app)), read(user$(app))] as const)
export const notes$ = query(async (_, input: { readonly page: number }) => [{ text: 'tea', ...input }], { key: 'notes', ownedBy: 'app' })
export const addNote = mutation(async (_, note: { readonly text: string }) => note, { refreshes: () => [notes$] })
export const state$ = auth$(app)
export const rename = (displayName: string) => updateUser(app, { displayName })
export const codeOf = (error: unknown) => (isAuthError(error, 'USER_NOT_FOUND') ? error.code : undefined)
export async function signIn(email: string, password: string) {
  const result = await signInWithPassword(app, { email, password })
  return result.ok ? result.value : result.error
}
`

let folder: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rxauth-workspace-')))
  const store = join(folder, 'node_modules/.pnpm')
  const placeOf = (name: string) => join(store, `${name.replace('/', '+')}@1.0.0/node_modules`)
  const link = (to: string, at: string) => {
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(to, at)
  }
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(placeOf('rxauth'), 'rxauth', part), {
      recursive: true,
      filter: path => !/dist\/(console|node\/)/.test(path),
    })
  for (const name of ['rxjs', 'valibot']) {
    cpSync(join(root, 'node_modules', name), join(placeOf(name), name), { recursive: true })
    link(join(placeOf(name), name), join(placeOf('rxauth'), name))
  }
  link(join(placeOf('rxauth'), 'rxauth'), join(folder, 'packages/app/node_modules/rxauth'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function compiled(text: string): { readonly declarations: string; readonly report: string } {
  const path = join(folder, 'packages/app/index.ts')
  writeFileSync(path, text)
  const program = ts.createProgram([path], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    types: [],
    strict: true,
    declaration: true,
    emitDeclarationOnly: true,
    skipLibCheck: true,
  })
  let declarations = ''
  const diagnostics = [...ts.getPreEmitDiagnostics(program)]
  const emitted = program.emit(undefined, (_, written) => (declarations += written))
  const report = [...diagnostics, ...emitted.diagnostics]
    .map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
    .join('\n')
  return { declarations, report }
}

it('declarations of what an app exports name only packages that it depends on', () => {
  const { declarations, report } = compiled(app)
  expect(report).not.toMatch(/TS2742|TS2883/)
  expect(report).toBe('')
  const named = [...declarations.matchAll(/from ['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g)].map(
    ([, one, other]) => one ?? other,
  )
  expect(new Set(named)).toEqual(new Set(['rxauth']))
  expect(readdirSync(join(folder, 'packages/app/node_modules'))).toEqual(['rxauth'])
  expect(readFileSync(join(folder, 'packages/app/index.ts'), 'utf8')).toBe(app)
})
