import { build } from 'esbuild'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { blockOf } from '../docs/pasted'
import { freshApp, type FreshApp } from '../package/fresh-app'
import { askAll, broughtOf } from './asking'
import { inTime, serving } from './fetched'
import type { Options } from './programs'
import { ada } from './smoke'

/** An app with the package and the patterns of servers. */
async function withServer(run: (app: FreshApp) => Promise<void>): Promise<void> {
  const app = freshApp()
  try {
    app.write('package.json', '{ "name": "app", "type": "module" }')
    copyFileSync(join(__dirname, 'patterns.ts'), join(app.folder, 'patterns.ts'))
    await run(app)
  } finally {
    app.remove()
  }
}

/** The script of a file of the app, over the built package as this runtime resolves it. */
async function scriptOf(app: FreshApp, file: string, format: 'esm' | 'iife', conditions: string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(app.folder, file)],
    bundle: true,
    write: false,
    format,
    target: 'es2022',
    conditions,
    define: { 'process.env.NODE_ENV': '"production"' },
    // The paths of the repository's own configuration lead to the sources.
    tsconfigRaw: '{}',
  })
  return outputFiles[0]!.text
}

const answering = (options: Options) => `
import { patternsOn } from './patterns.ts'
const options = ${JSON.stringify(options)}
const answer = patternsOn(options)
`

/** Asks for all patterns of a server that this command serves. */
export function servedBy(program: string, given: readonly string[], options: Options, platform: Platform) {
  return withServer(async app => {
    app.write(
      'server.ts',
      `${answering(options)}
      const at = { port: 0, hostname: '127.0.0.1' }
      const server = globalThis.Bun
        ? Bun.serve({ ...at, fetch: answer })
        : Deno.serve({ ...at, onListen: () => undefined }, answer)
      console.log('http://127.0.0.1:' + (server.port ?? server.addr.port))`,
    )
    await serving(program, [...given, 'server.ts'], app.folder, address => askAll(address, platform))
  })
}

/** Runs a start script in the folder into which npm has put the runtime. */
async function started(folder: string, start: string, run: (address: string) => Promise<void>) {
  const file = join(folder, 'start.mjs')
  writeFileSync(file, start)
  await serving(process.execPath, [file], folder, run)
}

/** What workerd is started with; `bindings` are the variables and secrets of the worker. */
interface Worker {
  readonly compatibilityDate: string
  readonly compatibilityFlags?: readonly string[]
  readonly bindings?: Readonly<Record<string, string>>
  /** The classes of Durable Objects by the names of their bindings. */
  readonly durableObjects: Readonly<Record<string, string>>
}

function startWorkerd(script: string, worker: Worker): string {
  return `
import { Miniflare } from 'miniflare'
const miniflare = new Miniflare(${JSON.stringify({ modules: true, script, ...worker })})
process.on('SIGTERM', () => miniflare.dispose().then(() => process.exit()))
console.log(String(await miniflare.ready))`
}

const workerConditions = ['workerd', 'worker', 'browser']

/** Asks for all patterns of a worker, then for changes: of a Durable Object, and of the worker itself, which refuses them. */
export function runWorker(folder: string, compatibilityDate: string, options: Options, platform: Platform) {
  return withServer(async app => {
    app.write(
      'worker.ts',
      `${answering(options)}
      import { changes, createServerApp } from 'rxauth/server'
      const server = createServerApp(options)
      const webhookSecret = ${JSON.stringify(platform.webhooks.secret)}
      export class Live {
        live = changes(server, { webhookSecret })
        fetch(request) { return request.method === 'POST' ? this.live.receive(request) : this.live.stream(request) }
      }
      let refused, plain
      try { changes(server, { webhookSecret }) } catch ({ message }) { refused = message }
      export default {
        async fetch(request, { LIVE }) {
          const { pathname } = new URL(request.url)
          if (pathname === '/live') return LIVE.get(LIVE.idFromName('live')).fetch(request)
          if (pathname !== '/plain') return answer(request)
          try {
            plain ??= changes(server, { webhookSecret })
            await plain.receive(request)
            return new Response(refused)
          } catch ({ message }) {
            return new Response(message)
          }
        },
      }`,
    )
    const script = await scriptOf(app, 'worker.ts', 'esm', workerConditions)
    const worker = { compatibilityDate, durableObjects: { LIVE: 'Live' } }
    await started(folder, startWorkerd(script, worker), async address => {
      await askAll(address, platform)
      await toldOf(platform, new URL('/live', address))
      const plain = [1, 2].map(async () => (await fetch(new URL('/plain', address), { method: 'POST' })).text())
      for (const text of await Promise.all(plain))
        if (!text.includes('constructor of a Durable Object')) throw new Error(`changes in a plain worker: "${text}"`)
    })
  })
}

/** What wrangler reads of its configuration. */
interface Settings {
  readonly compatibility_date: string
  readonly compatibility_flags: readonly string[]
  readonly durable_objects: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] }
}

