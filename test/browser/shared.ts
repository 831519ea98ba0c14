import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { chromiumOptions } from './chromium'
import { buildApp, writeApps, type Framework } from '../frameworks/apps'
import { buildCopiedScreens, removeCopiedScreens } from './copied'

const run = promisify(execFile)
const root = join(__dirname, '../..')
const pageServer = pathToFileURL(join(__dirname, '../../react/example/server/page-server.mjs')).href

/** The variable with the address of what suites share; Jest's workers, which are separate processes, inherit it. */
const variable = 'RXAUTH_SHARED_URL'

/** The mode for which React and the page are built. */
export type Mode = 'production' | 'development'

/** Whose pages a suite opens: the example's, or those of a new app with copies of its screens. */
export type Screens = 'own' | 'copied'

/** The things that are made once for all suites. */
interface Shared {
  /** What a suite gets of it. */
  readonly address: string
  end(): Promise<unknown>
}

const makers = {
  async chromium(): Promise<Shared> {
    const server = await chromium.launchServer({ ...(await chromiumOptions()), host: '127.0.0.1' })
    return { address: server.wsEndpoint(), end: () => server.close() }
  },
  axe,
  site,
  production: () => pageOf('production'),
  // The same pages from the files that `rxauth add` copies.
  'copied-production': () => copied('production'),
  'copied-development': () => copied('development'),
  /** The apps of `test/frameworks`, each in a folder of its name. */
  frameworks: async (): Promise<Shared> => ({ address: await writeApps(), end: () => Promise.resolve() }),
  // With React's checks for development, such as effects that run twice; each page takes twice as long to load.
  development: () => pageOf('development'),
}

/** The script that checks pages, at an address: as text it would go through three processes for each page. */
async function axe(): Promise<Shared> {
  const script = await readFile(require.resolve('axe-core/axe.min.js'))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }).end(script)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const end = async () => {
    server.closeAllConnections()
    await new Promise(closed => server.close(closed))
  }
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/axe.js`, end }
}

/** The site, built for a folder: `npm run docs:build -- --base /rxauth/`. A server of files answers, as GitHub Pages does. */
async function site(): Promise<Shared> {
  const base = '/rxauth/'
  const folder = await mkdtemp(join(tmpdir(), 'rxauth-site-'))
  const env = { ...process.env, NODE_ENV: 'production' }
  await run('npm', ['run', 'docs:build', '--', '--base', base, '--outDir', folder], { cwd: root, env, maxBuffer: 1e8 })
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname.slice(base.length))
    const files = [path, `${path}.html`, `${path}index.html`].map(file => join(folder, file))
    const file = files.find(each => statSync(each, { throwIfNoEntry: false })?.isFile())
    const contentType = contentTypes[extname(file ?? '404.html')] ?? 'text/plain'
    response.writeHead(file ? 200 : 404, { 'content-type': contentType, 'cache-control': 'max-age=600' })
    response.end(readFileSync(file ?? join(folder, '404.html')))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const end = async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  }
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, end }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

async function builtApp(name: Framework): Promise<Shared> {
  const folder = await writtenFrameworks()
  await buildApp(folder, name)
  return { address: folder, end: () => Promise.resolve() }
}

async function pageOf(mode: Mode): Promise<Shared> {
  const folder = await mkdtemp(join(tmpdir(), 'rxauth-example-'))
  const script = `import { buildPage } from '${pageServer}'; await buildPage(${JSON.stringify(folder)})`
  await run(process.execPath, ['--input-type=module', '--eval', script], { env: { ...process.env, NODE_ENV: mode } })
  return { address: folder, end: () => rm(folder, { recursive: true }) }
}

async function copied(mode: Mode): Promise<Shared> {
  const address = await buildCopiedScreens(mode)
  return { address, end: () => removeCopiedScreens(address) }
}

/** One of them, or an app of `test/frameworks`, built. */
type Name = keyof typeof makers | `built-${Framework}`

const make = (name: Name) =>
  name in makers ? makers[name as keyof typeof makers]() : builtApp(name.slice('built-'.length) as Framework)

/** Makes each of them when the first suite asks for it; the returned function ends those that were made. */
export async function share(): Promise<() => Promise<void>> {
  const made = new Map<string, Promise<Shared>>()
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(1)
    const shared = made.get(name) ?? make(name as Name)
    made.set(name, shared)
    // A connection that a worker keeps may end during its next request.
    response.setHeader('connection', 'close')
    shared.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  process.env[variable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    for (const shared of made.values()) await (await shared).end()
  }
}

/** By `node:http`, which waits as long as a build takes: `fetch` gives up after five minutes without an answer. */
async function addressOf(name: Name): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${process.env[variable]}/${name}`, resolve).on('error', reject)
  })
  const address = await text(response)
  if (response.statusCode !== 200) throw new Error(address)
  return address
}

/** The folder of the example's page, as `start.mjs --built` takes it. `RXAUTH_LONG` runs all suites in development mode. */
export const builtPage = (mode: Mode, screens: Screens) => {
  const named = process.env['RXAUTH_LONG'] ? 'development' : mode
  return addressOf(screens === 'copied' ? `copied-${named}` : named)
}

/** The folder with the apps of the guides for Next.js, React Router and SvelteKit, which run in development mode. */
export const writtenFrameworks = () => addressOf('frameworks')

/** The same folder, once this app in it is built for production. */
export const builtFramework = (name: Framework) => addressOf(`built-${name}`)

/** The address of the built site. */
export const siteAddress = () => addressOf('site')

/** The address of the script of axe. */
export const axeAddress = () => addressOf('axe')

/** The address for a program that connects to the browser by itself. */
export const chromiumAddress = () => addressOf('chromium')

/** The browser of all suites. Closing it ends this connection, and the contexts that were opened through it. */
export async function openChromium(): Promise<Browser> {
  return chromium.connect(await chromiumAddress())
}

/** The contrast of two colours such as `rgb(91, 75, 219)` or `color(srgb 0.36 0.29 0.86)`. Source: WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const most = color.startsWith('color(srgb ') ? 1 : 255
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? [])
    .map(part => Number(part) / most)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
