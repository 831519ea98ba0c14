import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { runs } from '../runs'
import { runExample, type Program } from './example'
import { builtPage } from './shared'

/** Sends the first line of a request, and never the rest. */
async function beginRequest(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  await new Promise(sent => socket.write('GET / HTTP/1.1\r\n', sent))
}

/** Takes a port, unless it is taken already. */
async function occupy(port: number, host: string): Promise<Server> {
  const server = createServer()
  await new Promise<void>(settled => {
    server.once('error', () => settled()).listen(port, host, () => settled())
  })
  return server
}

let program: Program
let page: string
let platform: string

beforeAll(async () => {
  program = runExample('start.mjs', ['--port=0'])
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
    expect(program.output()).toMatch(/^Console +http:\/\/127\.0\.0\.1:\d+\/$/m)
    expect(program.output()).toMatch(/^Project id +[\da-f-]{36}$/m)
    expect(program.output()).toMatch(/^Publishable key +pck_\S+$/m)
    expect(program.output()).toMatch(
      /^first emission: \{"id":"[\da-f-]{36}","primaryEmail":"newcomer-\d+@example\.com"/m,
    )
  })

  it('has the console of the platform at its address', async () => {
    const html = await (await fetch(platform)).text()
    expect(html).toMatch(/<script type="module"[^>]* src="[^"]+\.js"/)
  })

  it('serves the page, and the same page for every address that is no file', async () => {
    const front = await fetch(page)
    expect(front.status).toBe(200)
    expect(front.headers.get('content-type')).toMatch(/^text\/html/)
    const html = await front.text()
    expect(html).toContain('<script type="module" src="/main.tsx"></script>')
    expect(await (await fetch(`${page}handler/sign-in`)).text()).toBe(html)
  })

  it('shows the outline of the page before its script has run', async () => {
    const html = await (await fetch(page)).text()
    expect(html).toMatch(/<div id="root">\s*<div class="page outline" aria-hidden="true">/)
  })

  it('serves a page that was built, as the script of package.json does, in few files', async () => {
    const other = runExample('start.mjs', ['--port=0', `--built=${await builtPage('production', 'own')}`])
    const [, address] = await other.printed(/^Page +(\S+)$/m)
    const html = await (await fetch(address!, { headers: { accept: 'text/html' } })).text()
    expect(html.match(/<script type="module"[^>]*>/g)).toEqual([expect.stringMatching(/src="\/assets\/[^"]+\.js"/)])
    expect(html).toContain('globalThis.environment = {"VITE_PLATFORM_URL":')
    other.kill('SIGTERM')
    await other.ended
  })

  it('tells the page where the platform is, and takes the kit of this repository as an app takes a package', async () => {
    const script = await (await fetch(`${page}app/auth.ts`)).text()
    expect(script).toContain(`"VITE_PLATFORM_URL": "${platform}"`)
    expect(script).toMatch(/from "[^"]+\/deps\/rxauth\.js\?v=/)
  })

  it('says which port is in use, and ends with 1', async () => {
    const { port } = new URL(page)
    const second = runExample('start.mjs', ['--port', port])
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toBe(
      `rxauth example: port ${port} is in use: stop what listens there, or choose another one with --port\n`,
    )
  })

  it('takes the next port when its own is in use', async () => {
    const occupied = await Promise.all(['127.0.0.1', '::1'].map(host => occupy(3000, host)))
    const other = runExample('start.mjs')
    const [, port] = await other.printed(/^Page +http:\/\/localhost:(\d+)\/$/m)
    expect(Number(port)).toBeGreaterThan(3000)
    other.kill('SIGTERM')
    await other.ended
    for (const server of occupied) server.close()
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

  it.each(runs<NodeJS.Signals[]>(['SIGTERM'], ['SIGINT', 'SIGTERM']))(
    'ends with 0 at %s, in the middle of requests too',
    async signal => {
      const other = runExample('start.mjs', ['--port=0'])
      const [, address] = await other.printed(/^Page +(\S+)$/m)
      const [, api] = await other.printed(/^Platform +(\S+)$/m)
      await other.printed(/Ctrl-C/)
      await Promise.all([beginRequest(address!), beginRequest(api!)])
      other.kill(signal)
      expect(await other.ended).toEqual({ code: 0, signal: null })
    },
  )

  it('ends with 0 when it is interrupted while the script runs', async () => {
    const other = runExample('start.mjs', ['--port=0'])
    await other.printed(/A Node script/)
    other.kill('SIGINT')
    expect((await other.ended).code).toBe(0)
    expect(other.output()).not.toContain('rxauth example:')
  })

  it('runs a script that ends by itself after its first emission', async () => {
    const script = runExample('first-emission.mjs', [], { NEXT_PUBLIC_STACK_API_URL: platform })
    await script.printed(/^first emission: /m)
    expect((await script.ended).code).toBe(0)
  })
})
