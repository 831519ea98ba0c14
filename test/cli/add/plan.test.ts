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

describe('what to write in the app', () => {
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
