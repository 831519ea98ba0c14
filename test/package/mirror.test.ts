import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mirrorOf, untested } from './mirror'
import { readSources, root } from './sources'

/** Files whose test is elsewhere, with the path of that test below `test`. The list only gets shorter. */
const elsewhere: Readonly<Record<string, string>> = {
  'react/use-auth-routing.ts': 'react/use-flow',
  'react/use-auth.ts': 'react/provider',
  'src/entities/server-touched.ts': 'entities/users/server-writes',
  'src/angular/app-token.ts': 'angular',
  'src/sign-in/cli/anonymous-session.ts': 'flows/cli-anonymous',
  'src/sign-in/oauth/account-token.ts': 'entities/connected-accounts/client',
  'src/entities/otherwise.ts': 'entities/email-templates/admin',
  'src/entities/api-keys/server.ts': 'flows/lists',
  'src/platform/node/mail-sandbox.ts': 'platform/node/run-mail',
  'src/platform/node/mail-worker.ts': 'platform/node/run-mail',
  'src/platform/model/engine.ts': 'platform/create-platform',
  'src/cli/user-app/carry-out.ts': 'cli/init/command',
  'src/cli/user-app/place.ts': 'cli/init/command',
  'src/store/committed-session.ts': 'entities/users/auth-state',
  'src/store/load-ahead.ts': 'entities/teams/select-team',
  'src/store/page/pages.ts': 'entities/users/server',
  'src/testing/jest-preset.ts': 'package/runners',
  'src/testing/jest-transform.ts': 'package/runners',
  'src/testing/playwright.ts': 'browser/playwright-fixtures',
}

const sources = new Map(
  [...readSources('src', 'react')].filter(([path]) => !/^react\/(example|console)\/|\.d\.ts$/.test(path)),
)
const tests = new Set([...readSources('test').keys()].flatMap(path => /^test\/(.*)\.test\.tsx?$/.exec(path)?.[1] ?? []))

describe('the test of a file', () => {
  it('is found by the path of the file, or of a file beside it that uses it', () => {
    const found = new Set([...tests, ...Object.keys(elsewhere).map(mirrorOf)])
    expect(untested(sources, found)).toEqual([])
  })

  it('exists where the list says that it is elsewhere, and only files that need it are listed', () => {
    expect(
      Object.values(elsewhere).filter(
        test => !['.ts', '.tsx'].some(end => existsSync(join(root, `test/${test}.test${end}`))),
      ),
    ).toEqual([])
    const needed = new Set(untested(sources, tests))
    expect(Object.keys(elsewhere).filter(path => !needed.has(path))).toEqual([])
  })
})

describe('untested', () => {
  const decides = 'export const x = (a?: number) => a ?? 1\n'

  it.each([
    ['its own path', { 'src/store/cell.ts': decides }, ['store/cell']],
    [
      'the path of what uses it',
      { 'src/store/hold.ts': decides, 'src/store/cell.ts': "import './hold'" },
      ['store/cell'],
    ],
    [
      'a path two steps away in its folder',
      {
        'src/a/one.ts': decides,
        'src/a/two.ts': "import { x } from './one'",
        'src/a/three.ts': "export * from './two'",
      },
      ['a/three'],
    ],
    ['no path, since it decides nothing', { 'src/core/version.ts': "export const version = '1'" }, []],
  ])('finds a test at %s', (_, files, paths) => {
    expect(untested(new Map(Object.entries<string>(files)), new Set(paths))).toEqual([])
  })

  it.each([
    ['without one', { 'src/store/hold.ts': decides }, ['store/cell']],
    [
      'of which only another folder has a test',
      { 'src/core/x.ts': decides, 'src/store/cell.ts': "import '../core/x'" },
      ['store/cell'],
    ],
    [
      'of which only a type is used beside it',
      { 'src/a/one.ts': decides, 'src/a/two.ts': "import type { X } from './one'" },
      ['a/two'],
    ],
    ['in a circle without one', { 'src/a/one.ts': `import './two'\n${decides}`, 'src/a/two.ts': "import './one'" }, []],
  ])('reports a file %s', (_, files, paths) => {
    expect(untested(new Map(Object.entries<string>(files)), new Set(paths))).toEqual([Object.keys(files)[0]])
  })

  it.each([
    'if (a) b()',
    'for (const a of b) c(a)',
    'a && b()',
    'try { a() } catch { b() }',
    'switch (a) {}',
    'const a = b ? 1 : 2',
  ])('takes "%s" for a decision', text => {
    expect(untested(new Map([['src/a.ts', text]]), new Set())).toEqual(['src/a.ts'])
  })
})
