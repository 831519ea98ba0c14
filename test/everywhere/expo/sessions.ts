import { createElement, type ReactElement } from 'react'
import { readFileSync } from 'node:fs'
import { isAuthError, systemClock, type Clock } from 'rxauth'
import { createPlatform, virtualClock, type VirtualClock } from 'rxauth/platform'
import { AppProcess, Device } from './device'

interface Rendered {
  toJSON(): unknown
}

interface Renderer {
  act(run: () => Promise<unknown>): Promise<void>
  create(tree: ReactElement): Rendered
}

// React Native's types are not installed here, but where this file is copied to.
const { OS } = jest.requireActual<{ readonly Platform: { readonly OS: string } }>('react-native').Platform
const hour = 3_600_000
const ada = { email: 'ada@example.com', password: 'correct horse battery', displayName: 'Ada' }

/** What goes by: virtual time, or the real one. */
type Kind = 'virtual' | 'real'

/** A device, its platform, and the time of both. */
class World {
  readonly device: Device
  readonly #virtual: VirtualClock | undefined
  #asleepMillis = 0
  #email = ada.email

  constructor(kind: Kind, seed: number, displayName = ada.displayName) {
    this.#virtual = kind === 'virtual' ? virtualClock() : undefined
    const random = randomOf(seed)
    const clock: Clock = this.#virtual ?? { ...systemClock, now: () => Date.now() + this.#asleepMillis }
    const oauthProviders = [{ id: 'github', type: 'shared' }] as const
    const platform = createPlatform({
      ...{ clock, wire: seed % 2 === 0 ? '2026' : '2.8.18' },
      seed: { project: { config: { oauthProviders } }, users: [{ ...ada, displayName }] },
    })
    this.device = new Device(OS, clock, platform, random)
  }

