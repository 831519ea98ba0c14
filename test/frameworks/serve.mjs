// Serves what a framework has built in this folder, on a free port: as `react-router-serve` and `node build` do, or as the `server.js`
// of Next.js behind a proxy.
import { cpSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const built = path => import(pathToFileURL(join(process.cwd(), 'build', path)).href)

const handlers = {
  async 'react-router'() {
    const [{ createRequestListener }, { default: sirv }, build] = await Promise.all([
      import('@react-router/node'),
      import(require.resolve('sirv')),
      built('server/index.js'),
    ])
    const page = createRequestListener({ build, mode: 'production' })
    const files = sirv('build/client', { immutable: true, maxAge: 31_536_000 })
    return (request, response) => files(request, response, () => page(request, response))
  },
  sveltekit: async () => (await built('handler.js')).handler,
  async standalone() {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const folder = join('.next/standalone', relative(root, process.cwd()))
    // As the manual of Next.js says.
    cpSync('public', join(folder, 'public'), { recursive: true })
    cpSync('.next/static', join(folder, '.next/static'), { recursive: true })
    const port = await freePort()
    Object.assign(process.env, { PORT: port, HOSTNAME: '127.0.0.1' })
    require(join(process.cwd(), folder, 'server.js'))
    while (!(await listens(port))) await setTimeout(50)
    // As nginx and other proxies do it: the server knows its own address, and reads that of the browser in headers.
    return (incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const forwarded = {
        'x-forwarded-host': headers.host,
        'x-forwarded-proto': 'http',
        'x-forwarded-for': '192.0.2.1',
      }
      const given = { ...headers, ...forwarded, host: `127.0.0.1:${port}` }
      const onward = ask({ port, host: '127.0.0.1', method, path, headers: given }, response => {
        outgoing.writeHead(response.statusCode, response.headers)
        response.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      incoming.pipe(onward)
    }
  },
}

const server = createServer()
server.listen(0, '127.0.0.1', async () => {
  const address = `http://127.0.0.1:${server.address().port}`
  // SvelteKit compares it with the Origin of forms.
  process.env.ORIGIN = address
  server.on('request', await handlers[process.argv[2]]())
  console.log(`Listening: ${address}`)
})

async function freePort() {
  const probe = createServer()
  await new Promise(listening => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address()
  await new Promise(closed => probe.close(closed))
  return port
}

const listens = port =>
  new Promise(known => {
    const socket = connect(port, '127.0.0.1', () => known(true) || socket.end()).on('error', () => known(false))
  })
