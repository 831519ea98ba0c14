import { createClientApp, memoryTokens, systemClock, type ClientApp, type ClientOptions, type Clock } from 'rxauth'
import { createAdminApp, type AdminApp } from 'rxauth/admin'
import { createPlatform, virtualClock, type Platform, type PlatformOptions, type Wire } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp, type ServerApp } from 'rxauth/server'
import { differencesIn } from '../platform/observed-forms'
import { runs } from '../runs'

/** A connection of kits to a platform: in process or over HTTP. */
export interface Way {
  readonly platform: Platform
  /** Every answer so far: `POST /auth/otp/sign-in 200`. */
  readonly requests: readonly string[]
  /** Those whose route begins with the text. */
  answersTo(route: string): string[]
  newApp(options?: Partial<ClientOptions>): ClientApp
  /** With the local platform's keys. */
  newAdminApp(): AdminApp
  /** With the local platform's key. */
  newServerApp(): ServerApp
  /** The time on the platform's clock. */
  now(): number
  /** Advances it. */
  pass(millis: number): Promise<void>
  /** Disposes of every app, and closes the connection. */
  close(): Promise<void>
}

type Connected = Pick<Platform['options'], 'baseUrl'> & Partial<ClientOptions>

async function open(
  options: PlatformOptions,
  connect: (platform: Platform) => Promise<{ readonly connected: Connected; close(): Promise<void> }>,
): Promise<Way> {
  const clock = virtualClock()
  const platform = createPlatform({ clock, ...options })
  const requests: string[] = []
  platform.requests$.subscribe(({ method, path, status }) => requests.push(`${method} ${path} ${status}`))
  const { connected, close } = await connect(platform)
  const apps: (ClientApp | AdminApp | ServerApp)[] = []
  return {
    platform,
    requests,
    answersTo: route => requests.filter(line => line.startsWith(route)),
    newApp(given) {
      const app = createClientApp({ ...connected, clock: impatient(clock), tokens: memoryTokens(), ...given })
      apps.push(app)
      return app
    },
    newAdminApp() {
      const app = createAdminApp({ ...connected, clock: impatient(clock) })
      apps.push(app)
      return app
    },
    newServerApp() {
      const app = createServerApp({ ...connected, clock: impatient(clock) })
      apps.push(app)
      return app
    },
    now: () => clock.now(),
    pass: millis => clock.advance(millis),
    close() {
      for (const app of apps) app.dispose()
      return close()
    },
  }
}

/** On a release of 2026 each answer is compared with those of a running server; the test fails with the differences. */
function inProcess(options: PlatformOptions): Promise<Way> {
  const { wire } = options
  return open(options, platform => {
    const found: string[] = []
    async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init)
      const response = await platform.options.fetch(request.clone())
      if (wire && wire !== '2.8.18') found.push(...(await differencesIn(request, response, wire)))
      return response
    }
    const close = () => {
      expect(found).toEqual([])
      return Promise.resolve()
    }
    return Promise.resolve({ connected: { ...platform.options, fetch }, close })
  })
}

function overHttp(options: PlatformOptions): Promise<Way> {
  return open(options, async platform => {
    const server = await listen(platform, { port: 0 })
    return { connected: { baseUrl: server.url }, close: () => server.close() }
  })
}

/** Sockets follow only the machine's clock, so backoffs end at once; the time is the platform's. */
function impatient({ now, monotonic }: Clock): Clock {
  return {
    now,
    monotonic,
    random: () => 0,
    setTimeout: (run, millis, options) => systemClock.setTimeout(run, millis >= 5000 ? millis : 0, options),
  }
}

export const ways: readonly (readonly [name: string, open: (options: PlatformOptions) => Promise<Way>])[] = [
  ['in process', inProcess],
  ['over HTTP', overHttp],
]

type Open = (options: PlatformOptions) => Promise<Way>

type WayOn = readonly [name: string, open: Open, wire: Wire]

/** The same against a platform of this release. Tests name the differences. */
const on = (wire: Wire, some: typeof ways = ways): readonly WayOn[] =>
  some.map(([name, open]) => [`${name} on ${wire}`, options => open({ wire, ...options }), wire] as const)

const [inside, overSockets] = [ways.slice(0, 1), ways.slice(1)]

/** The two releases of 2026, of which the one that ran is met in process only; the nightly run has the other over HTTP as well. */
export const newerWays = [...on('2026', runs(inside, ways)), ...on('2.8.86', inside)]

/** Every release, and both connections; the nightly run has both for each release. */
export const signInWays = [...on('2.8.18', runs(overSockets, ways)), ...newerWays]

/** The code in the first link of a mail. */
export function codeIn(mail: { readonly links: readonly string[] }): string {
  return new URL(mail.links[0]!).searchParams.get('code')!
}
