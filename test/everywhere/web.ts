import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { chromiumOptions } from '../browser/chromium'
import { root } from '../package/sources'
import { inTime, NotHere } from './fetched'
import type { Options } from './programs'

/** The script of a page or a worker, over the built package. `packages`: the folder whose `node_modules` has the framework. */
export async function bundled(contents: string, options: Options, packages = root): Promise<string> {
  const framework = /^(react|react-dom|@angular)(\/|$)/
  const { outputFiles } = await build({
    stdin: { contents: `const options = ${JSON.stringify(options)}\n${contents}`, resolveDir: __dirname, loader: 'ts' },
    plugins: [
      {
        name: 'framework',
        setup({ onResolve, resolve }) {
          onResolve({ filter: framework }, ({ path, kind, pluginData }) =>
            pluginData === 'resolved'
              ? undefined
              : resolve(path, { kind, resolveDir: packages, pluginData: 'resolved' }),
          )
        },
      },
    ],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The paths of the repository's own configuration lead to the sources.
    tsconfigRaw: '{}',
  })
  return outputFiles[0]!.text
}

const imports = `
  import { cookieTokens, createClientApp } from 'rxauth'
  import { smoke } from './smoke'
  import { answerTabs, cached, otherTab, sharedTokens, tell, told } from './tabs'
`

/** Signs in in each way, by functions that the programs of other browsers call. */
const ways = `
  import { orThrow } from 'rxauth'
  import { totpCode } from 'rxauth/platform'
  globalThis.returns = 0
  addEventListener('pageshow', ({ persisted }) => (returns += persisted ? 1 : 0))
  if (location.pathname !== '/away') openApp()
  function openApp() {
    const app = createClientApp({ ...options, tokens: cookieTokens() })
    const main = document.querySelector('main')
    app.user$.subscribe(user => (main.textContent = user ? user.primaryEmail : 'signed out'))
    let secret
    const totp = () => totpCode(secret, Date.now())
    const useTotp = async () => {
      secret = (await app.startTotpEnrolment()).secret
      localStorage.setItem('secret', secret)
      orThrow(await app.enableTotp({ secret, totp: await totp() }))
    }
    const signIn = async input => {
      const result = await app.signInWithPassword(input)
      if (result.ok || result.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') return void orThrow(result)
      secret = Uint8Array.from(localStorage.getItem('secret').split(','), Number)
      orThrow(await app.continueSignIn({ totp: await totp() }))
    }
    if (location.pathname === '/handler/oauth-callback') app.handleOAuthCallback()
    Object.assign(globalThis, { app, orThrow, signIn, useTotp })
  }`

/** The scripts of the places in one page, each of which leaves its `result`. */
const scripts = {
  tab: `globalThis.result = smoke(createClientApp({ ...options, tokens: cookieTokens() }), otherTab)`,
  // The page is the other tab of its workers.
  'web worker': `
    globalThis.result = told()
    answerTabs(createClientApp({ ...options, tokens: sharedTokens(cached) }))
    new Worker('/worker.js', { type: 'module' })`,
  'service worker': `
    globalThis.result = told()
    answerTabs(createClientApp({ ...options, tokens: sharedTokens(cached) }))
    navigator.serviceWorker.register('/service-worker.js', { type: 'module' })`,
  Observable: `
    async function observed() {
      if (!('Observable' in globalThis)) throw new Error('this browser has no Observable')
      const app = createClientApp({ ...options, tokens: cookieTokens() })
      const names = []
      const controller = new AbortController()
      Observable.from(app.user$).subscribe(user => names.push(user?.displayName ?? null), { signal: controller.signal })
      await smoke(app)
      controller.abort()
      await new Promise(resolve => setTimeout(resolve))
      if (names.join() !== ',Ada,Countess,') throw new Error('it emitted ' + names.join())
      if (app.inspect().subscriptions !== 0) throw new Error('it keeps its subscription')
    }
    globalThis.result = observed()`,
  ways,
  // As at an insecure address.
  'ways without locks': `delete Navigator.prototype.locks\n${ways}`,
  React: `import { run } from './react'; globalThis.result = run(options)`,
  Angular: `import { run } from './angular'; globalThis.result = run(options)`,
}

