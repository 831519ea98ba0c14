import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { entries, root } from './sources'

const kept = join(root, 'docs/contributing/api-report')
const update = 'npm run build && RXAUTH_WRITE=1 npx jest --selectProjects package -- test/package/api-report'

/** Entries whose names are listed here: a report of them would repeat that of `rxauth`, whose types they use. */
const names = {
  './react': [
    ...[
      'Action',
      'ActionOptions',
      'AuthProvider',
      'ProviderProps',
      'SavedSignIn',
      'ServerRendered',
      'ServerRenderedProps',
    ],
    ...['useAction', 'useApp', 'useAuth', 'useAuthRouting', 'useCan', 'useFlow', 'usePasskeyAutofill', 'usePending'],
    ...['useSavedSignIn', 'useSelect', 'useSessionLimits', 'useStore', 'useUser', 'useValue'],
  ],
  './next': [
    ...['AuthStateProps', 'Guards', 'NextApp', 'NextOptions', 'NextProviderProps', 'PageNeed', 'PathNeed', 'PathNeeds'],
    ...['PathParams', 'ProxyRequest', 'ProxyResponse', 'nextApp'],
  ],
  './angular': [
    ...['RXAUTH', 'StoreResource', 'canGuard', 'injectAuth', 'needGuard', 'provideRxauth', 'rxauthInterceptor'],
    ...['toResource', 'userGuard'],
  ],
  './playwright': [
    ...['Duration', 'PlatformFixtureOptions', 'PlatformFixtures', 'TestClock', 'TestPasskeys', 'backendClock', 'test'],
  ],
}

describe('the report of the public types', () => {
  const folder = process.env['RXAUTH_WRITE'] ? kept : join(root, '.tmp/api-report-now')

  beforeAll(() => {
    const reported = entries.filter(({ path }) => !(path in names)).map(({ types }) => types)
    // TypeScript makes many objects: with the size of V8, an eighth of its time is lost.
    const args = ['--max-semi-space-size=64', join(__dirname, 'api-report.mjs'), folder, ...reported]
    execFileSync(process.execPath, args, { cwd: root })
  })

  it('has a file for each entry of the package whose names are not listed', () => {
    expect(readdirSync(kept)).toEqual(readdirSync(folder))
    expect(readdirSync(kept)).toHaveLength(entries.length - Object.keys(names).length)
  })

  it.each(readdirSync(kept))(`%s is what the built package exports; to update it: ${update}`, file => {
    expect(readFileSync(join(kept, file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'))
  })
})

describe('the names that the built package exports', () => {
  const typesOf = (path: string) => join(root, entries.find(entry => entry.path === path)!.types)
  let program: ts.Program

  beforeAll(() => {
    const options = { moduleResolution: ts.ModuleResolutionKind.Bundler, noLib: true, types: [] }
    program = ts.createProgram(Object.keys(names).map(typesOf), options)
  })

  it.each(Object.entries(names))('from %s are these, types included', (path, listed) => {
    const checker = program.getTypeChecker()
    const file = program.getSourceFile(typesOf(path))!
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file)!)
    expect(exported.map(({ name }) => name).sort()).toEqual([...listed].sort())
  })
})
