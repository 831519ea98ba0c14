import { cookieTokens, createClientApp, systemClock } from 'rxauth'
import type { ClientApp, ClientOptions, Clock, Host } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import type { Platform, PlatformOptions, ProviderUser, VirtualClock, Wire } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { leavePages, showPage } from './page'
import { tabStorage, type TabStorage } from './tab-storage'
import { CookieJar, Channels, Locks } from './tabs'
import { ada, grace } from './world'

export const home = 'http://localhost:3000'
export const signInPage = `${home}/handler/sign-in`
export const callbackPage = `${home}/handler/oauth-callback`

/** One provider has its own keys, another one shared keys. */
export const github = { id: 'github', type: 'standard', clientId: 'Iv1.x', clientSecret: 's3cr3t' } as const
export const google = { id: 'google', type: 'shared' } as const

/** The user that signs in at the provider in most of these tests. */
export const mary = { email: 'mary@example.com', displayName: 'Mary' } as const

type Listener = (event: never) => void

/** A window of the browser, with one page of the app at a time. */
export interface Tab {
  /** The kit of the open page. */
  readonly app: ClientApp
  /** The address in the address bar; a router may change it. */
  href: string
  readonly storage: TabStorage
  readonly history: readonly string[]
  readonly isClosed: boolean
  /** The page's pending navigation; rejects if `leaving` does before. */
  left(leaving: Promise<never>): Promise<string>
  /** Loads a page: the former one ends, and a new kit starts. */
  load(href: string, options?: Partial<ClientOptions>): ClientApp
  /** Makes this window the active one: `window` and `document` are its own from now on. */
  focus(): void
  dispatch(type: string, event: object): void
  /** How many listeners for this event the page has. */
  listeners(type: string): number
  set(change: { readonly opener?: object }): void
}

export interface Web {
  readonly platform: Platform
  readonly clock: Clock
  readonly jar: CookieJar
  readonly channels: Channels
  /** The kits' requests to the platform: method, path, headers, body. */
  readonly sent: {
    readonly line: string
    readonly headers: Headers
    readonly body: string
    readonly redirect: string
  }[]
  open(href?: string, options?: Partial<ClientOptions>): Tab
  /** Follows the page's navigation to the app's next page, with the user's choice on the provider's page. */
  walk(url: string, person?: ProviderUser | 'refuses'): Promise<string>
  /** Stops at an answer without a redirect, or at an address of the app. */
  follow(url: string, init?: RequestInit): Promise<{ readonly url: string; readonly answer: Response | null }>
  close(): Promise<void>
}

export interface VirtualWeb extends Web {
  readonly clock: VirtualClock
}

type Config = NonNullable<NonNullable<PlatformOptions['seed']>['project']>['config']

type Users = NonNullable<NonNullable<PlatformOptions['seed']>['users']>

const seed = (config: Config, users: Users = [ada, grace]) => ({
  users,
  project: { config: { oauthProviders: [github, google], ...config } },
})

/** All in process and on one virtual clock. */
export function virtualWeb(
  config: Config = {},
  { users, ...options }: Pick<PlatformOptions, 'wire'> & { readonly users?: Users } = {},
): VirtualWeb {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: seed(config, users), ...options })
  return Object.assign(
    web(
      platform,
      clock,
      platform.options,
      request => platform.fetch(request),
      () => Promise.resolve(),
    ),
    { clock },
  )
}

/** The same on the system clock: in process or over HTTP. */
export async function realWeb(isOverHttp: boolean, config: Config = {}, wire: Wire = '2.8.18'): Promise<Web> {
  const platform = createPlatform({ wire, seed: seed(config) })
  if (!isOverHttp)
    return web(
      platform,
      systemClock,
      platform.options,
      request => platform.fetch(request),
      () => Promise.resolve(),
    )
  const server = await listen(platform, { port: 0 })
  const options = { ...platform.options, baseUrl: server.url, fetch: globalThis.fetch }
  return web(
    platform,
    systemClock,
    options,
    request => fetch(request),
    () => server.close(),
  )
}

