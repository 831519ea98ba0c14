import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compilePrograms } from './compile'
import type { Compiled } from './compile'
import { allPrograms, isRunnable } from './programs'

const docs = join(dirname(fileURLToPath(import.meta.url)), '../..')
/** The module with the addresses of the programs. */
const addresses = 'virtual:programs'
const resolved = `\0${addresses}`

let compiled: Promise<Compiled> | undefined

/** The programs of the site, compiled once. */
function programs(): Promise<Compiled> {
  if (!existsSync(join(docs, '../dist/platform.js')))
    throw new Error('dist is missing, which programs of the site load: run `npm run build` first')
  return (compiled ??= compilePrograms(allPrograms(docs)))
}

/** Writes what programs load into the folder of the built site. */
export async function writePrograms({ outDir }: { readonly outDir: string }): Promise<void> {
  const { files } = await programs()
  await mkdir(join(outDir, 'run'), { recursive: true })
  for (const [name, contents] of files) await writeFile(join(outDir, 'run', name), contents)
}

/** The part of Vite's plugins that is used here. */
interface Module {
  readonly file: string
  readonly server: Server
}

interface Server {
  readonly config: { readonly base: string }
  readonly middlewares: {
    use(path: string, handler: (request: Request, response: Response, next: () => void) => void): void
  }
  readonly moduleGraph: { getModuleById(id: string): unknown; invalidateAll(): void }
  readonly ws: { send(message: { readonly type: 'full-reload' }): void }
}

interface Request {
  readonly url?: string
}

interface Response {
  setHeader(name: string, value: string): void
  end(body: Uint8Array): void
}

/** For Vite: the addresses of programs, and in development what they load. */
export function runPrograms() {
  return {
    name: 'run-programs',
    resolveId: (id: string) => (id === addresses ? resolved : undefined),
    async load(id: string) {
      if (id !== resolved) return undefined
      const { worker, programs: scripts } = await programs()
      return `export const worker = ${JSON.stringify(worker)}\nexport const programs = ${JSON.stringify(scripts)}`
    },
    configureServer({ config, middlewares }: Server) {
      middlewares.use(`${config.base}run`, (request, response, next) => {
        const name = request.url?.slice(1).replace(/\?.*$/, '') ?? ''
        void programs().then(({ files }) => {
          const contents = files.get(name)
          if (!contents) {
            next()
            return
          }
          response.setHeader('content-type', name.endsWith('.html') ? 'text/html' : 'text/javascript')
          response.end(contents)
        })
      })
    },
    handleHotUpdate({ file, server }: Module) {
      if (!isRunnable(relative(docs, file))) return
      compiled = undefined
      server.moduleGraph.invalidateAll()
      server.ws.send({ type: 'full-reload' })
    },
  }
}
