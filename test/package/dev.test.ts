import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshApp, type FreshApp } from './fresh-app'
import { root } from './sources'

/** The built program in a separate folder, started like from a shell without a terminal. */
function rxauth(folder: string, args: readonly string[], program = join(root, 'dist/platform-bin.js')) {
  return run(folder, process.execPath, [program, ...args])
}

function run(folder: string, command: string, args: readonly string[]) {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      for (const listener of listeners) listener()
    })
  // A stream closes when the last process that has inherited it has ended: then no process is left.
  let out = ''
  child.stdout.on('data', (part: string) => (out += part))
  const gone = new Promise<{ code: number | null; text: string; out: string }>(resolve => {
    child.once('close', code => resolve({ code, text, out }))
  })
  running.add(child)
  void gone.then(() => running.delete(child))
  return {
    gone,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text)
          if (found) resolve(found)
        }
        listeners.add(look)
        void gone.then(() => reject(new Error(`the program has ended:\n${text}`)))
        look()
      })
    },
  }
}

const running = new Set<ReturnType<typeof spawn>>()
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-program-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "type": "module" }')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rxauth'))
})

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Runs without end, and prints that it runs; `ignore`: also ignores signals. */
const idle = (name: string, ignore = false) =>
  `${ignore ? "for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);" : ''}
   console.log('${name} runs'); setInterval(() => undefined, 1000)`

/** A program with a child process that it does not forward signals to. */
const parent = (child: string) => `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, ['--eval', ${JSON.stringify(child)}], { stdio: 'inherit' })
  ${idle('parent')}`

const dev = ['dev', '--port', '0', '--data', 'memory']
const node = (text: string) => ['--', process.execPath, '--eval', text]

describe('rxauth dev -- command', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('ends everything that runs when it is sent %s without a terminal', async (signal, code) => {
    const program = rxauth(folder, [...dev, ...node(parent(idle('child')))])
    await Promise.all([program.printed(/parent runs/), program.printed(/child runs/)])
    program.kill(signal)
    expect((await program.gone).code).toBe(code)
  })

  it('ends what a command leaves running, with the exit code of the command', async () => {
    const leaves = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ['--eval', ${JSON.stringify(idle('child', true))}], { stdio: ['ignore', 'pipe', 'inherit'] })
      child.stdout.once('data', () => process.exit(7))`
    const program = rxauth(folder, [...dev, ...node(leaves)])
    expect((await program.gone).code).toBe(7)
  })

  it('ends a script of npm and what that has started', async () => {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'app', scripts: { dev: 'node server.cjs & node server.cjs' } }),
    )
    writeFileSync(join(folder, 'server.cjs'), idle('server'))
    const program = rxauth(folder, [...dev, '--', 'npm', 'run', 'dev'])
    await program.printed(/server runs[^]*server runs/)
    program.kill('SIGTERM')
    await program.gone
  })

  it('with --json prints one line on standard output, with any output of the configuration and the command', async () => {
    writeFileSync(join(folder, 'rxauth.config.mjs'), "console.log('config'); export default {}")
    const { text, out } = await rxauth(folder, [...dev, '--json', ...node("console.log('command')")]).gone
    expect(out).toMatch(/^\{.*\}\n$/)
    expect(text).toMatch(/config\n[^]*command\n/)
  })

  it.each([
    ['npx rxauth dev', ['exec', '--no', '--', 'rxauth', ...dev, '--', 'node', 'idle.cjs']],
    ['npm run dev', ['run', 'dev']],
  ])('ends with `%s`, whose SIGTERM reaches only the shell in between', async (_, args) => {
    mkdirSync(join(folder, 'node_modules/.bin'))
    const shim = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/platform-bin.js')}" "$@"\n`
    writeFileSync(join(folder, 'node_modules/.bin/rxauth'), shim, { mode: 0o755 })
    writeFileSync(join(folder, 'idle.cjs'), idle('command'))
    const scripts = { dev: `rxauth ${dev.join(' ')} -- node idle.cjs` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', scripts }))
    const npm = run(folder, 'npm', args)
    await npm.printed(/command runs/)
    npm.kill('SIGTERM')
    await npm.gone
  })

  it('gives the command the variables of every bundler', async () => {
    const tell =
      'console.log(JSON.stringify(Object.keys(process.env).filter(name => /^(NEXT_PUBLIC_|VITE_)?(STACK|HEXCLAVE)_/.test(name)).sort()))'
    const program = rxauth(folder, [...dev, ...node(tell)])
    const { code, text } = await program.gone
    expect(code).toBe(0)
    const names = `
      HEXCLAVE_API_URL HEXCLAVE_API_URL_BROWSER HEXCLAVE_API_URL_SERVER HEXCLAVE_PROJECT_ID
      HEXCLAVE_PUBLISHABLE_CLIENT_KEY HEXCLAVE_SECRET_SERVER_KEY HEXCLAVE_SUPER_SECRET_ADMIN_KEY
      NEXT_PUBLIC_HEXCLAVE_API_URL NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER
      NEXT_PUBLIC_HEXCLAVE_PROJECT_ID NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY NEXT_PUBLIC_HEXCLAVE_URL
      NEXT_PUBLIC_STACK_API_URL NEXT_PUBLIC_STACK_PROJECT_ID NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY
      NEXT_PUBLIC_STACK_URL STACK_API_URL STACK_PROJECT_ID STACK_PUBLISHABLE_CLIENT_KEY STACK_SECRET_SERVER_KEY
      STACK_SUPER_SECRET_ADMIN_KEY STACK_WEBHOOK_SECRET VITE_STACK_API_URL VITE_STACK_PROJECT_ID
      VITE_STACK_PUBLISHABLE_CLIENT_KEY
    `
    expect(JSON.parse(/^\[.*\]$/m.exec(text)![0])).toEqual(names.trim().split(/\s+/))
  })
})