function web(
  platform: Platform,
  clock: Clock,
  options: Platform['options'],
  send: (request: Request) => Promise<Response>,
  close: () => Promise<void>,
): Web {
  const jar = new CookieJar(clock)
  const locks = new Locks()
  const channels = new Channels()
  const sent: Web['sent'] = []
  const platformCookies = new Map<string, string>()
  const apps: ClientApp[] = []

  const kitFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    const body = request.body ? await request.clone().text() : ''
    sent.push({
      line: `${request.method} ${pathname.replace('/api/v1', '')}`,
      headers: request.headers,
      body,
      redirect: request.redirect,
    })
    return options.fetch(input, init)
  }

  async function follow(url: string, init: RequestInit = {}): ReturnType<Web['follow']> {
    if (new URL(url).origin === home) return { url, answer: null }
    const cookie = [...platformCookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await send(new Request(url, { redirect: 'manual', ...init, headers: { cookie } }))
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') platformCookies.delete(name)
      else platformCookies.set(name, value)
    }
    const location = answer.headers.get('location')
    return location === null ? { url, answer } : follow(new URL(location, url).href)
  }

  return {
    platform,
    clock,
    jar,
    channels,
    sent,
    follow,
    async walk(url, person = mary) {
      const page = await follow(url)
      if (!page.answer) throw new Error(`came back without a provider: ${page.url}`)
      const html = await page.answer.text()
      if (!html.includes('<form')) throw new Error(`no page of a provider: ${page.answer.status} ${html}`)
      const scopes = [...html.matchAll(/name="scope" value="([^"]*)"/g)].map(([, scope]) => scope!)
      const form = new URLSearchParams({ who: '', decision: person === 'refuses' ? 'refuse' : 'allow' })
      if (person !== 'refuses') {
        form.set('email', person.email)
        if (person.displayName) form.set('name', person.displayName)
        if (person.accountId) form.set('account_id', person.accountId)
        if (person.verified !== false) form.set('verified', 'on')
      }
      const agreed = (person !== 'refuses' && person.scopes) || scopes
      for (const scope of agreed) form.append('scope', scope)
      const end = await follow(page.url, { method: 'POST', body: form })
      if (end.answer) throw new Error(`did not come back: ${end.answer.status} ${await end.answer.text()}`)
      return end.url
    },
    open(href = signInPage, given = {}) {
      const tab = new Page(
        (at, life) => ({ cookies: jar.on(at), locks: locks.of(life), channel: channels.of(life) }),
        life => {
          locks.release(life)
          channels.release(life)
        },
        kit => {
          const app = createClientApp({ ...options, fetch: kitFetch, clock, tokens: cookieTokens(), ...kit })
          apps.push(app)
          return app
        },
        given,
      )
      tab.load(href)
      return tab
    },
    async close() {
      for (const app of apps) app.dispose()
      leavePages()
      await close()
    },
  }
}

class Page implements Tab {
  app!: ClientApp
  href = ''
  readonly storage = tabStorage()
  readonly history: string[] = []
  isClosed = false
  readonly #hostAt: (href: string, life: object) => Host
  readonly #end: (life: object) => void
  readonly #createApp: (options: Partial<ClientOptions>) => ClientApp
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #given: Partial<ClientOptions>
  readonly #window: Record<string, unknown>
  /** Those of the open page. */
  #life = {}
  #go!: (url: string) => void
  #gone!: Promise<string>

  constructor(
    hostAt: (href: string, life: object) => Host,
    end: (life: object) => void,
    createApp: (options: Partial<ClientOptions>) => ClientApp,
    given: Partial<ClientOptions>,
  ) {
    this.#given = given
    this.#hostAt = hostAt
    this.#end = end
    this.#createApp = createApp
    const read = () => new URL(this.href)
    this.#window = {
      location: {
        get href() {
          return read().href
        },
        get origin() {
          return read().origin
        },
        get protocol() {
          return read().protocol
        },
      },
      history: {
        state: { router: 'its own' },
        replaceState: (state: unknown, _: string, url: string) => {
          this.href = new URL(url, this.href).href
          this.history.push(`${JSON.stringify(state)} ${this.href}`)
        },
      },
      opener: null,
      close: () => {
        this.isClosed = true
      },
      addEventListener: (type: string, listener: Listener, options?: { readonly signal?: AbortSignal }) => {
        const all = this.#listeners.get(type) ?? new Set()
        this.#listeners.set(type, all.add(listener))
        options?.signal?.addEventListener('abort', () => all.delete(listener))
      },
      removeEventListener: (type: string, listener: Listener) => this.#listeners.get(type)?.delete(listener),
    }
  }

  /** For the opening and the opened page. */
  get window(): object {
    return this.#window
  }

  load(href: string, options: Partial<ClientOptions> = {}): ClientApp {
    this.href = href
    this.#listeners.clear()
    this.#end(this.#life)
    this.#life = {}
    this.#gone = new Promise(resolve => {
      this.#go = resolve
    })
    this.focus()
    const { host, ...rest } = { ...this.#given, ...options }
    this.app = this.#createApp({
      navigate: url => this.#go(url),
      ...rest,
      host: { ...this.#hostAt(href, this.#life), sessionStorage: this.storage, ...host },
    })
    return this.app
  }

  left(leaving: Promise<never>): Promise<string> {
    return Promise.race([this.#gone, leaving])
  }

  focus(): void {
    showPage(this.#window)
  }

  dispatch(type: string, event: object): void {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(event as never)
  }

  listeners(type: string): number {
    return this.#listeners.get(type)?.size ?? 0
  }

  set({ opener }: { readonly opener?: object }): void {
    this.#window['opener'] = opener ?? null
  }
}

/** A parameter of an address. */
export function parameter(url: string, name: string): string | null {
  return new URL(url).searchParams.get(name)
}
