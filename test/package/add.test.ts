import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { freshApp } from './fresh-app'
import type { FreshApp } from './fresh-app'
import { root } from './sources'

/* The screens of the built package in a new app, as `npm create vite@latest -- --template react-ts` makes it. */

const names = ['sign-in', 'account', 'team', 'user-button', 'team-switcher', 'words-de']

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

let app: FreshApp

beforeAll(() => {
  const tools = ['vite', '@vitejs/plugin-react', 'typescript', '@types/react', '@types/react-dom', '@types/node']
  app = freshApp(...tools, 'react', 'react-dom', '@heroicons/react', 'uqr', 'wouter', 'csstype', 'react-router')
  app.write('bin/npm', '#!/bin/sh\nexit 0\n')
  chmodSync(join(app.folder, 'bin/npm'), 0o755)
  app.write('index.html', '<div id="root"></div><script type="module" src="/src/main.tsx"></script>')
  app.write(
    'vite.config.ts',
    "import react from '@vitejs/plugin-react'\nexport default { plugins: [react()], build: { chunkSizeWarningLimit: 2000 } }\n",
  )
})

afterAll(() => app.remove())

function run(...args: readonly string[]) {
  const env = { ...process.env, NODE_ENV: undefined, PATH: `${join(app.folder, 'bin')}:${process.env['PATH']}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: app.folder, env, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

function add(routers: Readonly<Record<string, string>>, ...more: readonly string[]) {
  const dependencies = { react: '*', 'react-dom': '*', rxauth: '*', vite: '*', typescript: '*', ...routers }
  app.write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  return run('node_modules/rxauth/dist/platform-bin.js', 'add', ...names, '--yes', ...more)
}

/** The compiler of the template with its options, and the one before with every option. */
const checks = [
  ['test/typescript-7/node_modules/typescript', compilerOptions],
  ['node_modules/typescript', { ...compilerOptions, ...stricter }],
] as const

describe('all screens', () => {
  // Promise: add-command
  it.each([
    ['Vite, with wouter', {}, 'src/auth'],
    ['Vite, with React Router', { 'react-router': '*' }, 'src/other/auth'],
  ])('compile and build in a new app of %s', (_, routers, to) => {
    app.write('src/main.tsx', main.replaceAll("'./auth/", `'./${to.slice('src/'.length)}/`))
    expect(add(routers, '--to', to)).toMatchObject({ status: 0 })
    for (const [compiler, options] of checks) {
      app.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src/main.tsx', to] }))
      const checked = run(join(root, compiler, 'bin/tsc'), '--project', '.')
      expect({ compiler, ...checked }).toEqual({ compiler, status: 0, said: '' })
    }
    const built = run('node_modules/vite/bin/vite.js', 'build')
    expect(built).toMatchObject({ status: 0, said: expect.not.stringMatching(/warn|use client/i) })
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
