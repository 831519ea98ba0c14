import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { runs } from '../runs'
import { freshApp, newestCompiler, type FreshApp } from './fresh-app'
import { root } from './sources'

/*
 * The screens of the built package in new apps, as `npm create vite@latest -- --template react-ts` and `npx create-next-app` make
 * them. The apps are in one folder: each compiler reads React and the package once for all of them.
 */

const names = [
  'sign-in',
  'account',
  'team',
  'user-button',
  'team-switcher',
  'session-limit',
  'impersonation-bar',
  'words-de',
]

/** As written by create-vite 9.3.0, without what is the same in every configuration. */
const compilerOptions = {
  target: 'es2023',
  lib: ['ES2023', 'DOM'],
  module: 'esnext',
  types: ['vite/client'],
  allowArbitraryExtensions: true,
  skipLibCheck: true,
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  moduleDetection: 'force',
  noEmit: true,
  jsx: 'react-jsx',
  noUnusedLocals: true,
  noUnusedParameters: true,
  erasableSyntaxOnly: true,
  noFallthroughCasesInSwitch: true,
}

/** What a careful team adds. */
const stricter = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  isolatedModules: true,
}

const main = `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'rxauth/react'
import { auth } from './auth'
import { Screens } from './auth/screens'
import { UserMenu } from './auth/shell/user-menu'
import { TeamSwitcher } from './auth/teams/team-switcher'
import { de } from './auth/words/de'
import { WordsProvider } from './auth/words/use-words'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AuthProvider app={auth}>
      <WordsProvider value={de}>
        <Screens>
          <TeamSwitcher />
          <UserMenu />
        </Screens>
      </WordsProvider>
    </AuthProvider>
  </StrictMode>,
)
`

/** New apps of Vite, each by the file that renders its screens. */
const apps = [
  { name: 'Vite, with wouter', file: 'src/main.tsx', to: 'src/auth', routers: {} },
  { name: 'Vite, with React Router', file: 'src/other.tsx', to: 'src/other/auth', routers: { 'react-router': '*' } },
]

const layout = `import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

let app: FreshApp
/** What `rxauth add` said in each app. */
const added = new Map<string, Result>()
/** What each compiler said, and Vite, of all of them. */
let checked: readonly Result[]
let built: Result

interface Result {
  readonly status: number | null
  readonly said: string
}

beforeAll(() => {
  const tools = ['vite', '@vitejs/plugin-react', 'typescript', '@types/react', '@types/react-dom', '@types/node']
  const ofApps = ['react', 'react-dom', '@heroicons/react', 'uqr', 'wouter', 'csstype', 'react-router', 'next']
  app = freshApp(...tools, ...ofApps)
  app.write('bin/npm', '#!/bin/sh\nexit 0\n')
  chmodSync(join(app.folder, 'bin/npm'), 0o755)
  for (const { file, to } of apps) {
    app.write(file, main.replaceAll("'./auth/", `'./${to.slice('src/'.length)}/`))
    app.write(`${file}.html`, `<div id="root"></div><script type="module" src="/${file}"></script>`)
  }
  const input = JSON.stringify(apps.map(({ file }) => `${file}.html`))
  app.write(
    'vite.config.ts',
    `import react from '@vitejs/plugin-react'
export default { plugins: [react()], build: { chunkSizeWarningLimit: 2000, rolldownOptions: { input: ${input} } } }\n`,
  )
  for (const { name, routers, to } of apps) added.set(name, add('.', routers, '--to', to))
  app.write('next/app/layout.tsx', layout)
  added.set('Next.js', add('next', { next: '*' }))
  checked = checks.map(([compiler, options]) => {
    app.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src', 'next'] }))
    return run('.', join(root, compiler, 'bin/tsc'), '--project', '.')
  })
  built = run('.', 'node_modules/vite/bin/vite.js', 'build')
})

afterAll(() => app.remove())

