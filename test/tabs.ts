import { cookieTokens, createClientApp, type ClientApp, type ClientOptions, type Clock, type Host } from 'rxauth'
import { createPlatform, virtualClock, type Platform, type PlatformOptions } from 'rxauth/platform'
import { BehaviorSubject } from 'rxjs'
import { readAccessToken } from '../src/transport/access-token'
import { ada, grace } from './world'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly isHostOnly: boolean
  readonly path: string
  readonly isSecure: boolean
  /** Partitioned: stored apart from other cookies of the same name, for the site of the window. */
  readonly isPartitioned: boolean
  readonly partition: string
  /** Null: until the browser is closed. */
  readonly expiresAt: number | null
  readonly order: number
}

/** Browsers drop a cookie whose name and value are longer. */
const maxCookieBytes = 4096

/** A browser's cookies, with the relevant rules: visibility, expiry and deletion. */
export class CookieJar {
  readonly #clock: Clock
  #cookies: Cookie[] = []
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `document.cookie` of a page; `around`: of one in a frame of this window, which browsers allow partitioned cookies only. */
  on(address: string, around = address): NonNullable<Host['cookies']> {
    const { hostname, pathname, protocol } = new URL(address)
    const partition = siteOf(around)
    const isForeign = partition !== siteOf(address)
    const isSafe = protocol === 'https:' || hostname === 'localhost'
    return {
      get: () =>
        this.#alive()
          .filter(cookie => isSeen(cookie, hostname, pathname) && (!cookie.isSecure || isSafe))
          .filter(cookie => (cookie.isPartitioned ? cookie.partition === partition : !isForeign))
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
      set: text => {
        if (!isForeign || /samesite=none; partitioned/i.test(text))
          this.#set(text, hostname, pathname, isSafe, partition)
      },
    }
  }

  /** The browser is closed: cookies without an age are gone. */
  end(): void {
    this.#cookies = this.#cookies.filter(({ expiresAt }) => expiresAt !== null)
  }

  /** Every cookie with its attributes. */
  get all(): readonly Omit<Cookie, 'order'>[] {
    return this.#alive().map(({ order: _, ...cookie }) => cookie)
  }

  #alive(): Cookie[] {
    this.#cookies = this.#cookies.filter(({ expiresAt }) => expiresAt === null || expiresAt > this.#clock.now())
    return [...this.#cookies].sort((a, b) => b.path.length - a.path.length || a.order - b.order)
  }

  #set(text: string, hostname: string, pathname: string, isSafe: boolean, site: string): void {
    const [pair = '', ...attributes] = text.split(';').map(part => part.trim())
    const equals = pair.indexOf('=')
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
    if (pair.length > maxCookieBytes) return
    const given = new Map(
      attributes.map(attribute => [attribute.split('=')[0]!.toLowerCase(), attribute.split('=')[1]]),
    )
    const domain = given.get('domain')?.replace(/^\./, '')
    if (domain !== undefined && hostname !== domain && !hostname.endsWith(`.${domain}`)) return
    const maxAge = given.get('max-age')
    const expires = given.get('expires')
    const isSecure = given.has('secure')
    const isPartitioned = given.has('partitioned')
    // Browsers give no error.
    if ((isPartitioned && !isSecure) || (isSecure && !isSafe)) return
    const partition = isPartitioned ? site : ''
    const isOfHost = isSecure && domain === undefined && given.get('path') === '/'
    if (name.startsWith('__Host-') && !isOfHost) return
    const cookie = {
      name,
      value,
      domain: domain ?? hostname,
      isHostOnly: domain === undefined,
      path: given.get('path') ?? (pathname.slice(0, pathname.lastIndexOf('/')) || '/'),
      isSecure,
      isPartitioned,
      partition,
      expiresAt:
        maxAge !== undefined ? this.#clock.now() + Number(maxAge) * 1000 : expires ? Date.parse(expires) : null,
    }
    const isSame = (other: Cookie) =>
      (['name', 'domain', 'isHostOnly', 'path', 'partition'] as const).every(key => other[key] === cookie[key])
    const before = this.#cookies.find(isSame)
    this.#cookies = [
      ...this.#cookies.filter(other => !isSame(other)),
      { ...cookie, order: before?.order ?? ++this.#made },
    ]
  }
}

