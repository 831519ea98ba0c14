import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readGuide } from '../../../src/cli/init/guide'
import { terminal } from '../terminal'
import { add, files, folder, project, put, read, useNewApps, vite } from './app'

/* What `rxauth add` finds in apps that have been at work for a while. */

useNewApps()

/** Runs it, and expects that it writes nothing. */
async function refused(args: readonly string[]) {
  const before = Object.keys(files())
  const { code, err } = await add([...args, '--yes'])
  expect(Object.keys(files())).toEqual(before)
  return { code, err }
}

it('adds the pages of another screen to those that are there, by a diff that takes none away', async () => {
  vite()
  await add(['sign-in', '--yes'])
  const screens = read('src/auth/screens.tsx')
  const { out } = await add(['account', 'user-button', '--yes'])
  expect(read('src/auth/screens.tsx')).toBe(screens)
  expect(out).toContain(`+import { accountPages } from './settings/pages'`)
  expect(out).not.toContain(`-import { signInPages }`)
  expect(out).toMatch(/^\+.*\.\.\.signInPages, \.\.\.accountPages/m)
})

it('says with each import what the app has to render', async () => {
  vite()
  const { out } = await add(['sign-in', 'user-button', '--yes'])
  expect(out).toContain(`import { AuthProvider } from 'rxauth/react'`)
  expect(out).toContain(`import { auth } from './auth'`)
})

describe('what to write in the app', () => {
  it('is printed again as long as it is missing, and only what is', async () => {
    vite()
    const names = ['sign-in', 'user-button', 'words-de', '--yes']
    const said = async () => /\nIn your app:\n\n([^]*)/.exec((await add(names)).out)?.[1]
    expect(await said()).toContain('<UserMenu />')
    const all = await said()
    expect(all).toMatch(/<Screens>[^]*<UserMenu \/>[^]*import \{ de \}/)
    // A text that only begins like one of these is none.
    put('src/main.tsx', `<Screens><UserMenuBar /></Screens>`)
    expect(await said()).toBe(
      all?.replace(/.*AuthProvider[ >].*\n|.*Screens ?[}>].*\n|.*<App \/>\n|.*\{ auth \}.*\n/g, ''),
    )
    put('src/bar/bar.jsx', `import { UserMenu as Menu } from '../auth/shell/user-menu'\n<UserMenu />`)
    put('src/auth/screens.tsx', `${read('src/auth/screens.tsx')}\nimport { de } from './words/de'`)
    expect(await said()).toBeUndefined()
  })

  it('goes into the provider that rxauth init has written, and names no file that the app lacks', async () => {
    project('vite')
    for (const { path, text } of readGuide('vite', join(__dirname, '../../../docs')).files) put(path, text)
    const said = async () => /\nIn your app:\n\n([^]*)/.exec((await add(['sign-in', '--yes'])).out)?.[1]
    expect(await said()).toBe(`  // src/page.tsx
  import { Screens } from './auth/screens'
  <Screens>  // inside of AuthProvider, around all that it has
    …
  </Screens>

Your look and your texts: src/auth/screens.css, src/auth/words/en.ts
`)
    // Beside an app that has its own first page, the provider is in another one.
    put('index.html', read('index.html').replace('start.tsx', 'main.jsx'))
    put('src/main.jsx', `import './app.css'\nimport App from './App.jsx'`)
    put('src/App.jsx', 'mine')
    expect(await said()).toMatch(
      /^ {2}\/\/ src\/main\.jsx\n {2}import \{ AuthProvider \}[^]*<AuthProvider app=\{auth\}>/,
    )
    put('src/App.jsx', '<AuthProvider app={auth}>')
    expect(await said()).toMatch(/^ {2}\/\/ src\/App\.jsx\n {2}import \{ Screens \}/)
  })

  it('goes into the root of an app in the framework mode of React Router', async () => {
    project('vite', '@react-router/dev', 'react-router')
    put('app/root.tsx', 'mine')
    expect((await add(['user-button', '--yes'])).out).toContain('// app/root.tsx\n')
  })

  it.each([
    [['react-router'], 'src/main.jsx', '<Screens />'],
    [['@react-router/dev', 'react-router'], 'app/routes.ts', "route('handler/*', 'auth/screens.tsx')"],
  ])('is known in an app of %j', async (names, path, text) => {
    project('vite', ...names)
    put(path, 'mine')
    await add(['sign-in', '--yes'])
    expect((await add(['sign-in'])).out).toContain('\nIn your app:\n')
    put(path, text)
    expect((await add(['sign-in'])).out).not.toContain('In your app')
  })
})

it('renders the bar of Next.js where nothing waits for it', async () => {
  project('next')
  const { out } = await add(['user-button', '--yes'])
  expect(out).toContain('<AuthState header={<…bar…>} fallback={null}>{children}</AuthState>')
})

