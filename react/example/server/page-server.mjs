import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** Serves the page as `vite` does: what you change in it is there at once. `/api` goes to the backend. */
export async function servePage({ port, watch, backendUrl, env }) {
  // What a .env file would say.
  Object.assign(process.env, env)
  const server = await createServer({
    configFile: fileURLToPath(new URL('../vite.config.mjs', import.meta.url)),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      // Not of files whose names begin like that.
      proxy: { '^/api/': backendUrl },
      ...(!watch && { watch: null, hmr: false }),
    },
  })
  await server.listen()
  // The first page then comes up as fast as every other one.
  await server.warmupRequest('/main.tsx')
  return {
    // Not 127.0.0.1: browsers tie passkeys to a name.
    url: `http://localhost:${server.httpServer.address().port}/`,
    close: () => server.close(),
  }
}