/** As of hosts like `app.example.com`. */
function siteOf(address: string): string {
  return new URL(address).hostname.split('.').slice(-2).join('.')
}

function isSeen({ domain, isHostOnly, path }: Cookie, hostname: string, pathname: string): boolean {
  const isOurs = hostname === domain || (!isHostOnly && hostname.endsWith(`.${domain}`))
  return isOurs && (path === '/' || pathname === path || pathname.startsWith(`${path}/`))
}

interface Asking {
  readonly tab: object
  readonly grant: () => Promise<unknown>
  /** The lock is stolen; its work continues. */
  readonly rob: () => void
}

/** The browser's locks: exclusive, in the order of the requests, released when their tab closes. */
export class Locks {
  readonly #queues = new Map<string, Asking[]>()
  /** Names of the held locks. */
  readonly held = new Set<string>()
  #holders = new Map<string, Asking>()

  /** `navigator.locks` of one tab. */
  of(tab: object): Pick<LockManager, 'request'> {
    const request = async (
      name: string,
      options: LockOptions,
      callback: (lock: Lock | null) => Promise<unknown>,
    ): Promise<unknown> => {
      options.signal?.throwIfAborted()
      if (options.ifAvailable && (this.#holders.has(name) || this.#queue(name).length > 0)) {
        await Promise.resolve()
        return callback(null)
      }
      return new Promise((resolve, reject) => {
        const asking: Asking = {
          tab,
          rob: () => reject(new DOMException('The lock was stolen.', 'AbortError')),
          grant: () => {
            options.signal?.removeEventListener('abort', leave)
            const work = Promise.resolve(callback({ name, mode: 'exclusive' }))
            work.then(resolve, reject)
            return work
          },
        }
        const leave = () => {
          this.#queues.set(
            name,
            this.#queue(name).filter(other => other !== asking),
          )
          reject(options.signal?.reason)
        }
        options.signal?.addEventListener('abort', leave)
        if (options.steal) {
          this.#holders.get(name)?.rob()
          this.#holders.delete(name)
          this.#queue(name).unshift(asking)
        } else this.#queue(name).push(asking)
        this.#next(name)
      })
    }
    // The kit does not use the overload without options.
    return { request: request as LockManager['request'] }
  }

  /** The tab closes: the next requests get its locks. */
  release(tab: object): void {
    for (const [name, queue] of this.#queues)
      this.#queues.set(
        name,
        queue.filter(asking => asking.tab !== tab),
      )
    for (const [name, holder] of [...this.#holders]) if (holder.tab === tab) this.#free(name, holder)
  }

  #queue(name: string): Asking[] {
    const queue = this.#queues.get(name) ?? []
    this.#queues.set(name, queue)
    return queue
  }

  #next(name: string): void {
    // Granted later, as in browsers: the caller continues first.
    void Promise.resolve().then(() => {
      if (this.#holders.has(name)) return
      const next = this.#queue(name).shift()
      if (!next) return
      this.#holders.set(name, next)
      this.held.add(name)
      next.grant().then(
        () => this.#free(name, next),
        () => this.#free(name, next),
      )
    })
  }

  #free(name: string, holder: Asking): void {
    if (this.#holders.get(name) !== holder) return
    this.#holders.delete(name)
    this.held.delete(name)
    this.#next(name)
  }
}

type Channel = ReturnType<NonNullable<Host['channel']>>

/** The browser's channels: the others of the same name receive each message a moment later. */
export class Channels {
  readonly #open = new Set<{ readonly name: string; readonly channel: Channel; readonly tab: object }>()
  /** Every message so far. */
  readonly said: unknown[] = []

  get openCount(): number {
    return this.#open.size
  }