describe('rxauth.config', () => {
  const typed = `
    import { defineConfig } from 'rxauth/platform/node'
    import { people } from './people'
    const settings: Record<string, boolean> = { magicLinkEnabled: false }
    export default defineConfig({ project: { displayName: 'Typed', config: settings }, seed: { users: people } })`

  it.each([
    ['rxauth.config.ts', typed],
    [
      'rxauth.config.mjs',
      "export default { project: { displayName: 'Typed' }, seed: { users: [{ email: 'kim@example.com' }] } }",
    ],
    [
      'rxauth.config.js',
      "export default { project: { displayName: 'Typed' }, seed: { users: [{ email: 'kim@example.com' }] } }",
    ],
    [
      'rxauth.config.cjs',
      "module.exports = { project: { displayName: 'Typed' }, seed: { users: [{ email: 'kim@example.com' }] } }",
    ],
  ])('%s is read', async (name, text) => {
    writeFileSync(
      join(folder, 'people.ts'),
      "export const people: { email: string }[] = [{ email: 'kim@example.com' }]",
    )
    writeFileSync(join(folder, name), text)
    const program = rxauth(folder, dev)
    const [, found] = await program.printed(/^Configuration +(\S+)$/m)
    await program.printed(/kim@example\.com/)
    expect(found).toBe(name)
    program.kill('SIGTERM')
    expect((await program.gone).code).toBe(0)
  })

  it.each(['rxauth.config.ts', 'rxauth.config.mjs'])('%s without a default export is refused', async name => {
    writeFileSync(join(folder, name), 'export const config = {}')
    const { code, text } = await rxauth(folder, dev).gone
    expect([code, text]).toEqual([
      1,
      `rxauth: ${name} cannot be loaded: it has no default export: write \`export default { … }\`\n`,
    ])
  })

  it('of TypeScript is applied when it changes, and its mistakes are printed', async () => {
    const file = join(folder, 'rxauth.config.ts')
    writeFileSync(file, 'export default { log: false as boolean }')
    const program = rxauth(folder, dev)
    const [, url] = await program.printed(/^Local platform +(\S+)$/m)
    writeFileSync(file, 'export default { log: true as boolean, port: 4000 as number }')
    await program.printed(/the configuration has changed and was applied; port takes effect at the next start/)
    await fetch(`${url!}/health`)
    await program.printed(/GET \/health 200/)
    writeFileSync(file, 'export default { prot: 1 }')
    await program.printed(/prot is no setting; did you mean port\?/)
    writeFileSync(file, 'export default {')
    await program.printed(/rxauth\.config\.ts cannot be loaded: /)
    program.kill('SIGTERM')
    await program.gone
  })
})

describe('without the optional packages', () => {
  const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined
  let app: FreshApp
  beforeEach(() => (app = freshApp()))
  afterEach(() => app.remove())

  const rxauthThere = (...args: string[]) =>
    rxauth(app.folder, ['dev', '--port', '0', ...args], join(app.folder, 'node_modules/rxauth/dist/platform-bin.js'))

  it('the data is in a file where Node has SQLite, else in memory, and a line says how to keep it', async () => {
    const program = rxauthThere()
    const lines = hasSqlite
      ? [/^Data +\S+\.sqlite \(node:sqlite\)$/m]
      : [
          /^Data +in memory: it is gone when the platform ends$/m,
          /^To keep the data: npm install --save-dev libsql, or use Node 22.13 or newer$/m,
        ]
    for (const line of lines) await program.printed(line)
    await program.printed(/^People to sign in with:$/m)
    program.kill('SIGTERM')
    expect((await program.gone).code).toBe(0)
  })

  it('a file given by an option is opened where Node has SQLite, else refused', async () => {
    const program = rxauthThere('--data', 'my.sqlite')
    await program.printed(hasSqlite ? /^Data +my\.sqlite \(/m : /or the package libsql: run `npm install/)
    if (hasSqlite) program.kill('SIGTERM')
    expect((await program.gone).code).toBe(hasSqlite ? 0 : 1)
  })

  it('a configuration in TypeScript is refused where neither Node nor jiti reads it, with what to do', async () => {
    app.write('rxauth.config.ts', 'export default { log: true as boolean }')
    const program = rxauthThere()
    const isRead = 'typescript' in process.features && process.features.typescript !== false
    await program.printed(isRead ? /^Configuration/m : /does not read TypeScript: run `npm install --save-dev jiti`/)
    program.kill('SIGTERM')
    await program.gone
  })
})