function run(folder: string, ...args: readonly string[]): Result {
  const env = { ...process.env, NODE_ENV: undefined, PATH: `${join(app.folder, 'bin')}:${process.env['PATH']}` }
  const options = { cwd: join(app.folder, folder), env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  return { status, said: stdout + stderr }
}

function add(folder: string, routers: Readonly<Record<string, string>>, ...more: readonly string[]): Result {
  const dependencies = { react: '*', 'react-dom': '*', rxauth: '*', vite: '*', typescript: '*', ...routers }
  app.write(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  return run(folder, join(app.folder, 'node_modules/rxauth/dist/platform-bin.js'), 'add', ...names, '--yes', ...more)
}

/** The compiler of the template, with its options and with every option; the one before at night, for it takes three times as long. */
const checks = [
  [newestCompiler, compilerOptions],
  [newestCompiler, { ...compilerOptions, ...stricter }],
  ...runs([], [['node_modules/typescript', { ...compilerOptions, ...stricter }] as const]),
] as const

describe('all screens', () => {
  // Promise: add-command
  it.each(apps)('compile and build in a new app of $name', ({ name, file }) => {
    expect(added.get(name)).toMatchObject({ status: 0 })
    expect(checked).toEqual(checks.map(() => ({ status: 0, said: '' })))
    expect(built).toMatchObject({ status: 0, said: expect.not.stringMatching(/warn|use client/i) })
    expect(existsSync(join(app.folder, `dist/${file}.html`))).toBe(true)
  })

  it('compile in a new app of Next.js', () => {
    expect(added.get('Next.js')).toMatchObject({ status: 0 })
    expect(existsSync(join(app.folder, 'next/app/handler/[...page]/page.tsx'))).toBe(true)
    expect(checked).toEqual(checks.map(() => ({ status: 0, said: '' })))
  })

  it('are in the list of the package, each with its files', () => {
    const list = JSON.parse(readFileSync(join(root, 'dist/screens/registry.json'), 'utf8')) as {
      items: { name: string; files: { path: string }[] }[]
    }
    expect(list.items.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    for (const { path } of list.items.flatMap(({ files }) => files))
      expect(readFileSync(join(root, 'dist/screens', path), 'utf8')).not.toMatch(
        /from '\.\.\/(app|admin|home|notes)\/|import\.meta\.env/,
      )
  })

  it('have the form of the registries of shadcn, on the site too', () => {
    const list = JSON.parse(readFileSync(join(root, 'dist/screens/registry.json'), 'utf8')) as Registry
    expect(list).toEqual({
      $schema: 'https://ui.shadcn.com/schema/registry.json',
      name: 'rxauth',
      homepage: expect.stringMatching(/^https:/),
      items: expect.any(Array),
    })
    const script = `import { writeRegistry } from './react/example/screens.mjs'; writeRegistry(process.argv[1])`
    const site = join(app.folder, 'r')
    spawnSync(process.execPath, ['--input-type=module', '--eval', script, site], { cwd: root })
    expect(readdirSync(site).sort()).toEqual(list.items.map(({ name }) => `${name}.json`).sort())
    for (const item of list.items) {
      const { dependencies, files, ...single } = JSON.parse(
        readFileSync(join(site, `${item.name}.json`), 'utf8'),
      ) as Item
      const { name, type, title, description } = item
      expect(single).toEqual({
        $schema: 'https://ui.shadcn.com/schema/registry-item.json',
        name,
        type,
        title,
        description,
      })
      expect(type).toMatch(/^registry:(block|component)$/)
      for (const { content, ...file } of files) {
        expect(content).toBe(readFileSync(join(root, 'dist/screens', file.path), 'utf8'))
        expect(file).toEqual({
          path: expect.any(String),
          type: 'registry:file',
          target: expect.stringMatching(/^auth\//),
        })
      }
      const targets = files.map(({ target }) => target)
      expect(new Set(targets).size).toBe(targets.length)
      // Each item is complete: its files import each other, its packages, or those of every app with React.
      const imported = files.flatMap(({ content, target }) =>
        [...content.matchAll(/(?:from|import) '([^']+)'/g)].map(([, to = '']) =>
          to.startsWith('.') ? posix.join(posix.dirname(target), to) : to,
        ),
      )
      const packages = dependencies.map(each => each.replace(/(?!^)@.*/, ''))
      const given = ['react', 'react-dom', 'next', 'react-router', ...packages]
      const isThere = (to: string) =>
        ['', '.ts', '.tsx'].some(end => targets.includes(to + end)) ||
        given.some(name => to === name || to.startsWith(`${name}/`))
      // The one file of a router, and the texts of one language, come into a folder that has the rest.
      const isPart = /^navigation|^words-/.test(name)
      expect(imported.filter(to => !isThere(to)).filter(to => !isPart || !to.startsWith('auth/'))).toEqual([])
      const used = packages.filter(each => imported.some(to => to === each || to.startsWith(`${each}/`)))
      expect(packages.filter(each => !used.includes(each) && each !== 'rxjs')).toEqual([])
    }
  })
})

interface Item {
  readonly name: string
  readonly type: string
  readonly title: string
  readonly description: string
  readonly dependencies: readonly string[]
  readonly files: readonly { readonly path: string; readonly target: string; readonly content: string }[]
}

interface Registry {
  readonly items: readonly Item[]
}
