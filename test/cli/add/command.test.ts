import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readArguments } from '../../../src/cli/arguments'
import { terminal } from '../terminal'
import { add, files, folder, project, put, read, useNewApps, vite } from './app'

useNewApps()

const everything = [
  'sign-in',
  'account',
  'team',
  'user-button',
  'team-switcher',
  'session-limit',
  'impersonation-bar',
  'words-de',
]

describe('rxauth add', () => {
  it('lists the screens without a name, in any folder', async () => {
    const { code, out } = await add([])
    expect(code).toBe(0)
    for (const name of everything) expect(out).toMatch(new RegExp(`^  ${name} +\\S+ .*$`, 'm'))
    expect(out).not.toContain('navigation')
  })

  // Promise: add-command
  it('copies every file that a screen imports; a second time there is nothing to do', async () => {
    vite()
    expect(await add(['sign-in', '--yes'])).toMatchObject({ code: 0, err: '' })
    const written = files()
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining([
        'src/auth/sign-in/pages.ts',
        'src/auth/screens.css',
        'src/auth/words/en.ts',
        'src/auth.ts',
      ]),
    )
    expect(Object.keys(written)).not.toEqual(expect.arrayContaining(['src/auth/words/de.ts']))
    for (const [path, text] of Object.entries(written))
      for (const [, to = ''] of path.endsWith('.json') ? [] : text.matchAll(/from '(\.[^']+)'/g)) {
        const target = join(dirname(path), to)
        expect([target, `${target}.ts`, `${target}.tsx`].some(each => each in written)).toBe(true)
      }
    expect(await add(['sign-in'])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') })
    expect(files()).toEqual(written)
  })

  // Promise: add-command
  it.each([[['--yes']], [['--dry-run']], [[]], [['--update', '--yes']]])(
    'never touches a file that its owner has changed: %j',
    async args => {
      vite()
      await add(['sign-in', '--yes'])
      put('src/auth/ui/button.tsx', `// mine\n${read('src/auth/ui/button.tsx')}`)
      const before = files()
      const { code, out } = await add(['sign-in', ...args])
      expect(code).toBe(0)
      expect(files()).toEqual(before)
      expect(out).toContain('\nAre up to date, with your changes\n  src/auth/ui/button.tsx\n')
      expect(out).not.toContain('---')
    },
  )

  // Promise: add-command
  it('names copied files that nothing imports any more', async () => {
    vite()
    await add(['sign-in', '--yes'])
    const record = read('src/auth/.rxauth-add.json')
    const copied = ['ui/gone.tsx', 'ui/inner.tsx', 'ui/used.tsx']
    const hashes = copied.map(path => `    "${path}": "abcdefghijkl abcd",\n`).join('')
    put('src/auth/.rxauth-add.json', record.replace('"files": {\n', `"files": {\n${hashes}`))
    put('src/auth/ui/gone.tsx', "import './inner'\n")
    put('src/auth/ui/inner.tsx', 'export {}\n')
    put('src/auth/ui/used.tsx', 'export {}\n')
    put('src/main.tsx', "import './auth/ui/used'\n")
    const title = 'Are imported by nothing any more: delete them'
    for (const args of [['--dry-run'], ['--update', '--yes']])
      expect((await add(['sign-in', ...args])).out).toContain(
        `\n${title}\n  src/auth/ui/gone.tsx\n  src/auth/ui/inner.tsx\n\n`,
      )
    expect(Object.keys(files())).toContain('src/auth/ui/gone.tsx')
    for (const path of copied) rmSync(join(folder, 'src/auth', path))
    expect((await add(['sign-in', '--dry-run'])).out).not.toContain(title)
  })

  it('takes a file with the line endings of Windows, or one that was formatted, for up to date', async () => {
    vite()
    await add(['sign-in', '--yes'])
    put('src/auth/ui/alert.tsx', read('src/auth/ui/alert.tsx').replaceAll('\n', '\r\n'))
    put('src/auth/ui/button.tsx', read('src/auth/ui/button.tsx').replaceAll("'", '"').replaceAll('\n  ', '\n\t'))
    const { out } = await add(['sign-in'])
    expect(out).toContain('\nAre up to date, and formatted anew\n  src/auth/ui/button.tsx\n')
    expect(out).not.toContain('---')
  })

  it('asks before it writes, and writes nothing without a terminal, an answer or with --dry-run', async () => {
    vite()
    const before = files()
    expect(await add(['sign-in'])).toMatchObject({
      code: 2,
      err: 'rxauth: add asks before it writes, which needs a terminal: give --yes\n',
    })
    expect(await add(['sign-in'], { isInteractive: true, ask: async () => '' })).toMatchObject({ code: 1 })
    expect(await add(['sign-in', '--dry-run', '--yes'])).toMatchObject({ code: 0 })
    expect(files()).toEqual(before)
    expect(await add(['sign-in'], { isInteractive: true, ask: async () => 'y' })).toMatchObject({ code: 0 })
    expect(files()).not.toEqual(before)
  })
})