const inWorker = `const run = () => tell(() => createClientApp({ ...options, tokens: sharedTokens(cached) }))`
const inTab = `answerTabs(createClientApp({ ...options, tokens: cookieTokens() }))`

export type PageKind = keyof typeof scripts

/** The pages of a place at an address of their own: `/page`, and `/other` for the other tab. */
export async function servePlace(kind: PageKind, options: Options, packages = root) {
  const at = (script: string) => bundled(`${imports}${script}`, options, packages)
  const files = new Map([
    ['/page.js', await at(scripts[kind])],
    ['/other.js', await at(inTab)],
    ['/worker.js', await at(`${inWorker}; run()`)],
    ['/service-worker.js', await at(`${inWorker}; addEventListener('install', event => event.waitUntil(run()))`)],
  ])
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url)
    const script = url === '/other' ? 'other.js' : 'page.js'
    const html = `<!doctype html><base href="/"><main></main><script type="module" src="${script}"></script>`
    response.writeHead(200, { 'content-type': file === undefined ? 'text/html' : 'text/javascript' }).end(file ?? html)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs the program in a page of this browser; `tab` opens the other tab first. */
export async function runInPage(browser: Browser, kind: PageKind, options: Options, packages = root) {
  const { address, close } = await servePlace(kind, options, packages)
  const context = await browser.newContext()
  try {
    if (kind === 'tab') await (await context.newPage()).goto(`${address}/other`, { waitUntil: 'load' })
    const page = await context.newPage()
    await runAt(page, `${address}/page`)
  } finally {
    await context.close()
    close()
  }
}

/** Opens the page at this address; rejects with its first error, which may leave it without a result, or with its result. */
export async function runAt(page: Page, address: string): Promise<void> {
  const failed = new Promise<string>(resolve => page.on('pageerror', error => resolve(String(error))))
  await page.goto(address, { waitUntil: 'load' })
  const result = page.evaluate<string | undefined>('result')
  const said = await inTime('the page', Promise.race([failed, result]))
  if (said !== undefined && said !== 'runs') throw new Error(said)
}

const inExtension = `
  ${imports}
  const storage = {
    getItem: async key => (await chrome.storage.local.get(key))[key] ?? null,
    setItem: (key, value) => chrome.storage.local.set({ [key]: value }),
    removeItem: key => chrome.storage.local.remove(key),
  }
  const app = createClientApp({ ...options, tokens: sharedTokens(storage) })
`

/** Runs the program in the background of an extension, whose page is the other tab. */
export async function runInExtension(options: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-extension-'))
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const manifest = {
    manifest_version: 3,
    name: 'rxauth',
    version: '1',
    permissions: ['storage'],
    host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
    background: { service_worker: 'background.js', type: 'module' },
  }
  write('manifest.json', JSON.stringify(manifest))
  write(
    'background.js',
    await bundled(
      `${inExtension}
        const start = new BroadcastChannel('start')
        start.onmessage = () => {
          start.close()
          tell(() => app)
        }`,
      options,
    ),
  )
  write('page.html', '<!doctype html><script type="module" src="page.js"></script>')
  // The background may not listen yet.
  const page = `globalThis.result = told()
    answerTabs(app)
    const start = new BroadcastChannel('start')
    setInterval(() => start.postMessage('start'), 200)`
  write('page.js', await bundled(`${inExtension}\n${page}`, options))
  let context: BrowserContext | undefined
  try {
    context = await withExtension(folder)
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 10_000 }))
    const tab = await context.newPage()
    await runAt(tab, new URL('page.html', worker.url()).href)
  } finally {
    await context?.close()
    rmSync(folder, { recursive: true })
  }
}

async function withExtension(folder: string): Promise<BrowserContext> {
  const { args = [], ...launch } = await chromiumOptions()
  // The package for tests is Chromium's headless shell, which is built without extensions.
  if (launch.executablePath?.endsWith('google-chrome')) throw new NotHere('Google Chrome loads no extension for a test')
  if (launch.executablePath?.startsWith(root))
    throw new NotHere('an installed Chromium is needed: that of `@sparticuz/chromium` is built without extensions')
  return chromium.launchPersistentContext('', {
    ...launch,
    headless: false,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...args, '--headless=new', `--load-extension=${folder}`, `--disable-extensions-except=${folder}`],
  })
}
