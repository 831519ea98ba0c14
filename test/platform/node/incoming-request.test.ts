import { connect } from 'node:net'
import type { Platform } from 'rxauth/platform'
import { listen, type Listening } from 'rxauth/platform/node'
import { ada, keysFor, wireWorld } from '../wire-world'
import { sendRaw } from './raw'

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map(server => server.close())))

async function listening() {
  const { platform } = wireWorld()
  const seen: string[] = []
  platform.requests$.subscribe({ next: ({ path }) => seen.push(path) })
  const server = await listen(platform, { port: 0 })
  open.push(server)
  return { platform, server, seen }
}

const json = { 'content-type': 'application/json' }

/**
 * Sends a head and then the chunks of `body` until an answer comes; returns the answer's start and the bytes sent by
 * then.
 */
async function sendUntilAnswered(
  { url }: Listening,
  line: string,
  headers: Readonly<Record<string, string>>,
  part: (() => Buffer) | null,
): Promise<{ readonly answer: string; readonly bytes: number }> {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  try {
    let answer = ''
    const answered = new Promise<void>((resolve, reject) => {
      socket.on('data', received => {
        answer += received.toString()
        if (answer.includes('\r\n\r\n')) resolve()
      })
      socket.once('error', reject)
    })
    const head = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n`)
    let bytes = 0
    while (part && answer === '' && bytes < 50_000_000) {
      const next = part()
      bytes += next.length
      await new Promise(sent => socket.write(next, sent))
    }
    await answered
    return { answer, bytes }
  } finally {
    socket.destroy()
  }
}

/** 64 KB of a body without a length. */
function chunk(): Buffer {
  return Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')])
}

const foreign = { origin: 'https://evil.example' }
const endless = { 'transfer-encoding': 'chunked', ...json }

describe('a body', () => {
  // Promise: refused-before-body
  it.each([
    ['POST /api/v1/auth/password/sign-up', 10_000_001],
    ['POST /api/v1/nothing', 900_000_000],
    ['PUT /mailbox', 10_000_001],
    ['PUT /__local__/data', 250_000_001],
  ])('of %s with an announced length of %i bytes is refused before it arrives', async (line, length) => {
    const { server, seen } = await listening()
    const headers = { ...json, 'content-length': String(length) }
    const { answer } = await sendUntilAnswered(server, line, headers, null)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('access-control-allow-origin: *')
    expect(seen).toEqual([])
  })

  // Promise: refused-before-body
  it.each(['POST /api/v1/auth/password/sign-up', 'DELETE /api/v1/users/me'])(
    'of %s that says no length is refused at 10 MB, and may go on',
    async line => {
      const { server, seen } = await listening()
      const { answer, bytes } = await sendUntilAnswered(server, line, endless, chunk)
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
      expect(bytes).toBeGreaterThan(10_000_000)
      expect(seen).toEqual([])
    },
  )

  it('that is too long leaves its connection to the requests after it', async () => {
    const { server } = await listening()
    const tooLong = await fetch(`${server.url}/api/v1/check-version`, { method: 'POST', body: 'x'.repeat(10_000_001) })
    const said = 'The body of this request is longer than 10,000,000 bytes.'
    expect([tooLong.status, await tooLong.text()]).toEqual([413, said])
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

describe('a request that a foreign page may not make', () => {
  // Promise: refused-before-body
  it.each<[by: string, headersOf: (platform: Platform) => Record<string, string>]>([
    ['its keys', platform => ({ ...keysFor(platform, 'admin'), ...foreign })],
    ['its project', () => ({ 'x-stack-access-type': 'client', 'x-stack-project-id': 'internal', ...foreign })],
    ['a foreign host', () => ({ host: 'evil.example' })],
  ])('is refused by %s before its body arrives', async (_, headersOf) => {
    const { platform, server, seen } = await listening()
    const headers = { ...json, ...headersOf(platform) }
    for (const framing of [{ 'content-length': '900000000' }, endless]) {
      const sent = await sendUntilAnswered(server, 'POST /api/v1/users', { ...headers, ...framing }, null)
      expect(sent).toEqual({ answer: expect.stringMatching(/^HTTP\/1\.1 403 /) as string, bytes: 0 })
    }
    expect(seen).toEqual([])
  })
})

it('a client that disconnects in the middle of its body sends no request to the platform', async () => {
  const { server, seen, platform } = await listening()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('POST /api/v1/auth/password/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n')
  await new Promise<void>(sent => socket.write('half', () => sent()))
  socket.destroy()
  const signIn = JSON.stringify({ email: ada.email, password: ada.password })
  const headers = { ...keysFor(platform, 'client'), ...json }
  expect((await sendRaw(server, 'POST /api/v1/auth/password/sign-in', headers, signIn)).status).toBe(200)
  expect(seen).toEqual(['/auth/password/sign-in'])
})
