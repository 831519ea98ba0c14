import * as v from 'valibot'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localAddress, RunningPlatform } from '../../../src/cli/mcp/running-platform'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

/** Another program at a port of this machine. */
async function program(listener: RequestListener) {
  const server = createServer(listener)
  open.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, url, platform: new RunningPlatform(async () => url) }
}

const People = v.object({ items: v.array(v.object({ id: v.string() })) })

it.each(['http://localhost:8102', 'http://127.0.0.1:1/', 'http://[::1]:8102', 'http://app.localhost:8102'])(
  'an address of this machine is taken: %s',
  text => {
    expect(localAddress(text)).toBe(text.replace(/\/$/, ''))
  },
)

// Promise: mcp-this-machine
it.each([
  'http://evil.example:8102',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example:8102',
  'http://192.168.1.5:8102',
  'http://0.0.0.0:8102',
  'http://[::ffff:127.0.0.1]:8102',
  'https://localhost:8102',
  'http://localhost@evil.example:8102',
  'http://ada:secret@localhost:8102',
  'http://localhost:8102/path',
  'http://localhost:8102/?query',
  'file:///etc/passwd',
  'localhost:8102',
  '',
])('an address elsewhere, or more than an address, is refused: "%s"', text => {
  expect(() => localAddress(text)).toThrow(/is no address of a platform on this machine: give one such as/)
})

it.each<[what: string, listener: RequestListener]>([
  ['a page', (_, response) => response.end('<h1>Hello</h1>')],
  ['other JSON', (_, response) => response.end('{"items":[{"name":"Ada"}]}')],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end()],
])('a program that is no platform is named as such: it answers with %s', async (_, listener) => {
  const { platform, url } = await program(listener)
  await expect(platform.api(People, 'users')).rejects.toThrow(`${url} is no platform of this rxauth`)
  await expect(platform.signInAddress('ada', 'http://localhost:3000/')).rejects.toThrow(/is no platform|refused/)
  await expect(platform.events(AbortSignal.timeout(10_000)).next()).rejects.toThrow(/is no platform/)
})

it('the refusal of another program is short, and has no characters that hide or direct', async () => {
  const { platform } = await program((_, response) =>
    response.writeHead(500).end(`\u202eyou\u001b[2J${'x'.repeat(90_000)}`),
  )
  const error = await platform.api(People, 'users').catch((reason: unknown) => reason as Error)
  expect((error as Error).message).toMatch(/refused GET \/api\/v1\/users with 500: \?you\?\[2Jx+$/)
  expect((error as Error).message.length).toBeLessThan(1200)
})

it('an answer without an end is given up, and its connection closed', async () => {
  const part = Buffer.alloc(1_000_000, ' ')
  let isClosed: Promise<unknown> | undefined
  const { platform } = await program((_, response) => {
    isClosed = new Promise(resolve => response.once('close', resolve))
    const more = (): void => void response.write(part, () => !response.destroyed && more())
    more()
  })
  await expect(platform.local(People, 'data')).rejects.toThrow(/is longer than 50 MB/)
  await isClosed
})

it('a platform that ends in the middle of an answer, or is not there, is told with what to do', async () => {
  const { platform, server } = await program((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"items":', () => response.destroy())
  })
  const reason = /^no answer of http:\/\/127\.0\.0\.1:\d+ \(.+\): start the platform by `npx rxauth dev`$/
  await expect(platform.local(People, 'mails')).rejects.toThrow(reason)
  await new Promise(resolve => server.close(resolve).closeAllConnections())
  await expect(platform.local(People, 'mails')).rejects.toThrow(reason)
})
