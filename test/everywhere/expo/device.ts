import { createHash, randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ClientApp, ClientOptions, Clock } from 'rxauth'
import type * as rxauth from 'rxauth'
import type { Platform } from 'rxauth/platform'
import ts from 'typescript'

/** The exports of `auth.ts` of the guide. */
export interface Guide {
  readonly app: ClientApp
  signInWith(provider: string): Promise<string | null>
  finishSignIn(url: string): Promise<string | null>
}

type Listener = (event: never) => void

/** The listeners of a native event. */
class Heard {
  readonly #listeners = new Set<Listener>()
  add(listener: Listener) {
    this.#listeners.add(listener)
    return { remove: () => this.#listeners.delete(listener) }
  }
  tell(event: unknown) {
    for (const listener of [...this.#listeners]) listener(event as never)
  }
}

/** The parts of a device that outlive the app: keychain, network, clock. */
export class Device {
  readonly keychain = new Map<string, string>()
  readonly os: string
  readonly clock: Clock
  readonly platform: Platform
  readonly random: () => number
  isOnline = true
  isLocked = false
  /** From here on no status may be `signed-out`. */
  isSignedIn = false
  readonly seen: string[] = []

  constructor(os: string, clock: Clock, platform: Platform, random: () => number) {
    this.os = os
    this.clock = clock
    this.platform = platform
    this.random = random
  }

  delay(maxMillis: number): Promise<void> {
    return new Promise(resolve => void this.clock.setTimeout(resolve, this.random() * maxMillis))
  }
}

/** The process whose JavaScript runs: the native modules are its. */
let running: AppProcess

/** The app from its start until the system kills it. */
export class AppProcess {
  readonly device: Device
  readonly guide: Guide
  isAlive = true
  /** The address of the browser in front of the app. */
  browsed: string | undefined
  readonly appState = new Heard()
  readonly links = new Heard()
  readonly network = new Heard()
  endSession: (result: object) => void = () => undefined
  #isSuspended = false
  readonly #due: (() => void)[] = []

  constructor(device: Device) {
    this.device = device
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the native modules are loaded once, and processes are not
    running = this
    const loaded = {}
    const load = (name: string): unknown => (name === 'rxauth' ? this.#rxauth() : jest.requireActual(name))
    program(load, loaded)
    this.guide = loaded as Guide
    this.guide.app.auth$.subscribe(({ status }) => {
      if (this.isAlive && device.isSignedIn) device.seen.push(status)
    })
  }

  kill() {
    this.isAlive = false
    // The state of the module expo-web-browser ends with the process.
    this.appState.tell('active')
  }

  /** The system stops the timers. */
  background() {
    this.appState.tell('background')
    this.#isSuspended = true
  }

  foreground() {
    this.#isSuspended = false
    for (const run of this.#due.splice(0)) run()
    this.appState.tell('active')
  }

  setOnline(isOnline: boolean) {
    this.device.isOnline = isOnline
    this.network.tell({ isConnected: isOnline })
  }

  /** The browser opens this address, which is the app's. */
  open(url: string) {
    this.browsed = undefined
    if (this.device.os === 'ios') {
      this.endSession({ type: 'success', url })
      return
    }
    // Android tells both, in either order. The app hears the link too.
    const told = [() => this.appState.tell('active'), () => this.links.tell({ url })]
    if (this.device.random() < 0.5) told.reverse()
    for (const tell of told) tell()
    void this.guide.finishSignIn(url)
  }

  /** The answer comes later, and not to a process that is gone. */
  async native<T>(call: () => T): Promise<T> {
    await this.#later(5)
    const result = call()
    await this.#later(5)
    return result
  }

  async #later(maxMillis: number): Promise<void> {
    if (this.isAlive) await this.device.delay(maxMillis)
    if (!this.isAlive) await new Promise<never>(() => undefined)
  }

  #rxauth(): object {
    const actual = jest.requireActual<typeof rxauth>('rxauth')
    const { clock, platform } = this.device
    const run = (due: () => void) => {
      if (this.#isSuspended) this.#due.push(() => run(due))
      else if (this.isAlive) due()
    }
    const own: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      random: () => this.device.random(),
      setTimeout: (due, millis) => clock.setTimeout(() => run(due), millis),
    }
    const fetched = async (...request: Parameters<typeof fetch>) => {
      await this.#later(100)
      const answer = this.device.isOnline && (await platform.fetch(new Request(...request)))
      await this.#later(100)
      if (answer && this.device.isOnline) return answer
      throw new TypeError('Network request failed')
    }
    return {
      ...actual,
      createClientApp: (options: ClientOptions) =>
        actual.createClientApp({ ...options, ...platform.options, clock: own, fetch: fetched }),
    }
  }
}

const { outputText } = ts.transpileModule(readFileSync(`${__dirname}/auth.ts`, 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
})
// oxlint-disable-next-line typescript/no-implied-eval -- the module of the guide, anew for each process
const program = new Function('require', 'exports', outputText) as (load: unknown, loaded: object) => void

const native = (module: object) => ({ __esModule: true, default: module })

jest.doMock('expo-secure-store/build/ExpoSecureStore', () => {
  const unlocked = () => {
    if (running.device.isLocked) throw new Error('User interaction is not allowed.')
    return running.device.keychain
  }
  const get = (key: string) => unlocked().get(key) ?? null
  const set = (value: string, key: string) => {
    if (Buffer.byteLength(value) > 2048) throw new Error('The value is larger than 2048 bytes.')
    unlocked().set(key, value)
  }
  return native({
    getValueWithKeyAsync: (key: string) => running.native(() => get(key)),
    setValueWithKeyAsync: (value: string, key: string) => running.native(() => set(value, key)),
    deleteValueWithKeyAsync: (key: string) => running.native(() => unlocked().delete(key)),
    getValueWithKeySync: get,
    setValueWithKeySync: set,
  })
})

jest.doMock('expo-crypto/build/ExpoCrypto', () =>
  native({
    getRandomValues: (array: Uint8Array) => randomFillSync(array),
    digest: (_name: string, output: Uint8Array, data: Uint8Array) =>
      output.set(createHash('sha256').update(data).digest()),
  }),
)

jest.doMock('expo-network/build/ExpoNetwork', () =>
  native({ addListener: (_name: string, listener: Listener) => running.network.add(listener) }),
)

jest.doMock('expo-web-browser/build/ExpoWebBrowser', () =>
  native({
    openAuthSessionAsync: (url: string) => {
      running.browsed = url
      return new Promise(resolve => (running.endSession = resolve))
    },
    openBrowserAsync: async (url: string) => {
      running.browsed = url
      return { type: 'opened' }
    },
  }),
)

jest.doMock('react-native', () => {
  const actual = jest.requireActual<object>('react-native')
  const listen = (name: 'appState' | 'links') => ({
    value: { currentState: 'active', addEventListener: (_: string, heard: Listener) => running[name].add(heard) },
  })
  return Object.create(actual, { AppState: listen('appState'), Linking: listen('links') }) as object
})

const { crypto } = globalThis
const setCrypto = (value: unknown) => Object.defineProperty(globalThis, 'crypto', { value, configurable: true })

// `crypto.ts` of the guide finds no Web Crypto, as in Hermes. The platform beside the app keeps the rest of it.
setCrypto(undefined)
jest.requireActual('./crypto')
const { getRandomValues, subtle } = globalThis.crypto
setCrypto({
  getRandomValues,
  randomUUID: () => crypto.randomUUID(),
  subtle: new Proxy(crypto.subtle, {
    get: (own, name) => (name === 'digest' ? subtle.digest : (Reflect.get(own, name) as () => void).bind(own)),
  }),
})
