// Serves what React Router or SvelteKit has built in this folder, on a free port: what `react-router-serve` and `node build` do.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

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
}

const server = createServer()
server.listen(0, '127.0.0.1', async () => {
  const address = `http://127.0.0.1:${server.address().port}`
  // SvelteKit compares it with the Origin of forms.
  process.env.ORIGIN = address
  server.on('request', await handlers[process.argv[2]]())
  console.log(`Listening: ${address}`)
})
