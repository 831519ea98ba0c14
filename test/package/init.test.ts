import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { freePort, freshApp, type FreshApp } from './fresh-app'
import { root } from './sources'

/* The built program in a folder outside of the repository, and what it has written there, run. */

let app: FreshApp

beforeEach(() => {
  app = freshApp('jest', 'vitest', 'vite', '@vitejs/plugin-react', 'express', 'hono', 'jiti')
  // The pages are published with the package.
  for (const page of ['guides/vite.md', 'guides/express.md', 'guides/hono.md', 'testing.md'])
    app.write(`node_modules/rxauth/docs/${page}`, readFileSync(join(root, 'docs', page), 'utf8'))
  app.write('bin/npm', '#!/bin/sh\nexit 0\n')
  chmodSync(join(app.folder, 'bin/npm'), 0o755)
})

afterEach(() => app.remove())

/** Without a package manager: what a project needs is here. */
function rxauth(args: readonly string[], options: object = {}) {
  const env = { ...process.env, PATH: `${join(app.folder, 'bin')}:${process.env['PATH']}` }
  const program = join(app.folder, 'node_modules/rxauth/dist/platform-bin.js')
  return spawnSync(process.execPath, [program, ...args], { cwd: app.folder, env, encoding: 'utf8', ...options })
}

function run(...args: readonly string[]) {
  const env = { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined, NODE_TEST_CONTEXT: undefined }
  return spawnSync(process.execPath, args, { cwd: app.folder, env, encoding: 'utf8' })
}

const project = (dev: object) =>
  app.write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: { vite: '*', react: '*' }, devDependencies: dev }),
  )

// Promise: init-command
it.each([
  ['Node', {}, ['--test', 'test/sign-in-test.mjs'], /^(# pass 1|ℹ pass 1)$/m],
  ['Vitest', { vitest: '*' }, ['node_modules/vitest/vitest.mjs', 'run', 'src/sign-in.test.js'], /1 passed/],
  ['Jest', { jest: '*' }, ['node_modules/jest/bin/jest.js', 'src/sign-in.test.js'], /1 passed/],
  [
    'Jest, in TypeScript',
    { jest: '*', typescript: '*' },
    ['node_modules/jest/bin/jest.js', 'src/sign-in.test.ts'],
    /1 passed/,
  ],
] as const)('the test that it writes for %s passes', (_, dev, command, passed) => {
  project(dev)
  expect(rxauth(['init', '--yes'])).toMatchObject({ status: 0, stderr: '' })
  const { stdout, stderr, status } = run(...command)
  expect(stripVTControlCharacters(stdout + stderr)).toMatch(passed)
  expect(status).toBe(0)
})

// Promise: init-command
it.each([
  ['express', "fetch(`http://localhost:${process.env['PORT']}/api/me`, { headers })"],
  ['hono', "server.request('/api/me', { headers })"],
])('the server that it writes for %s answers the signed-in user, and refuses others', async (framework, ask) => {
  expect(rxauth(['init', '--yes', '--framework', framework])).toMatchObject({ status: 0, stderr: '' })
  app.write(
    'ask.ts',
    `import { createClientApp, memoryTokens } from 'rxauth'
import * as loaded from './server.ts'

const { server } = loaded as any
const app = createClientApp({ tokens: memoryTokens() })
await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse battery' })
const ask = async (headers: any) => await ${ask}
const me = await (await ask(await app.authHeaders())).json()
console.log('same user', me.userId === (await app.user$.get())?.id, (await ask({})).status)
process.exit()`,
  )
  const command = [process.execPath, 'node_modules/jiti/lib/jiti-cli.mjs', 'ask.ts']
  const env = { ...process.env, NODE_ENV: 'development', PORT: String(await freePort()) }
  const { stdout } = rxauth(['dev', '--port', '0', '--data', 'memory', '--', ...command], { env })
  expect(stdout).toContain('same user true 401')
})

it('asks nothing without a terminal, and writes nothing', () => {
  project({})
  const before = readdirSync(app.folder)
  expect(rxauth(['init'], { input: 'y\n' })).toMatchObject({ status: 2, stderr: expect.stringContaining('give --yes') })
  expect(readdirSync(app.folder)).toEqual(before)
})

it.each([[['--help']], [['add']], [['init', '--yes']], [['dev', '--port', '0', '--data', 'memory', '--', 'true']]])(
  'ends as it does otherwise where the reader of its output has ended: %j',
  async args => {
    project({})
    const env = { ...process.env, PATH: `${join(app.folder, 'bin')}:${process.env['PATH']}` }
    const program = join(app.folder, 'node_modules/rxauth/dist/platform-bin.js')
    const child = spawn(process.execPath, [program, ...args], {
      cwd: app.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += text.toString()))
    const code = await new Promise(ended => child.once('close', ended))
    expect([code, said]).toEqual([0, ''])
    expect(existsSync(join(app.folder, 'src/auth.ts'))).toBe(args[0] === 'init')
  },
)

it('refuses a folder that it may not write to', () => {
  project({})
  chmodSync(app.folder, 0o555)
  // The rights of files do not bind root, as which tests may run.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { status, stderr } = rxauth(['init', '--yes'], user)
  chmodSync(app.folder, 0o755)
  expect([status, stderr]).toEqual([1, 'rxauth: this folder cannot be written to\n'])
  expect(existsSync(join(app.folder, 'src'))).toBe(false)
})
