import { createServerApp } from 'rxauth/server'
import { accountTokens, cookieTokens, type Clock, type Tokens, type TokenSource } from 'rxauth'
import { tokensInCookies } from '../../src/session/stores/cookie-format'
import type { VirtualClock } from 'rxauth/platform'
import { keyStorage } from '../key-storage'
import { browser } from '../tabs'
import { guarded } from '../sign-in/flow-world'
import { ada } from '../world'
import { History, type Session } from './history'
import { LaterStore } from './later-store'
import { Network } from './network'
import { seeded, type Setting } from './steps'
import { SimulatedTab } from './tab'

const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`
/** Grace has a second factor. */
export const people = [ada, guarded, { email: 'lin@example.com', password: 'lin lin lin', displayName: 'Lin' }].map(
  (person, index) => ({ ...person, id: idOf(index + 1) }),
)
const teamOf = (userId: string) => userId.replace(/^./, '1')
const teams = people.map(({ id, email, displayName }) => ({
  id: teamOf(id),
  displayName: `Team of ${displayName}`,
  members: [{ email }],
}))

/** The clock waits for WebCrypto, which takes real time: an app checks the digits of a second factor itself. Returns the end of this. */
function waitsForCrypto(clock: VirtualClock): () => void {
  const { subtle } = crypto
  const names = ['importKey', 'sign'] as const
  for (const name of names) {
    const run = subtle[name].bind(subtle) as (...given: unknown[]) => Promise<unknown>
    const value = (...given: unknown[]) => {
      const work = clock.begin()
      return run(...given).finally(() => work.end())
    }
    Object.defineProperty(subtle, name, { configurable: true, value })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}

/** A browser with tabs of the app, over one store, and a platform behind an unreliable network. */
export class Simulation {
  readonly shared
  readonly history: History
  readonly network: Network
  readonly tabs: SimulatedTab[] = []
  readonly setting: Setting
  /** How far the clock of the machine is ahead. */
  skew = 0
  /** How many uses of the store fail. */
  failures = 0
  /** What happens after the next cookie is written. */
  afterCookie: ((tab: SimulatedTab) => void) | undefined
  writes = 0
  random = seeded(1)
  readonly #clock: Clock
  readonly #later: LaterStore
  readonly #server
  readonly #storage = keyStorage()
  readonly #restoreCrypto: () => void
  #opened = 0

  constructor(setting: Setting) {
    this.setting = setting
    this.shared = browser({
      rotation: setting.rotates && (setting.hasNoGrace ? { graceMillis: 0 } : true),
      seed: {
        users: people,
        teams,
        project: { config: { anonymousSignUpEnabled: true, allowUserApiKeys: true, clientTeamCreationEnabled: true } },
      },
    })
    const { clock, jar, platform } = this.shared
    const cookies = jar.on('https://app.example.com/')
    this.#clock = { ...clock, now: () => clock.now() + this.skew, random: () => this.random() }
    this.#restoreCrypto = waitsForCrypto(clock)
    this.#later = new LaterStore(this)
    const read = () =>
      setting.store === 'later' ? this.#later.tokens : tokensInCookies(cookies.get(), platform.options.projectId)
    this.history = new History(setting, clock, read)
    for (const { id, displayName } of people) this.history.has(`name of ${id}`, displayName)
    for (const { id, displayName } of teams) this.history.has(`name of ${id}`, displayName)
    for (const { id } of people) this.history.made.push({ id: teamOf(id), kind: 'first team', userId: id })
    this.network = new Network(this.shared, this.history, setting)
    this.network.latency = () => this.upTo(250)
    this.#server = createServerApp({ ...platform.serverOptions })
    for (let count = 0; count < setting.tabs; count++) this.open()
  }

  upTo(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  open(): void {
    const tab = new SimulatedTab(String.fromCharCode(65 + this.#opened++), this.#opened % 2 === 0, {
      shared: this.shared,
      history: this.history,
      network: this.network,
      setting: this.setting,
      clock: this.#clock,
      cookieWritten: tab => {
        const then = this.afterCookie
        this.afterCookie = undefined
        then?.(tab)
      },
      robbed: () => this.network.robbed(this.tabs.filter(({ isFrozen }) => isFrozen)),
      storeUsed: () => this.storeUsed(),
      tokens: (tab, clock) => this.#tokens(tab, clock),
    })
    this.tabs.push(tab)
    tab.watch(this.setting.watches?.[this.#opened - 1] ?? 'all')
    if (this.setting.hasAccounts && this.#opened % 2 === 1) tab.watchAccounts()
  }

  #tokens(tab: SimulatedTab, clock: Clock): TokenSource {
    const source = this.setting.store === 'later' ? this.#later.of(tab, clock) : cookieTokens()
    return this.setting.hasAccounts ? accountTokens(source, { storage: this.#storage }) : source
  }

  /** What the browser keeps of people who are not active. */
  judgeStorage(): void {
    const { history } = this
    for (const [key, value] of this.#storage.items) {
      const { refreshToken } = JSON.parse(value) as { readonly refreshToken?: string | null }
      const kept = key.startsWith('rxauth-account-') && refreshToken ? history.byToken.get(refreshToken) : undefined
      history.require(kept?.isActing !== true, 'nothing is kept of an impersonation', key)
      const marked = /^rxauth-acting-.*?-(.{36})$/.exec(key)?.[1]
      if (marked && !history.trouble.ofEnds)
        history.require(marked === history.present?.id, 'no mark outlives its impersonation', key)
    }
  }

  get awake(): SimulatedTab[] {
    return this.tabs.filter(({ isFrozen }) => !isFrozen)
  }

  /** The tab is killed, or its app disposed of. False: it is the last one that is awake. */
  close(tab: SimulatedTab, isDisposed = false): boolean {
    if (this.awake.every(other => other === tab)) return false
    this.history.log(`${tab.name} is ${isDisposed ? 'disposed of' : 'killed'}`)
    this.history.trouble.ofEnds = true
    // The tab may have an answer that it has not stored.
    if (this.history.present) this.history.present.isTroubled = true
    if (isDisposed) tab.dispose()
    else tab.kill()
    this.network.closed(tab)
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    return true
  }

  storeUsed(): void {
    if (this.failures === 0) return
    this.failures--
    this.history.log('the store fails')
    this.history.reach('the store fails')
    // The answer of a refresh may be lost with it.
    if (this.history.present) this.history.present.isTroubled = true
    throw new Error('the disk is full')
  }

  /** Another program of the same site has signed this person in. */
  async signInElsewhere(person: { readonly email: string }): Promise<void> {
    await this.shared.signIn(person)
    const { accessToken, refreshToken } = this.history.read()!
    this.history.learn(accessToken!, refreshToken!)
    this.history.storeChanged()
  }

  /** A server creates a session of this person for another one. */
  async impersonationOf(userId: string): Promise<Tokens> {
    const input = { userId, expiresInMillis: 30 * 86_400_000, isImpersonation: true }
    const { value } = (await this.shared.clock.settled(this.#server.createSession(input))) as { readonly value: Tokens }
    this.history.learn(value.accessToken!, value.refreshToken!).isActing = true
    return value
  }

  /** The session is ended on another device. */
  async endElsewhere(session: Session | undefined): Promise<void> {
    if (!session || session.isDead) return
    session.isDead = true
    const { userId, id: sessionId } = session
    await this.shared.clock.settled(this.#server.revokeSessionById({ userId, sessionId })).catch(() => undefined)
  }

  async end(): Promise<void> {
    const { tabs, shared } = this
    for (const tab of tabs) tab.dispose()
    // A promise that a tab that is frozen waits for settles when it wakes.
    if (tabs.every(({ isFrozen }) => !isFrozen)) {
      await shared.clock.advance(0)
      for (const tab of tabs) tab.judgeDisposed()
      this.history.require(shared.channels.openCount === 0, 'a disposed app leaves nothing behind', 'channels')
    }
    this.#server.dispose()
    this.shared.platform.dispose()
    this.#restoreCrypto()
  }
}