/** Runs the worker of the guide. */
export function runGuide(folder: string, options: Options, platform: Platform) {
  return withServer(async app => {
    const page = 'docs/guides/cloudflare-workers.md'
    const code = (file: string) => blockOf(page, { file }).code
    app.write('src/index.ts', code('src/index.ts'))
    const script = await scriptOf(app, 'src/index.ts', 'esm', workerConditions)
    const settings = JSON.parse(code('wrangler.jsonc')) as Settings
    const variables = Object.fromEntries(
      code('.dev.vars')
        .trim()
        .split('\n')
        .map(line => line.split('=') as [string, string]),
    )
    const worker = {
      compatibilityDate: settings.compatibility_date,
      compatibilityFlags: settings.compatibility_flags,
      durableObjects: Object.fromEntries(
        settings.durable_objects.bindings.map(({ name, class_name: className }) => [name, className]),
      ),
      // The address alone differs: that of the platform of this test.
      bindings: {
        ...variables,
        STACK_API_URL: options.baseUrl as string,
      },
    }
    await started(folder, startWorkerd(script, worker), async address => {
      await visit(address)
      await toldOf(platform, new URL('/api/changes', address))
      await leave(address, platform)
    })
  })
}

const wants = (what: string, isRight: boolean) => {
  if (!isRight) throw new Error(`the worker of the guide: ${what}`)
}

/** Signs in by the form of the page, thrice at once, and shows the page of the user. */
async function visit(address: string): Promise<void> {
  const { origin } = new URL(address)
  const body = () => new URLSearchParams({ email: ada.email, password: ada.password })
  const signIn = () =>
    fetch(new URL('/sign-in', address), { method: 'POST', body: body(), headers: { origin }, redirect: 'manual' })
  for (const { status, headers } of await Promise.all([signIn(), signIn(), signIn()])) {
    wants(`a sign-in answers ${status}`, status === 303)
    const cookie = headers.getSetCookie().map(line => line.split(';')[0]!)
    const page = await fetch(address, { headers: { cookie: cookie.join('; ') } })
    wants('the page does not show the user', (await page.text()).includes('Signed in as Ada'))
  }
  wants('the page shows no form', (await (await fetch(address)).text()).includes('name="password"'))
}

/** Asks the API with a token and without, and signs out. */
async function leave(address: string, platform: Platform): Promise<void> {
  const { cookies, token } = await broughtOf(platform)
  const api = new URL('/api/me', address)
  const [refused, answered] = await Promise.all([fetch(api), fetch(api, { headers: token })])
  wants(`the API answers ${refused.status} without a token`, refused.status === 401)
  wants(`the API answers ${answered.status} with one`, answered.status === 200)
  const headers = { ...cookies, origin: new URL(address).origin }
  const left = await fetch(new URL('/sign-out', address), { method: 'POST', headers, redirect: 'manual' })
  wants('a sign-out keeps the cookies', left.status === 303 && left.headers.getSetCookie().length > 0)
}

/** Opens two streams, of which one leaves, and a third one later; the others are told of every change. */
async function toldOf(platform: Platform, url: URL): Promise<void> {
  const remove = platform.webhooks.add({ url: url.href })
  const { token } = await broughtOf(platform)
  const controllers: AbortController[] = []
  const open = async () => {
    const controller = new AbortController()
    controllers.push(controller)
    const { body, status } = await fetch(url, { headers: token, signal: controller.signal })
    if (status !== 200 || !body) throw new Error(`a stream of changes answers ${status}`)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return {
      controller,
      async hears(name: string) {
        while (!text.includes(name)) text += (await reader.read()).value ?? ''
        text = ''
      },
    }
  }
  const server = createServerApp(platform.serverOptions)
  const [user] = (await server.users$().get()).items.filter(({ displayName }) => displayName === ada.displayName)
  const happens = () => server.updateUserById({ userId: user!.id, displayName: ada.displayName })
  try {
    const [first, second] = [await open(), await open()]
    const heard = Promise.all([first.hears('user.updated'), second.hears('user.updated')])
    await happens()
    await inTime('the first change', heard, 20_000)
    first.controller.abort()
    const third = await open()
    const again = Promise.all([second.hears('user.updated'), third.hears('user.updated')])
    await happens()
    await inTime('the second change', again, 20_000)
  } finally {
    for (const controller of controllers) controller.abort()
    remove()
    server.dispose()
  }
}

/** Asks for all patterns of a script in the edge runtime that Vercel publishes. */
export function runEdge(folder: string, options: Options, platform: Platform) {
  return withServer(async app => {
    app.write(
      'edge.ts',
      `${answering(options)}
      addEventListener('fetch', event => event.respondWith(answer(event.request)))`,
    )
    const script = await scriptOf(app, 'edge.ts', 'iife', ['edge-light', 'worker', 'browser'])
    const start = `
import { EdgeRuntime, runServer } from 'edge-runtime'
const server = await runServer({ runtime: new EdgeRuntime({ initialCode: ${JSON.stringify(script)} }), port: 0, host: '127.0.0.1' })
console.log(server.url)`
    await started(folder, start, address => askAll(address, platform))
  })
}
