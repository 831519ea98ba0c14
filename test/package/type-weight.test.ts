import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './sources'

/** The limit for a file with twelve imports: an editor checks it at each key. */
const most = 15_000

const app = `
import {
  can$, cookieTokens, createClientApp, derive, isAuthError, sessions$, signInWithPassword, signOut, teams$, updateUser, user$, view
} from 'rxauth'

export const app = createClientApp({ baseUrl: 'http://localhost:8102', tokens: cookieTokens() })
export const name$ = view(user$, user => user?.displayName)
export const both$ = derive(app, read => [read(teams$(app)), read(user$(app))] as const)
app.user$.subscribe(user => console.log(user?.primaryEmail))
sessions$(app).subscribe(all => console.log(all.length))
can$(app, { permissionId: 'read', teamId: 'team-1' }).subscribe(may => console.log(may))
export async function signIn(email: string, password: string) {
  const result = await signInWithPassword(app, { email, password })
  if (!result.ok && isAuthError(result.error, 'EMAIL_PASSWORD_MISMATCH')) return 'wrong'
  await updateUser(app, { displayName: 'Ada' })
  await signOut(app)
  return 'done'
}
`

/** 150 levels deep. */
const heavy = `
type Spread<T extends readonly unknown[], N> = T['length'] extends N ? T : Spread<readonly [...T, { [K in keyof T]: T[K] }], N>
export const heavy: Spread<readonly [], 150>['length'] = 150
`

const path = join(root, '.tmp', `type-weight-${process.pid}.ts`)

afterAll(() => {
  rmSync(path)
})

function weightOf(text: string): number {
  writeFileSync(path, text)
  const program = ts.createProgram([path], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    paths: { rxauth: [join(root, 'dist/index.d.ts')] },
  })
  const messages = ts.getPreEmitDiagnostics(program).map(one => ts.flattenDiagnosticMessageText(one.messageText, '\n'))
  expect(messages).toEqual([])
  return program.getInstantiationCount()
}

it('a page with twelve imports instantiates at most 15,000 types', () => {
  const weight = weightOf(app)
  process.stderr.write(`${weight} instantiations\n`)
  expect(app.match(/^ {2}(\w.*)$/m)![1]!.split(', ')).toHaveLength(12)
  expect(weight).toBeLessThanOrEqual(most)
})

it('one heavy type is above the limit', () => {
  expect(weightOf(app + heavy)).toBeGreaterThan(most)
})
