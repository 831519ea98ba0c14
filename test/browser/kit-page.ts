import { build } from 'esbuild'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Platform } from 'rxauth/platform'

const root = join(__dirname, '../..')

/** A page with a built kit, at every path of a port of its own. */
export interface KitPage {
  /** `http://localhost:4321/` */
  readonly address: string
  close(): void
}

/** Serves `body` with `script`, which may import the built `rxauth` and gets the `config` of a kit on `baseUrl`. */
export async function serveKitPage(
  script: string,
  { platform, baseUrl, body = '' }: { readonly platform: Platform; readonly baseUrl: string; readonly body?: string },
): Promise<KitPage> {
  const { projectId, publishableClientKey } = platform.options
  const { outputFiles } = await build({
    stdin: {
      contents: `const config = ${JSON.stringify({ projectId, publishableClientKey, baseUrl })}\n${script}`,
      resolveDir: root,
    },
    alias: { rxauth: join(root, 'dist/index.js'), 'rxauth/react': join(root, 'dist/react/index.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  const html = `<!doctype html><title>kit</title>${body}<script type="module" src="/kit.js"></script>`
  const server = createServer(({ url }, response) => {
    const isScript = url === '/kit.js'
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? outputFiles[0]!.text : html)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
