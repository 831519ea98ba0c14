import { JSDOM } from 'jsdom'
import { Writable } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { StrictMode, Suspense, type ReactElement, type ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { cookieTokens, createClientApp, dehydrate, requestTokens } from 'rxauth'
import type { ClientApp, ClientOptions, Dehydrated, Store } from 'rxauth'
import { createPlatform, virtualClock, type Platform, type PlatformOptions } from 'rxauth/platform'
import { AuthProvider } from 'rxauth/react'
import { createServerApp, type RequestApp, type ServerApp } from 'rxauth/server'
import { CookieJar } from '../tabs'
import { ada, grace } from '../world'
import { Boundary } from './harness'

const address = 'http://app.example/'

/** What a page shows, and what React said about it. */
export interface Shown {
  readonly container: Element
  /** What `onRecoverableError` got: the message, and that of the cause. */
  readonly recovered: string[]
  /** The text after each change of the document. */
  readonly frames: string[]
  text(): string
  /** The text, once React shows no fallback any more: it delays what follows one, by its own timers. */
  textAtLast(): Promise<string>
  rerender(tree: ReactElement): Promise<void>
  unmount(): void
}

/** A platform, its users' browser, and a server that renders for it, on one virtual clock. Needs the environment of Node. */
export interface Served {
  readonly clock: ReturnType<typeof virtualClock>
  readonly platform: Platform
  readonly server: ServerApp
  /** What React has printed. */
  readonly reports: readonly string[]
  /** Requests to the platform, since the last look. */
  requests(): string[]
  /** The browser's cookies as the header of a request. */
  cookies(): string
  readonly jar: CookieJar
  /** The app of a module in the server's process, which has no tokens. */
  readonly moduleApp: ClientApp
  /** An app in the browser, with its cookies. */
  browserApp(options?: Partial<ClientOptions>): ClientApp
  requestApp(): RequestApp
  signIn(who: { readonly email: string; readonly password: string }): Promise<void>
  /** Runs what is ready. */
  pass(millis?: number): Promise<void>
  /** Runs what is ready until the promise has settled. */
  until<T>(promise: Promise<T>): Promise<T>
  /** What a server component writes for the stores of the request's app. */
  dehydrated(stores: (app: RequestApp) => readonly Store<unknown>[]): Promise<Dehydrated>
  /** The markup of a server, and the codes or messages of what it threw. */
  render(
    tree: ReactElement,
    signal?: AbortSignal,
  ): Promise<{ readonly html: string; readonly errors: readonly string[] }>
  /** Hydrates the markup in a browser. */
  hydrate(html: string, tree: ReactElement): Promise<Shown>
  close(): Promise<void>
}

/** One process renders for the server and for the browser here. */
const twoRenderers = 'Detected multiple renderers concurrently rendering the same context provider'

export async function served(options: { readonly platform?: PlatformOptions } = {}): Promise<Served> {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada, grace] }, ...options.platform })
  const asked: string[] = []
  platform.requests$.subscribe(({ method, path }) => asked.push(`${method} ${path}`))
  const jar = new CookieJar(clock)
  const host = { cookies: jar.on(address) }
  const server = createServerApp(platform.serverOptions)
  const open: (() => unknown)[] = []
  const reports: string[] = []
  const spy = jest.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(said).join(' ')
    if (!text.includes(twoRenderers)) reports.push(text)
  })
  const client = (given: Partial<ClientOptions>) => {
    const app = createClientApp({ ...platform.options, tokens: cookieTokens(), ...given })
    open.push(() => app.dispose())
    return app
  }
  const turn = async () => {
    await clock.advance(0)
    await macrotask()
  }
  const pass = async (millis = 0) => {
    await clock.advance(millis)
    for (let turns = 0; turns < 20; turns++) await turn()
  }
  async function until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const note = () => void (isSettled = true)
    promise.then(note, note)
    for (let turns = 0; turns < 200 && !isSettled; turns++) await turn()
    // Attempts wait before they are repeated.
    for (let seconds = 0; seconds < 60 && !isSettled; seconds++) await pass(1000)
    if (!isSettled) throw new Error('this promise needs time to pass')
    return promise
  }
  const requestApp = () => server.withTokens(requestTokens({ headers: { cookie: host.cookies.get() } }))
  const moduleApp = client({})
  return {
    clock,
    platform,
    server,
    jar,
    moduleApp,
    pass,
    until,
    reports,
    requests: () => asked.splice(0),
    cookies: () => host.cookies.get(),
    browserApp: (given = {}) => client({ ...given, host: { ...host, ...given.host } }),
    requestApp,
    async signIn({ email, password }) {
      const app = client({ host })
      await until(app.signInWithPassword({ email, password }))
      asked.length = 0
    },
    async dehydrated(stores) {
      const app = requestApp()
      try {
        // As text, on its way to the page.
        return JSON.parse(JSON.stringify(await until(dehydrate(app, stores(app))))) as Dehydrated
      } finally {
        app.dispose()
      }
    },
    async render(tree, signal) {
      const errors: string[] = []
      const html = await until(
        new Promise<string>((resolve, reject) => {
          const chunks: string[] = []
          const sink = new Writable({
            write(chunk: Buffer, _, done) {
              chunks.push(String(chunk))
              done()
            },
            final(done) {
              resolve(chunks.join(''))
              done()
            },
          })
          const stream = renderToPipeableStream(tree, {
            onError: error => void errors.push(said(error)),
            onShellError: reject,
            onAllReady: () => stream.pipe(sink),
          })
          signal?.addEventListener('abort', () => stream.abort(signal.reason))
        }),
      )
      return { html, errors }
    },
    async hydrate(html, tree) {
      const dom = inBrowser(html)
      open.push(dom.close)
      const { container } = dom
      const recovered: string[] = []
      const frames: string[] = []
      const observer = new dom.window.MutationObserver(() => void frames.push(container.textContent))
      observer.observe(container, { childList: true, subtree: true, characterData: true, attributes: true })
      // Loaded when there is a document: it looks once.
      const { hydrateRoot } = await import('react-dom/client')
      const root = hydrateRoot(container, tree, {
        onRecoverableError: error => void recovered.push(said(error) + saidByCause(error)),
      })
      open.push(() => {
        root.unmount()
        return pass()
      })
      await pass()
      return {
        container,
        recovered,
        frames,
        text: () => container.textContent,
        async textAtLast() {
          for (let waits = 0; waits < 1000 && container.textContent.includes('loading'); waits++) {
            await clock.advance(0)
            await new Promise(resolve => dom.window.setTimeout(resolve, 10))
          }
          return container.textContent
        },
        async rerender(next) {
          root.render(next)
          await pass()
        },
        unmount: () => root.unmount(),
      }
    },
    async close() {
      for (const end of open.splice(0).reverse()) await end()
      spy.mockRestore()
    },
  }
}

