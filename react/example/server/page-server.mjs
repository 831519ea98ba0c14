import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer, preview } from 'vite'

const shared = {
  configFile: fileURLToPath(new URL('../vite.config.mjs', import.meta.url)),
  logLevel: 'warn',
  clearScreen: false,
}

/**
 * Serves the page: what is changed in it while it is watched is there at once, as with `vite`; else it is built once, as
 * with `vite build` and `vite preview`. `/api` goes to the backend.
 */
export async function servePage({ port, watch, backendUrl, env }) {
  // What a .env file would say.
  Object.assign(process.env, env)
  // Not of files whose names begin like that.
  const address = { host: '127.0.0.1', port, strictPort: true, proxy: { '^/api/': backendUrl } }
  const folder = watch ? undefined : await mkdtemp(join(tmpdir(), 'rxauth-example-'))
  const server = await (folder === undefined ? serveWatched(address) : serveBuilt(folder, address))
  return {
    // Not 127.0.0.1: browsers tie passkeys to a name.
    url: `http://localhost:${server.httpServer.address().port}/`,
    async close() {
      await server.close()
      if (folder) await remove(folder)
    },
  }
}

async function serveWatched(address) {
  const server = await createServer({ ...shared, server: address })
  await server.listen()
  // The first page then comes up as fast as every other one.
  await server.warmupRequest('/main.tsx')
  return server
}

async function serveBuilt(outDir, address) {
  try {
    // Of development too: React then checks what it checks while an app is written, such as effects that run twice.
    const mode = process.env.NODE_ENV ?? 'production'
    await build({
      ...shared,
      mode,
      build: { outDir, emptyOutDir: false, minify: false, chunkSizeWarningLimit: Infinity },
    })
    return await preview({ ...shared, build: { outDir }, preview: address })
  } catch (error) {
    await remove(outDir)
    throw error
  }
}

function remove(folder) {
  return rm(folder, { recursive: true, force: true })
}