  /** The result; meanwhile the time passes. */
  async result<T>(running: Promise<T>): Promise<T> {
    let isOver = false
    const over = () => (isOver = true)
    running.then(over, over)
    for (let step = 0; step < 2000 && this.#virtual && !isOver; step += 1) await this.#virtual.advance(50)
    return running
  }

  pass = (millis: number) =>
    this.result(new Promise<void>(resolve => void this.device.clock.setTimeout(resolve, millis)))

  /** The time passes while no timer runs. */
  sleep(millis: number) {
    if (this.#virtual) this.#virtual.shiftWall(millis)
    else this.#asleepMillis += millis
  }

  start = () => new AppProcess(this.device)

  async signedIn(): Promise<AppProcess> {
    const app = this.start()
    const { email, password } = ada
    const result = await this.result(app.guide.app.signInWithPassword({ email, password }))
    expect(result.ok).toBe(true)
    await this.#shows(app)
    return app
  }

  async restarted(app: AppProcess): Promise<AppProcess> {
    app.kill()
    await this.pass(1)
    return this.start()
  }

  /** The address that the app opens in the browser. */
  async browsed(app: AppProcess): Promise<string> {
    for (let wait = 0; wait < 1000 && app.browsed === undefined; wait += 1) await this.pass(20)
    expect(app.browsed).toBeDefined()
    return app.browsed!
  }

  /** The user is there, and no status has been `signed-out`. */
  async keeps(app: AppProcess) {
    this.device.isLocked = false
    app.setOnline(true)
    await this.#shows(app)
    expect(this.device.seen).not.toContain('signed-out')
    expect(app.guide.app.auth$.value.status).toBe('signed-in')
  }

  async #shows(app: AppProcess) {
    expect(await this.result(app.guide.app.user$.get())).toMatchObject({ primaryEmail: this.#email })
    this.device.isSignedIn = true
  }

  /** The browser goes from the address of the sign-in through the provider to the page of the guide, which opens the app. */
  async provider(url: string): Promise<string> {
    const { platform } = this.device
    this.#email = 'grace@example.com'
    platform.oauth.nextUser({ email: this.#email })
    let cookie = ''
    while (url.startsWith(platform.options.baseUrl)) {
      const answer = await this.result(platform.fetch(new Request(url, { headers: { cookie } })))
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      url = answer.headers.get('location') ?? ''
    }
    return opened(url)
  }
}

const page = readFileSync(`${__dirname}/oauth-callback.html`, 'utf8')

/** The address that the page of the guide opens. */
function opened(url: string): string {
  const script = /<script>([^]*)<\/script>/.exec(page)?.[1] ?? ''
  let link = ''
  const location = { search: new URL(url).search, replace: (to: string) => (link = to) }
  // oxlint-disable-next-line typescript/no-implied-eval -- the script of our own page
  const run = new Function('location', 'document', script) as (...globals: object[]) => void
  run(location, { getElementById: () => ({}) })
  return link
}

/** The numbers of this seed, in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_769
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x6d2b79f5
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const code = (error: unknown) => (isAuthError(error) ? error.code : error)

const scenarios: Record<string, (world: World) => Promise<void>> = {
  async 'a kill and a restart'(world) {
    const app = await world.signedIn()
    await world.keeps(await world.restarted(app))
  },
  async 'a kill at any moment of a refresh'(world) {
    const app = await world.signedIn()
    world.sleep(hour)
    app.guide.app.user$.refresh().catch(code)
    await world.pass(world.device.random() * 300)
    await world.keeps(await world.restarted(app))
  },
  async 'eight hours in the background'(world) {
    const app = await world.signedIn()
    app.background()
    world.sleep(8 * hour)
    app.foreground()
    await world.keeps(app)
  },
  async 'eight hours in the background, and a kill there'(world) {
    const app = await world.signedIn()
    app.background()
    world.sleep(8 * hour)
    await world.keeps(await world.restarted(app))
  },
  async 'the background in the middle of a refresh'(world) {
    const app = await world.signedIn()
    world.sleep(hour)
    app.guide.app.user$.refresh().catch(code)
    await world.pass(world.device.random() * 300)
    app.background()
    world.sleep(8 * hour)
    app.foreground()
    await world.keeps(app)
  },
  async 'a start without a network'(world) {
    const app = await world.signedIn()
    world.device.isOnline = false
    const next = await world.restarted(app)
    await world.pass(500)
    expect(next.guide.app.auth$.value.status).toBe('unknown')
    await world.keeps(next)
  },
  async 'a start without a network, eight hours later'(world) {
    const app = await world.signedIn()
    world.device.isOnline = false
    world.sleep(8 * hour)
    const next = await world.restarted(app)
    await world.pass(500)
    expect(next.guide.app.auth$.value.status).toBe('unknown')
    await world.keeps(next)
  },
  async 'a network that goes in the middle of a refresh'(world) {
    const app = await world.signedIn()
    world.sleep(hour)
    app.guide.app.user$.refresh().catch(code)
    await world.pass(world.device.random() * 300)
    app.setOnline(false)
    await world.pass(1000)
    await world.keeps(app)
  },
  async 'a platform that fails'(world) {
    const app = await world.signedIn()
    world.sleep(hour)
    const repair = world.device.platform.faults.every('*', { status: 503 })
    const next = await world.restarted(app)
    await world.pass(1000)
    repair()
    await world.keeps(next)
  },
  async 'a start while the keychain is locked'(world) {
    const app = await world.signedIn()
    world.device.isLocked = true
    const next = await world.restarted(app)
    expect(await world.result(next.guide.app.user$.get().then(String, code))).toBe('TOKENS_UNAVAILABLE')
    await world.keeps(next)
  },
  async 'a sign-in at a provider'(world) {
    const app = world.start()
    const done = app.guide.signInWith('github')
    app.open(await world.provider(await world.browsed(app)))
    expect(await world.result(done)).toBe(null)
    await world.pass(1000)
    await world.keeps(app)
    await world.keeps(await world.restarted(app))
  },
  async 'a kill while the browser is at the provider'(world) {
    const app = world.start()
    void app.guide.signInWith('github')
    const url = await world.provider(await world.browsed(app))
    const next = await world.restarted(app)
    expect(await world.result(next.guide.finishSignIn(url))).toBe(null)
    await world.keeps(next)
  },
}

/** 20 rounds of each scenario, of which every one has delays and moments of its own; the native modules are mocked. */
export function sessions(kind: Kind): void {
  jest.setTimeout(600_000)
  const seeds = Array.from({ length: 20 }, (_, at) => at + 1)

  describe.each(Object.keys(scenarios))(`on ${OS}, by the ${kind} clock, the session outlives %s`, name => {
    it.each(seeds)('in round %i', async seed => {
      await scenarios[name]!(new World(kind, seed))
    })
  })

  it('a session that is longer than SecureStore takes outlives a restart', async () => {
    const world = new World(kind, 2, 'Å'.repeat(900))
    const app = await world.signedIn()
    expect(app.guide.app.tokens$.value?.accessToken?.length).toBeGreaterThan(2048)
    await world.keeps(await world.restarted(app))
  })

  it('the screen shows who is signed in, after a restart too', async () => {
    const world = new World(kind, 1)
    const app = await world.restarted(await world.signedIn())
    jest.doMock('./auth', () => app.guide)
    const { default: App } = jest.requireActual<{ default: () => ReactElement }>('./App')
    const { act, create } = jest.requireActual<Renderer>('react-test-renderer')
    let shown: Rendered | undefined
    await act(async () => {
      shown = create(createElement(App))
      await world.pass(1000)
    })
    expect(JSON.stringify(shown?.toJSON())).toContain('["Hello ","Ada"]')
  })
}