/** The page of an app: provider, error boundary, fallback. */
export function servedPage(
  app: ClientApp,
  state: Dehydrated | Promise<Dehydrated> | undefined,
  children: ReactNode,
  { strict = false } = {},
): ReactElement {
  const tree = (
    <AuthProvider app={app} {...(state && { state })}>
      <Boundary>
        <Suspense fallback={<i>loading</i>}>{children}</Suspense>
      </Boundary>
    </AuthProvider>
  )
  return strict ? <StrictMode>{tree}</StrictMode> : tree
}

function said(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return code ?? message ?? (typeof error === 'string' ? error : JSON.stringify(error))
}

function saidByCause(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown }
  return cause === undefined ? '' : `: ${said(cause)}`
}

/** React's scheduler runs in macrotasks of the real machine. */
function macrotask(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', () => {
      port1.close()
      resolve()
    })
    port2.postMessage(null)
  })
}

/** A document with the markup of a server, whose inline scripts have run. */
function inBrowser(html: string) {
  const dom = new JSDOM(`<!doctype html><body><div id="root">${html}</div></body>`, {
    url: address,
    runScripts: 'dangerously',
  })
  const { window } = dom
  const given = {
    window,
    document: window.document,
    MutationObserver: window.MutationObserver,
    IS_REACT_ACT_ENVIRONMENT: false,
  }
  Object.assign(globalThis, given)
  return {
    window,
    container: window.document.querySelector('#root')!,
    close() {
      for (const name of Object.keys(given)) Reflect.deleteProperty(globalThis, name)
      window.close()
    },
  }
}