describe('what it refuses, with nothing written', () => {
  it.each([
    [['sing-in'], 2, 'rxauth: "sing-in" is none of the screens; did you mean sign-in?'],
    [['button'], 2, 'rxauth: "button" is none of the screens; did you mean user-button?'],
    [['sign-in', '--to', 'node_modules/auth'], 1, '--to takes a folder of your sources, not node_modules/auth'],
    [['sign-in', '--to', 'src/../.git'], 1, '--to takes a folder of your sources, not src/../.git'],
    [['xyz'], 2, `rxauth: "xyz" is none of the screens: ${everything.join(', ')}`],
    [['sign-in', '--to', '../other'], 1, '--to takes a folder inside of this one, not ../other'],
    [['sign-in', '--to', '/tmp/other'], 1, '--to takes a folder inside of this one, not /tmp/other'],
    [['sign-in', '--to', 'src/../../other'], 1, '--to takes a folder inside of this one'],
  ])('%j', async (args, code, message) => {
    vite()
    const before = files()
    expect(await add([...args, '--yes'])).toMatchObject({ code, err: expect.stringContaining(message) })
    expect(files()).toEqual(before)
  })

  it('an unknown option, by its name', () => {
    expect(readArguments(['add', 'sign-in', '--too', 'x'])).toMatchObject({
      kind: 'misunderstood',
      message: expect.stringContaining('did you mean --to?'),
    })
    expect(readArguments(['init', 'sign-in'])).toMatchObject({ kind: 'misunderstood' })
  })

  it.each([
    ['a folder without an app', () => undefined, 'there is no package.json in this folder'],
    [
      'an app without React',
      () => put('package.json', '{ "dependencies": { "vue": "3" } }'),
      'package.json has no react',
    ],
    ['an app of React Native', () => project('react-native'), 'this is an app of react-native'],
    [
      'the root of a monorepo',
      () => {
        put('package.json', '{ "workspaces": ["apps/*"] }')
        put('apps/web/package.json', '{ "dependencies": { "react": "19", "vite": "8" } }')
      },
      'this is the root of a monorepo: run add in the folder of an app. Its packages:\n  apps/web (Vite and React)',
    ],
    [
      'the Pages Router',
      () => {
        project('next')
        put('pages/index.tsx', 'mine')
      },
      'rxauth is for the App Router',
    ],
    ['package.json that is broken', () => put('package.json', '{'), 'package.json is not valid JSON, in line 1'],
  ])('%s', async (_, make, message) => {
    make()
    const before = files()
    const { code, err } = await add(['sign-in', '--yes'])
    expect([code > 0, err]).toEqual([true, expect.stringContaining(message)])
    expect(files()).toEqual(before)
  })

  // Promise: add-command
  it('a link out of the folder', async () => {
    vite()
    const outside = terminal().io.folder
    symlinkSync(outside, join(folder, 'src/auth'))
    const { code, err } = await add(['sign-in', '--yes'])
    expect([code, err]).toEqual([1, expect.stringContaining('src/auth is a link to a folder outside of this one')])
    expect(readdirSync(outside)).toEqual([])
  })
})

describe('the framework', () => {
  it('of a router without a navigation file is named', async () => {
    project('vite', '@tanstack/react-router')
    expect((await add(['sign-in', '--dry-run'])).out).toContain(
      'auth/ui/navigation.tsx is written for wouter, and this app has @tanstack/react-router: write that file anew for it.',
    )
  })

  it('React Router in its framework mode gets a route for its list, other apps get none', async () => {
    project('vite', '@react-router/dev', 'react-router')
    put('app/root.tsx', 'mine')
    const { out } = await add(['sign-in', '--yes'])
    expect(out).toContain("route('handler/*', 'auth/screens.tsx')")
    expect(read('app/auth/screens.tsx')).toContain('export default Screens')
  })
})

describe('an app of Next.js', () => {
  const next = (app = 'app') => {
    project('next')
    put(`${app}/layout.tsx`, 'mine')
  }

  it.each(['app', 'src/app'])(
    'with %s gets a route for all pages, and marks what a server component imports',
    async app => {
      next(app)
      expect(await add([...everything, '--yes'])).toMatchObject({ code: 0 })
      const beside = app.replace('app', '')
      const texts = files()
      expect(texts[`${app}/handler/[...page]/page.tsx`]).toContain("from '../../../auth/screens'")
      expect(texts[`${app}/handler/layout.tsx`]).toContain('<AuthState')
      expect(texts[`${beside}auth.ts`]).toContain('nextApp()')
      expect(texts[`${beside}proxy.ts`]).toContain('matcher')
      const marked = Object.keys(texts).filter(path => texts[path]!.startsWith("'use client'"))
      expect(marked).toEqual(
        expect.arrayContaining(
          ['screens', 'shell/user-menu', 'teams/team-switcher', 'sign-in/sign-in-page'].map(
            path => `${beside}auth/${path}.tsx`,
          ),
        ),
      )
      expect(marked).not.toContain(`${beside}auth/ui/alert.tsx`)
    },
  )

  // Promise: add-command
  it('keeps the files of the guide, and says what has to be changed by hand', async () => {
    next()
    const own = {
      'auth.ts': "export const { AuthState, proxy } = nextApp({ urls: { signIn: '/sign-in' } })",
      'proxy.ts': 'mine',
      'app/layout.tsx': '<AuthState header={<Bar />}>{children}</AuthState>',
    }
    for (const [path, text] of Object.entries(own)) put(path, text)
    const { out } = await add(['sign-in', 'user-button', '--yes'])
    expect(files()).toMatchObject(own)
    expect(existsSync(join(folder, 'app/handler/layout.tsx'))).toBe(false)
    expect(out).toContain('auth.ts names a sign-in page of its own')
    expect(out).not.toContain('---')
  })

  it('says where its own auth.ts lacks what the pages need', async () => {
    next()
    put('auth.ts', 'export const auth = 1')
    expect((await add(['sign-in', '--dry-run'])).out).toContain('auth.ts has no AuthState of nextApp')
  })

  it('has no mark in an app of another framework', async () => {
    vite()
    await add([...everything, '--yes'])
    expect(Object.values(files()).filter(text => text.includes("'use client'"))).toEqual([])
  })
})
