import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freshApp, type FreshApp } from './fresh-app'
import { root } from './sources'

/* `rxauth mcp` of the built package in a new app, spoken to over its standard input and output. */

let app: FreshApp
beforeEach(() => {
  app = freshApp('@modelcontextprotocol/server')
  app.write('package.json', '{ "name": "app" }')
  for (const page of ['AGENTS.md', 'README.md', 'docs/second-factor.md'])
    app.write(`node_modules/rxauth/${page}`, readFileSync(join(root, page), 'utf8'))
})
afterEach(() => app.remove())

const program = () => join(app.folder, 'node_modules/rxauth/dist/platform-bin.js')

// Promise: mcp-tools
it('a client gets the tools of the platform that runs, until it ends', async () => {
  const platform = spawn(process.execPath, [program(), 'dev', '--port', '0', '--data', 'memory', '--json'], {
    cwd: app.folder,
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(createInterface(platform.stdout), 'line')
  const client = new Client({ name: 'test', version: '1.0.0' })
  const options = { command: process.execPath, args: [program(), 'mcp'], cwd: app.folder, stderr: 'pipe' as const }
  await client.connect(new StdioClientTransport(options))
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    JSON.stringify((await client.callTool({ name, arguments: given })).content)
  try {
    expect(await call('people')).toContain('ada@example.com')
    expect(await call('docs', { words: 'two factor' })).toContain('docs/second-factor.md')
    const waiting = call('wait_for_mail', { to: 'ada@example.com' })
    platform.kill('SIGTERM')
    await once(platform, 'close')
    expect(await waiting).toMatch(/start (the platform|it) by `npx rxauth dev`/)
    expect(await call('people')).toMatch(/no answer of .*: start the platform by `npx rxauth dev`/)
  } finally {
    platform.kill('SIGKILL')
    await client.close()
  }
})

it('the program says what to install where the package is missing, and ends', () => {
  rmSync(join(app.folder, 'node_modules/@modelcontextprotocol'), { recursive: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), 'mcp'], { encoding: 'utf8', input: '' })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^rxauth: mcp needs .*: run `npm install --save-dev @modelcontextprotocol\/server`$/m)
})
