import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { localKeys } from '../../src/core/defaults'
import { run } from '../../src/cli/run'
import { sendRaw } from '../platform/node/raw'
import { terminal, until } from './terminal'

describe('rxauth', () => {
  it('shows its help', async () => {
    const { io, out } = terminal()
    expect([await run(['--help'], io), out()]).toEqual([0, expect.stringContaining('Usage: rxauth <command>')])
  })

  it('ends with 2 for unknown arguments', async () => {
    const { io, out, err } = terminal()
    expect(await run(['dev', '--prot'], io)).toBe(2)
    expect([out(), err()]).toEqual(['', expect.stringContaining('unknown option "--prot"')])
  })

  it.each([
    ['init', '--yes'],
    ['config', 'diff', '--file', 'a\u001b]0;owned\u0007.json'],
    ['replay', 'a\u001b]0;owned\u0007.json'],
    ['dev', '--data', 'memory', '--port', '0', '--allow-host', 'http://\u001b]0;owned\u0007'],
    ['dev', '--a\u001b]0;owned\u0007'],
  ])('%s prints no character that is hidden or directs the terminal', async (...args) => {
    const { io, out, err } = terminal()
    const scripts = { 'a\u001b]0;owned\u0007\u009b2J\u202eb': 'rxauth dev -- vite' }
    const dependencies = { vite: '*', react: '*' }
    writeFileSync(join(io.folder, 'package.json'), JSON.stringify({ scripts, dependencies }))
    await run(args, { ...io, environment: { PATH: '' } })
    expect(out() + err()).toContain('?]0;owned?')
    expect((out() + err()).replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}]/u)
  })

  it('answers the hosts and origins that are named', async () => {
    const { io, out, signal, listening } = terminal()
    const named = ['--allow-host', 'auth.test', '--allow-origin', 'https://app.test']
    const ended = run(['dev', '--port', '0', '--data', 'memory', ...named], io)
    await until(() => listening() > 0)
    const url = /http:\S+/.exec(out())?.[0] ?? ''
    const status = async (host: string, origin: string) =>
      (await sendRaw({ url, close: () => Promise.resolve() }, 'GET /mailbox', { host, origin })).status
    expect(await status('auth.test', 'https://app.test')).toBe(200)
    expect(await status('other.test', 'https://app.test')).toBe(403)
    expect(await status('auth.test', 'https://other.test')).toBe(403)
    signal('SIGINT')
    await ended
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s, and leaves nothing running', async name => {
    const { io, out, signal, listening } = terminal()
    const ended = run(['dev', '--port', '0', '--data', 'memory'], io)
    await until(() => listening() > 0)
    const url = /http:\S+/.exec(out())?.[0] ?? ''
    expect(out()).toContain('pck_')
    expect((await fetch(`${url}/health`)).status).toBe(200)
    signal(name)
    expect([await ended, listening()]).toEqual([0, 0])
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  })

  it('sends webhooks to an address, and prints failed deliveries', async () => {
    const signatures: unknown[] = []
    const receiver = createServer((request, response) => {
      signatures.push(request.headers['svix-signature'])
      response.statusCode = 404
      response.end()
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { io, out, err, signal, listening } = terminal()
    const ended = run(['dev', '--port', '0', '--data', 'memory', '--webhook', hook], io)
    await until(() => listening() > 0)
    const url = /http:\S+/.exec(out())?.[0] ?? ''
    expect(out()).toMatch(/Webhook secret +whsec_/)
    const [, projectId = ''] = /Project id +(\S+)/.exec(out()) ?? []
    const headers = {
      'content-type': 'application/json',
      'x-stack-access-type': 'server',
      'x-stack-project-id': projectId,
      'x-stack-secret-server-key': localKeys.secretServerKey,
    }
    const answer = await fetch(`${url}/api/v1/teams`, { method: 'POST', headers, body: '{"display_name":"Ops"}' })
    expect(answer.status).toBe(201)
    await until(() => err() !== '')
    expect(err()).toBe(`rxauth: ${hook} has answered 404 to team.created\n`)
    expect(signatures).toEqual([expect.stringMatching(/^v1,/)])
    signal('SIGINT')
    expect(await ended).toBe(0)
    receiver.close()
  })

  it('ends with 1 for an invalid webhook address', async () => {
    const { io, err } = terminal()
    expect(await run(['dev', '--port', '0', '--data', 'memory', '--webhook', 'localhost:3000'], io)).toBe(1)
    expect(err()).toContain('"localhost:3000"')
  })

  it('ends its command on a signal', async () => {
    const { io, signal, listening } = terminal()
    const ended = run(
      ['dev', '--port', '0', '--data', 'memory', '--', process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      io,
    )
    await until(() => listening() > 0)
    signal('SIGTERM')
    expect(await ended).toBe(128 + 15)
  })

  it('prints an error if the command does not exist', async () => {
    const { io, err } = terminal()
    expect(await run(['dev', '--port', '0', '--data', 'memory', '--', 'rxauth-has-no-such-command'], io)).toBe(127)
    expect(err()).toContain('cannot run "rxauth-has-no-such-command"')
  })

  it('ends with 126 if the command is not executable', async () => {
    const { io } = terminal()
    writeFileSync(join(io.folder, 'notes.txt'), 'x', { mode: 0o644 })
    expect(await run(['dev', '--port', '0', '--data', 'memory', '--', './notes.txt'], io)).toBe(126)
  })

  it('names the option for another port where that is in use, and for another host where that is none of the machine', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { io, err } = terminal()
    const code = await run(['dev', '--port', String(port)], io)
    server.close()
    expect([code, err()]).toEqual([
      1,
      `rxauth: port ${port} on 127.0.0.1 is in use: stop what listens there, or choose another port (0 takes a free one) with --port\n`,
    ])
    // An address of documentation, which no machine has.
    const other = terminal()
    expect([await run(['dev', '--port', '0', '--host', '203.0.113.1'], other.io), other.err()]).toEqual([
      1,
      'rxauth: "203.0.113.1" is no address of this machine: listen on 127.0.0.1, or on 0.0.0.0 for the whole network with --host\n',
    ])
  })
})
