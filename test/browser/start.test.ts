import { once } from 'node:events'
import { connect } from 'node:net'
import { runExample } from './example'
import type { Program } from './example'

/** Sends the first line of a request, and never the rest. */
async function beginRequest(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  await new Promise(sent => socket.write('GET / HTTP/1.1\r\n', sent))
}

let program: Program
let page: string
let platform: string

beforeAll(async () => {
  program = runExample('start.mjs')
  await program.printed(/Ctrl-C/)
  page = /^Page +(\S+)$/m.exec(program.output())![1]!
  platform = /^Platform +(\S+)$/m.exec(program.output())![1]!
})

afterAll(async () => {
  program.kill('SIGTERM')
  await program.ended
})

describe('npm start, after the build', () => {
  it('prints the addresses, the project, the key, and what a real script has seen', () => {
    expect(program.output()).toMatch(/^Page +http:\/\/localhost:\d+\/$/m)
    expect(program.output()).toMatch(/^Platform +http:\/\/127\.0\.0\.1:\d+$/m)
    expect(program.output()).toMatch(/^Project id +[\da-f-]{36}$/m)
    expect(program.output()).toMatch(/^Publishable key +pck_\S+$/m)
    expect(program.output()).toMatch(
      /^first emission: \{"id":"[\da-f-]{36}","primaryEmail":"newcomer-\d+@example\.com"/m,
    )
  })

  it('serves the page, and the same page for every address that is no file', async () => {
    const front = await fetch(page)
    expect(front.status).toBe(200)
    expect(front.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await front.text()
    expect(html).toContain(`"baseUrl":"${platform}"`)
    expect(await (await fetch(`${page}handler/sign-in`)).text()).toBe(html)
  })

  it.each([
    ['/app.js', 'text/javascript; charset=utf-8'],
    ['/app.css', 'text/css; charset=utf-8'],
  ])('serves %s as %s', async (path, type) => {
    const response = await fetch(new URL(path, page))
    expect(response.headers.get('content-type')).toBe(type)
    expect((await response.text()).length).toBeGreaterThan(1000)
  })

  it('says which port is in use, and ends with 1', async () => {
    const { port } = new URL(page)
    const second = runExample('start.mjs', ['--port', port])
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toBe(
      `rxauth example: port ${port} is in use: stop what listens there, or choose another one with --port\n`,
    )
  })

  it('takes the port that it is given', async () => {
    const other = runExample('start.mjs', ['--port=0'])
    await other.printed(/^Page +http:\/\/localhost:\d+\/$/m)
    other.kill('SIGTERM')
    expect((await other.ended).code).toBe(0)
  })

  it.each([
    [['--colour'], "Unknown option '--colour'"],
    [['--port', 'eighty'], '--port takes a number from 0 to 65535, not "eighty"'],
    [['--port', '65536'], '--port takes a number from 0 to 65535, not "65536"'],
  ])('refuses %j with 2', async (args, message) => {
    const refused = runExample('start.mjs', args)
    expect((await refused.ended).code).toBe(2)
    expect(refused.output()).toBe(`${message}\nTry: npm start -- --help\n`)
  })

  it('shows how it is used with --help', async () => {
    const asked = runExample('start.mjs', ['--help'])
    expect((await asked.ended).code).toBe(0)
    expect(asked.output()).toMatch(/^Usage: npm start/)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends with 0 within a second of %s, in the middle of requests too',
    async signal => {
      const other = runExample('start.mjs')
      const [, address] = await other.printed(/^Page +(\S+)$/m)
      const [, api] = await other.printed(/^Platform +(\S+)$/m)
      await other.printed(/Ctrl-C/)
      await Promise.all([beginRequest(address!), beginRequest(api!)])
      const askedAt = performance.now()
      other.kill(signal)
      expect(await other.ended).toEqual({ code: 0, signal: null })
      expect(performance.now() - askedAt).toBeLessThan(1000)
    },
  )

  it('ends with 0 when it is interrupted while the script runs', async () => {
    const other = runExample('start.mjs')
    await other.printed(/A Node script/)
    other.kill('SIGINT')
    expect((await other.ended).code).toBe(0)
    expect(other.output()).not.toContain('rxauth example:')
  })

  it('runs a script that ends by itself within 200 ms of its first emission', async () => {
    const endings: number[] = []
    // A machine that is busy elsewhere may take longer once; a handle that is left open takes longer every time.
    while (endings.length < 5 && !endings.some(millis => millis < 200)) {
      const script = runExample('first-emission.mjs', [], { NEXT_PUBLIC_STACK_API_URL: platform })
      await script.printed(/^first emission: /m)
      const printedAt = performance.now()
      expect((await script.ended).code).toBe(0)
      endings.push(performance.now() - printedAt)
    }
    expect(Math.min(...endings)).toBeLessThan(200)
  })
})
