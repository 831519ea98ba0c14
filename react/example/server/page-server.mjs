import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer, preview } from 'vite'

const shared = {
  configFile: fileURLToPath(new URL('../vite.config.mjs', import.meta.url)),
  logLevel: 'warn',
  clearScreen: false,
}

/** Variables of the environment that the page reads. */
const variables = [
  'VITE_PLATFORM_URL',
  'VITE_PROJECT_ID',
  'VITE_PUBLISHABLE_CLIENT_KEY',
  'VITE_INTERNAL_PUBLISHABLE_CLIENT_KEY',
  'VITE_MAILBOX_URL',
]

/**
 * Serves the page: what is changed in it is there at once, as with `vite`; or, from the folder of `buildPage`, as with
 * `vite preview`. `/api` goes to the backend.
 */
export async function servePage({ port, built, backendUrl, env }) {
  // Not of files whose names begin like that.
  const address = { host: '127.0.0.1', port, strictPort: true, proxy: { '^/api/': backendUrl } }
  const server = await (built === undefined ? serveWatched(address, env) : serveBuilt(built, address, env))
  return {
    // Not 127.0.0.1: browsers tie passkeys to a name.
    url: `http://localhost:${server.httpServer.address().port}/`,
    close: () => server.close(),
  }
}

async function serveWatched(address, env) {
  // These variables stand in for a .env file.
  Object.assign(process.env, env)
  const server = await createServer({ ...shared, server: address })
  await server.listen()
  // The first page then comes up as fast as every other one.
  await server.warmupRequest('/main.tsx')
  return server
}

/** Builds the page once for several platforms: it reads its environment when it is opened, not when it is built. */
export function buildPage(outDir) {
  const define = Object.fromEntries(
    variables.map(name => [`import.meta.env.${name}`, `globalThis.environment.${name}`]),
  )
  return build({
    ...shared,
    mode: process.env.NODE_ENV ?? 'production',
    define,
    build: { outDir, emptyOutDir: false, chunkSizeWarningLimit: Infinity },
  })
}

async function serveBuilt(outDir, address, env) {
  const html = await readFile(join(outDir, 'index.html'), 'utf8')
  const script = `<script>globalThis.environment = ${JSON.stringify(env)}</script>`
  const answer = html.replace('<head>', `<head>${script}`)
  const plugin = {
    name: 'environment',
    configurePreviewServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        // A megabyte takes longer to compress, for each new browser, than to send within this machine.
        delete request.headers['accept-encoding']
        if (request.headers.accept?.includes('text/html')) response.setHeader('content-type', 'text/html').end(answer)
        else next()
      })
    },
  }
  return preview({ ...shared, build: { outDir }, preview: address, plugins: [plugin] })
}
