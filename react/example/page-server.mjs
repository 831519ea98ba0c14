import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Bundles the page and serves it on this machine; `config` is what the kit in the page is made with. */
export async function servePage({ port, config }) {
  const files = await bundle(config)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    // Every other address is the page, which looks at the address itself.
    const [type, body] = files.get(pathname) ?? files.get('/')
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  await listen(server, port)
  return {
    // Not 127.0.0.1: browsers tie passkeys to a name.
    url: `http://localhost:${server.address().port}/`,
    close: () =>
      new Promise(closed => {
        server.close(closed)
        server.closeAllConnections()
      }),
  }
}

async function bundle(config) {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['main.tsx', 'app.css'],
    entryNames: 'app',
    outdir: '.',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    // As in any app, `rxauth` is the built package; this repository's tsconfig.json would point to its sources.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'warning',
  })
  const textOf = ending => outputFiles.find(({ path }) => path.endsWith(ending)).text
  const html = await readFile(`${folder}/index.html`, 'utf8')
  return new Map([
    // A "<" could end the script element that the text stands in.
    ['/', ['text/html', html.replace('__CONFIG__', () => JSON.stringify(config).replaceAll('<', '\\u003c'))]],
    ['/app.js', ['text/javascript', textOf('.js')]],
    ['/app.css', ['text/css', textOf('.css')]],
  ])
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is in use: stop what listens there, or choose another one with --port`)
          : error,
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}
