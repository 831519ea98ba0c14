import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../docs/pasted'
import { freshApp, type FreshApp } from './fresh-app'
import { root } from './sources'

/** The blocks of the guide as a reader pastes them. */
const pasted = new Map(blocksOf('docs/testing.md').map(({ file, code }) => [file, code]))

/** The guide's replacement for Jest's comment. */
const [, vitestComment] =
  /`(\/\*\* @vitest-environment .*?)`/.exec(readFileSync(join(root, 'docs/testing.md'), 'utf8')) ?? []

/** The files for Playwright are in the same app, but not for the other runners. */
function writePlaywright(app: FreshApp): void {
  for (const { file, code, heading } of blocksOf('docs/testing.md'))
    if (heading === 'Playwright' && file !== undefined) app.write(file, code)
}

/** Fifty sign-ins, each on a platform of its own, in the words of the guide's first test. */
const fifty = `
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform } from 'rxauth/platform'

for (let at = 0; at < 50; at++)
  test('sign-in ' + at, async () => {
    const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', password: 'correct horse' }] } })
    const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
    const result = await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' })
    expect(result.ok).toBe(true)
  })
`

/** The entry for Node: a platform over HTTP, and on a file. */
const inNode = `
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { listen, openPlatform } from 'rxauth/platform/node'

test('a platform answers over HTTP', async () => {
  const platform = createPlatform()
  const { url, close } = await listen(platform, { port: 0 })
  try {
    const project = await createClientApp({ baseUrl: url, tokens: memoryTokens() }).project$.get()
    expect(project.id).toBe(platform.options.projectId)
    const page = await fetch(url + '/', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script type="module"')
  } finally {
    // An open server would keep the runner from ending.
    await close()
  }
})

test('a platform keeps its data in a file', async () => {
  const file = 'kept-' + process.pid + '.sqlite'
  const first = await openPlatform({ file, seed: { users: [{ email: 'ada@example.com' }] } })
  await first.seed({})
  first.dispose()
  const again = await openPlatform({ file })
  expect((await again.tokensFor('ada@example.com')).read()).toMatchObject({ accessToken: expect.any(String) })
  again.dispose()
})
`

/** The app's own imports of packages that have only ES modules. */
const esModulesOnly = `
import * as jose from 'jose'
import { startRegistration } from '@simplewebauthn/browser'

test('are there', () => expect([typeof jose.decodeJwt, typeof startRegistration]).toEqual(['function', 'function']))
`

function run(app: FreshApp, bin: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join('node_modules', bin), ...args], {
    cwd: app.folder,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', NODE_ENV: 'test', JEST_WORKER_ID: undefined },
  })
  return `${stdout}${stderr}`
}

describe('the guide about testing, pasted into a new app', () => {
  let app: FreshApp
  afterEach(() => app.remove())

  it('has a first test that passes in Jest with its preset, as a .ts and as a .js file', () => {
    app = freshApp('jest', 'libsql')
    app.write('package.json', '{ "name": "app" }')
    app.write('jest.config.cjs', pasted.get('jest.config.cjs')!)
    for (const extension of ['ts', 'js']) {
      app.write(`sign-in.test.${extension}`, pasted.get('sign-in.test.ts')!)
      app.write(`fifty.test.${extension}`, fifty)
    }
    app.write('packages.test.js', esModulesOnly)
    app.write('in-node.test.js', inNode)
    writePlaywright(app)
    const said = run(app, 'jest/bin/jest.js')
    expect(said).toContain('Tests:       105 passed, 105 total')
  })

  it('has a component test that passes in Jest with jsdom', () => {
    app = freshApp(
      'jest',
      'jest-environment-jsdom',
      'react',
      'react-dom',
      '@testing-library/react',
      '@testing-library/dom',
    )
    app.write('package.json', '{ "name": "app" }')
    app.write('jest.config.cjs', pasted.get('jest.config.cjs')!)
    app.write('greeting.test.tsx', pasted.get('greeting.test.tsx')!)
    expect(run(app, 'jest/bin/jest.js')).toContain('Tests:       1 passed, 1 total')
  })

  it('has tests that pass in Vitest, the one of a component with jsdom', () => {
    app = freshApp(
      ...['vitest', 'vite', 'libsql', 'jsdom', 'react', 'react-dom'],
      ...['@testing-library/react', '@testing-library/dom'],
    )
    app.write('package.json', '{ "name": "app", "type": "module" }')
    app.write('vitest.config.ts', pasted.get('vitest.config.ts')!)
    app.write('sign-in.test.ts', pasted.get('sign-in.test.ts')!)
    app.write('fifty.test.ts', fifty)
    app.write('in-node.test.ts', inNode)
    const component = pasted.get('greeting.test.tsx')!
    app.write('greeting.test.tsx', component.replace(/^.*\n/, `${vitestComment}\n`))
    writePlaywright(app)
    expect(run(app, 'vitest/vitest.mjs', 'run', '--no-color')).toMatch(/Tests {2}54 passed \(54\)/)
  })
})