describe('the folder of --to', () => {
  it.each(['.', './', 'src/..', '../app', '/tmp/app', 'C:\\app', 'c:app', '\\\\server\\app', '..\\app', 'src\\..\\..'])(
    'is refused outside of the app: %s',
    async to => {
      vite()
      expect(await refused(['sign-in', '--to', to])).toEqual({
        code: 1,
        err: `Error: --to takes a folder inside of this one, not ${to}`,
      })
    },
  )

  it('is refused with a sign that ends a text of TypeScript', async () => {
    vite()
    expect(await refused(['sign-in', '--to', "src/it's"])).toEqual({
      code: 1,
      err: `Error: --to takes a folder without quotes in its name, not src/it's`,
    })
  })

  it.each(['src/main.tsx', 'src/main.tsx/auth'])('is refused where a file has its place: %s', async to => {
    vite()
    const { code, err } = await refused(['sign-in', '--to', to])
    expect([code, err]).toEqual([1, expect.stringContaining('src/main.tsx is no folder: ')])
  })

  it('may be written as on Windows', async () => {
    vite()
    expect(await add(['sign-in', '--yes', '--to', 'src\\parts\\auth\\'])).toMatchObject({ code: 0 })
    expect(Object.keys(files())).toContain('src/parts/auth/screens.tsx')
  })

  it('leads to the app of rxauth where that is', async () => {
    vite()
    put('src/auth.ts', 'mine')
    await add(['sign-in', '--yes', '--to', 'src/parts/auth'])
    expect(Object.keys(files())).not.toContain('src/parts/auth.ts')
    rmSync(join(folder, 'src'), { recursive: true })
    put('src/main.tsx', 'mine')
    const { out } = await add(['sign-in', '--yes', '--to', 'src/parts/auth'])
    expect(read('src/auth.ts')).toContain("from './parts/auth/ui/toasts'")
    expect(out).toMatch(
      /\/\/ src\/main\.tsx\n.*\n {2}import \{ auth \} from '\.\/auth'\n {2}import \{ Screens \} from '\.\/parts\/auth\/screens'\n/,
    )
  })
})

describe('files of the app', () => {
  it('that are folders or links are left alone', async () => {
    vite()
    const outside = terminal().io.folder
    mkdirSync(join(folder, 'src/auth/ui/button.tsx'), { recursive: true })
    symlinkSync(join(outside, 'none'), join(folder, 'src/auth/ui/alert.tsx'))
    expect(await add(['sign-in', '--yes'])).toMatchObject({ code: 0 })
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(join(folder, 'src/auth/ui/button.tsx'))).toEqual([])
  })

  it('in a linked folder within the screens are not written', async () => {
    vite()
    const outside = terminal().io.folder
    mkdirSync(join(folder, 'src/auth'), { recursive: true })
    symlinkSync(outside, join(folder, 'src/auth/ui'))
    const { code, err } = await refused(['sign-in'])
    expect([code, err]).toEqual([1, expect.stringContaining('src/auth/ui is a link to a folder outside of this one')])
    expect(readdirSync(outside)).toEqual([])
  })

  it('that an earlier run has not written any more are written, and those that it has written stay', async () => {
    vite()
    await add(['sign-in', '--yes'])
    const all = files()
    for (const path of ['src/auth.ts', 'src/auth/screens.css', 'src/auth/ui/alert.tsx']) rmSync(join(folder, path))
    rmSync(join(folder, 'src/auth/words'), { recursive: true })
    put('src/auth/ui/button.tsx', all['src/auth/ui/button.tsx']!.slice(0, 300))
    const half = read('src/auth/ui/button.tsx')
    const { out } = await add(['sign-in', '--yes'])
    expect(files()).toEqual({ ...all, 'src/auth/ui/button.tsx': half })
    expect(out).toContain('\nAre up to date, with your changes\n  src/auth/ui/button.tsx\n')
  })

  it('the app of rxauth is written beside a folder of its name, but not where the folder is the module', async () => {
    vite()
    put('src/auth/mine.ts', 'mine')
    await add(['user-button', '--yes'])
    expect(read('src/auth.ts')).toContain('createClientApp')
    rmSync(join(folder, 'src/auth.ts'))
    put('src/auth/index.js', 'mine')
    await add(['sign-in', '--yes'])
    expect(Object.keys(files())).not.toContain('src/auth.ts')
  })

  it('are only those of a language, where it is all that was asked for', async () => {
    vite()
    expect(await add(['words-de', '--yes'])).toMatchObject({ code: 0 })
    expect(Object.keys(files()).sort()).toEqual([
      'package.json',
      'src/auth/words/de.ts',
      'src/auth/words/en.ts',
      'src/main.tsx',
    ])
  })

  it('keep a component that has become a folder', async () => {
    vite()
    put('src/auth/ui/button/index.tsx', 'mine')
    const { out } = await add(['sign-in', '--yes'])
    expect(Object.keys(files())).not.toContain('src/auth/ui/button.tsx')
    expect(out).toContain('\n--- src/auth/ui/button/index.tsx\n')
  })
})