  of(tab: object): NonNullable<Host['channel']> {
    return name => {
      const channel: Channel = {
        onmessage: null,
        postMessage: (message: unknown) => {
          this.said.push(message)
          const text = JSON.stringify(message)
          // The channels that are open now receive it, even if the sender closes meanwhile.
          const others = [...this.#open].filter(other => other.name === name && other.channel !== channel)
          void Promise.resolve().then(() => {
            for (const other of others)
              if (this.#open.has(other))
                other.channel.onmessage?.call(
                  other.channel as BroadcastChannel,
                  { data: JSON.parse(text) } as MessageEvent,
                )
          })
        },
        close: () => void this.#open.delete(entry),
      }
      const entry = { name, channel, tab }
      this.#open.add(entry)
      return channel
    }
  }

  release(tab: object): void {
    for (const entry of [...this.#open]) if (entry.tab === tab) this.#open.delete(entry)
  }
}

export interface Tab {
  readonly app: ClientApp
  readonly host: Host
  readonly cookies: NonNullable<Host['cookies']>
  show(isVisible: boolean): void
  /** Ends the tab without events, like a crash or a closed window: its code stops, and its locks are released. */
  kill(): void
}

export interface TabOptions extends Partial<ClientOptions> {
  readonly address?: string
  /** The features that this browser lacks. */
  readonly without?: readonly (keyof Host)[]
  /** Replaces a part of the tab's environment. */
  readonly wrap?: (host: Host) => Host
}

export interface Browser {
  readonly clock: ReturnType<typeof virtualClock>
  readonly platform: Platform
  readonly jar: CookieJar
  readonly locks: Locks
  readonly channels: Channels
  /** Every request that the platform has answered: `GET /users/me`. */
  readonly requests: string[]
  /** Refresh grants answered so far. */
  refreshes(): number
  /** A page of the app; all of a browser's tabs share cookies, locks and channels. */
  tab(options?: TabOptions): Tab
  /** Puts a session of that user into the cookies, as a sign-in in another tab would. */
  signIn(person: { readonly email: string }): Promise<void>
  /** Whose access token is in the cookies; null if there is none. */
  userId(): Promise<string | null>
}

/** A browser with several tabs, a platform and one virtual clock. */
export function browser({
  startSeed = 1,
  ...options
}: PlatformOptions & { readonly startSeed?: number } = {}): Browser {
  const clock = virtualClock(undefined, { seed: startSeed })
  const platform = createPlatform({ clock, seed: { users: [ada, grace] }, ...options })
  const jar = new CookieJar(clock)
  const locks = new Locks()
  const channels = new Channels()
  const requests: string[] = []
  platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
  const home = 'https://app.example.com/'
  const stored = () => {
    const source = cookieTokens()
    if (typeof source !== 'function') throw new Error('cookieTokens() needs its context')
    return source({ projectId: platform.options.projectId, clock, host: { cookies: jar.on(home) } })
  }
  return {
    clock,
    platform,
    jar,
    locks,
    channels,
    requests,
    refreshes: () => requests.filter(request => request === 'POST /auth/oauth/token').length,
    tab({ address = home, without = [], wrap = (host: Host) => host, ...given }: TabOptions = {}) {
      const life = { isDead: false }
      const visible$ = new BehaviorSubject(true)
      const cookies = jar.on(address)
      const host: Host = wrap({
        cookies: {
          get: cookies.get,
          set: text => {
            if (!life.isDead) cookies.set(text)
          },
        },
        locks: locks.of(life),
        channel: channels.of(life),
        visible$,
        ...given.host,
      })
      const left = Object.fromEntries(Object.entries(host).filter(([part]) => !without.includes(part as keyof Host)))
      const fetch = given.fetch ?? platform.options.fetch
      const app = createClientApp({
        ...platform.options,
        tokens: cookieTokens(),
        ...given,
        host: left,
        fetch: async (...args) => {
          if (life.isDead) return never()
          const response = await fetch(...args)
          return life.isDead ? never() : response
        },
        clock: {
          ...(given.clock ?? clock),
          setTimeout: (run, millis) =>
            (given.clock ?? clock).setTimeout(() => (life.isDead ? undefined : run()), millis),
        },
      })
      return {
        app,
        host,
        cookies,
        show: isVisible => visible$.next(isVisible),
        kill() {
          life.isDead = true
          locks.release(life)
          channels.release(life)
        },
      }
    },
    async signIn({ email }) {
      const store = stored()
      const { read } = await platform.tokensFor(email)
      await store.replace(await store.read(), read())
    },
    async userId() {
      const { accessToken } = (await stored().read()) ?? {}
      return accessToken ? (readAccessToken(accessToken)?.userId ?? null) : null
    },
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined)
}

/** The input that signs that user in. */
export function credentialsOf({ email, password }: { readonly email: string; readonly password: string }) {
  return { email, password }
}
