import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { run } from '../../../src/cli/run'
import { folderWith, start } from '../developed'
import { terminal } from '../terminal'
import { agent } from './agent'

describe('rxauth mcp', () => {
  it('finds the platform of the project, also one that is started anew at another port', async () => {
    const folder = folderWith({}, 'package.json')
    const { call, stop } = await agent([], folder)
    for (let round = 0; round < 2; round++) {
      const running = await start([], { folder })
      expect((await call('people', { limit: 1 })).value).toMatchObject({ people: [{ email: 'ada@example.com' }] })
      await running.stop()
    }
    expect(await stop()).toBe(0)
  })

  it('asks at the port of the configuration, and says that no platform runs there', async () => {
    const folder = folderWith({ port: 9 })
    const { call } = await agent([], folder)
    expect((await call('people')).text).toMatch(/^no answer of http:\/\/localhost:9 .*npx rxauth dev/)
  })

  // Promise: mcp-this-machine
  it('asks no other machine that the project names', async () => {
    const folder = folderWith({}, 'package.json')
    mkdirSync(join(folder, '.rxauth'))
    writeFileSync(
      join(folder, '.rxauth/running.json'),
      JSON.stringify({ url: 'http://evil.example', pid: process.pid }),
    )
    const asked = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('ok'))
    const { call } = await agent([], folder)
    expect((await call('people')).text).toMatch(/"http:\/\/evil\.example" is no address of a platform on this machine/)
    expect(asked.mock.calls.map(([url]) => url)).toEqual([])
    asked.mockRestore()
  })

  it('refuses an address elsewhere before it serves', async () => {
    const { io, err, out } = terminal()
    expect(await run(['mcp', '--url', 'http://evil.example:8102'], io)).toBe(1)
    expect([out(), err()]).toEqual([
      '',
      expect.stringMatching(/^rxauth: "http:\/\/evil\.example:8102" is no address of/),
    ])
  })

  it('ends at a signal, and leaves the input, which would keep the program alive', async () => {
    const { signal, listening, input, ended } = serving()
    while (listening() === 0) await new Promise(resolve => setImmediate(resolve))
    signal('SIGTERM')
    expect([await ended, input.destroyed]).toEqual([0, true])
  })

  // Promise: mcp-answers
  it('answers the calls that it has read before the input ended', async () => {
    const { input, out, ended } = serving()
    const asked = [
      ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
      ['tools/call', { name: 'people', arguments: {} }],
      ['tools/list', {}],
    ].map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    input.end(asked.join(''))
    expect(await ended).toBe(0)
    const answered = out().trim().split('\n')
    expect(answered.map(line => (JSON.parse(line) as { id: number }).id).sort()).toEqual([0, 1, 2])
  })

  it('ends at a message that is too long', async () => {
    const { input, ended } = serving()
    input.write(Buffer.alloc(20_000_000, 'x'))
    expect(await ended).toBe(0)
  })

  it('reserves standard output before it reads a configuration, whose code may print', async () => {
    const { io, err, isOutReserved } = terminal({ folder: folderWith({ server: 'none' }) })
    expect(await run(['mcp'], io)).toBe(1)
    expect(err()).toContain('rxauth.config.json')
    expect(isOutReserved()).toBe(true)
  })

  it('says what to install where the package is missing', async () => {
    jest.resetModules().doMock('@modelcontextprotocol/server', () => {
      throw new Error('not installed')
    })
    const { io, err } = terminal()
    expect(await run(['mcp'], io)).toBe(1)
    expect(err()).toContain('run `npm install --save-dev @modelcontextprotocol/server`')
    jest.dontMock('@modelcontextprotocol/server')
  })
})

/** `rxauth mcp` that reads from `input`. */
function serving() {
  const input = new PassThrough()
  const { io, ...rest } = terminal({ input: () => input })
  return { ...rest, input, ended: run(['mcp', '--url', 'http://localhost:8102'], io) }
}