describe('versions', () => {
  const version = (name: string, number: string) => put(`node_modules/${name}/package.json`, `{"version":"${number}"}`)

  it.each([
    [['vite'], 'react', '18.3.1', 'the screens need React 19, and this app has 18.3.1'],
    [['next'], 'next', '15.5.2', 'the screens need Next.js 16, and this app has 15.5.2'],
    [['react-router-dom'], 'react-router-dom', '5.3.4', 'the screens need React Router 6, and this app has 5.3.4'],
  ])('too old for the screens are refused: %j', async (names, name, number, message) => {
    project(...names)
    version(name, number)
    expect(await refused(['sign-in'])).toEqual({ code: 1, err: `Error: ${message}` })
  })

  it.each([
    ['^18.2.0', 1],
    ['~18', 1],
    ['18.x', 1],
    ['^19.0.0', 0],
    ['18 || 19', 0],
    ['>=18', 0],
    ['latest', 0],
    ['catalog:', 0],
    ['npm:preact@10', 0],
  ])('before they are installed are those of package.json: %s', async (range, code) => {
    put('package.json', JSON.stringify({ dependencies: { react: range } }))
    expect(await add(['sign-in', '--dry-run'])).toMatchObject({ code })
  })

  it('are those that are installed above the folder, too', async () => {
    vite()
    version('react', '18.3.1')
    put('apps/web/package.json', read('package.json'))
    expect(await add(['sign-in', '--dry-run'], { folder: join(folder, 'apps/web') })).toMatchObject({ code: 1 })
  })
})

describe('Next.js', () => {
  const next = () => {
    project('next')
    put('app/layout.tsx', 'mine')
  }

  it('keeps its middleware, beside which it takes no proxy', async () => {
    next()
    put('middleware.ts', 'mine')
    const { out } = await add(['sign-in', '--yes'])
    expect(Object.keys(files())).not.toContain('proxy.ts')
    expect(out).toContain('// middleware.ts has no proxy of auth.ts: docs/guides/next.md says what proxy.ts exports\n')
  })

  it('keeps another page for all addresses below /handler/, beside which it takes no second one', async () => {
    next()
    put('app/handler/[...stack]/page.jsx', 'mine')
    const { out } = await add(['sign-in', '--yes'])
    expect(Object.keys(files()).filter(path => path.includes('[...'))).toEqual(['app/handler/[...stack]/page.jsx'])
    expect(out).toContain('\n--- app/handler/[...stack]/page.jsx\n')
  })
})

/** The environment in which `npm` is this program of the shell. */
function withNpm(text: string): NodeJS.ProcessEnv {
  put('node_modules/.bin/npm', `#!/bin/sh\n${text}\n`)
  const bin = join(folder, 'node_modules/.bin')
  chmodSync(join(bin, 'npm'), 0o755)
  return { ...process.env, npm_config_user_agent: undefined, PATH: `${bin}${delimiter}${process.env['PATH']}` }
}

describe('two runs at once', () => {
  it('do not write twice: the second one ends with a message, and the first one with all files', async () => {
    vite()
    let answer: (text: string) => void = () => undefined
    const ask = () => new Promise<string>(resolve => (answer = resolve))
    const waiting = add(['sign-in'], { isInteractive: true, ask })
    expect(await add(['sign-in', '--yes'])).toMatchObject({ code: 0 })
    const all = files()
    answer('y')
    expect(await waiting).toMatchObject({ code: 1, err: expect.stringContaining('have changed meanwhile') })
    expect(files()).toEqual(all)
  })

  it('install once: the second one is refused while the first one is at work, and can be repeated', async () => {
    vite()
    rmSync(join(folder, 'node_modules/wouter'), { recursive: true })
    const environment = withNpm('until [ -e node_modules/wouter ]; do sleep 0.05; done')
    const first = add(['sign-in', '--yes'], { environment })
    const second = await add(['account', '--yes'], { environment })
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining('another rxauth init or add, process') })
    expect(Object.keys(files())).not.toContain('src/auth/settings/pages.ts')
    put('node_modules/wouter/package.json', '{}')
    expect(await first).toMatchObject({ code: 0 })
    expect(await add(['account', '--yes'])).toMatchObject({ code: 0 })
  })
})

describe('a package manager that fails', () => {
  it('leaves all files written, and add says what is missing', async () => {
    project('vite')
    put('package.json', '{ "dependencies": { "react": "19", "rxauth": "*" } }')
    const environment = withNpm('exit 7')
    const { code, err } = await add(['sign-in', '--yes'], { environment })
    expect([code, err]).toEqual([
      1,
      'rxauth: the files are written, and the packages are missing. Run:\n  npm install rxjs @heroicons/react@2 wouter@3\n',
    ])
    expect(Object.keys(files())).toContain('auth/screens.tsx')
    expect((await add(['sign-in', '--dry-run'])).out).toContain('  npm install rxjs @heroicons/react@2 wouter@3\n')
  })
})
