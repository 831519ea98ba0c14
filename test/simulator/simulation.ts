import { createServerApp } from 'rxauth/server'
import { accountTokens, cookieTokens } from 'rxauth'
import type { Clock, TokenSource } from 'rxauth'
import { tokensInCookies } from '../../src/session/stores/cookie-format'
import { keyStorage } from '../key-storage'
import { browser } from '../tabs'
import { guarded } from '../sign-in/flow-world'
import { ada } from '../world'
import { History } from './history'
import { LaterStore } from './later-store'
import { Network } from './network'
import { seeded } from './steps'
import type { Setting } from './steps'
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
  #opened = 0

  constructor(setting: Setting) {
    this.setting = setting
    this.shared = browser({
      rotation: setting.rotates && (setting.hasNoGrace ? { graceMillis: 0 } : true),
      seed: { users: people, teams, project: { config: { anonymousSignUpEnabled: true } } },
    })
    const { clock, jar, platform } = this.shared
    const cookies = jar.on('https://app.example.com/')
    this.#clock = { ...clock, now: () => clock.now() + this.skew, random: () => this.random() }
    this.#later = new LaterStore(this)
    const read = () =>
      setting.store === 'later' ? this.#later.tokens : tokensInCookies(cookies.get(), platform.options.projectId)
    this.history = new History(setting, clock, read)
    for (const { id, displayName } of people) this.history.names.set(id, [displayName])
    this.network = new Network(this.shared, this.history, setting)
    this.network.latency = () => this.upTo(250)
    this.#server = createServerApp({ ...platform.serverOptions })
    for (let count = 0; count < setting.tabs; count++) this.open()
  }

  upTo(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  open(): void {
    const tab = new SimulatedTab(String.fromCharCode(65 + this.#opened++), {
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
    if (this.#opened % 2 === 0) tab.watchMore()
  }

  #tokens(tab: SimulatedTab, clock: Clock): TokenSource {
    const source = this.setting.store === 'later' ? this.#later.of(tab, clock) : cookieTokens()
    return this.setting.hasAccounts ? accountTokens(source, { storage: this.#storage }) : source
  }

  get awake(): SimulatedTab[] {
    return this.tabs.filter(({ isFrozen }) => !isFrozen)
  }

  /** False: it is the last one that is awake. */
  close(tab: SimulatedTab): boolean {
    if (this.awake.every(other => other === tab)) return false
    this.history.log(`${tab.name} is killed`)
    this.history.trouble.ofEnds = true
    // The tab may have an answer that it has not stored.
    if (this.history.present) this.history.present.isTroubled = true
    tab.kill()
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

  /** The session is ended on another device. */
  async endElsewhere(): Promise<void> {
    const { present } = this.history
    if (!present || present.isDead) return
    present.isDead = true
    const { userId, id: sessionId } = present
    await this.shared.clock.settled(this.#server.revokeSessionById({ userId, sessionId })).catch(() => undefined)
  }

  end(): void {
    for (const { app } of this.tabs) app.dispose()
    this.#server.dispose()
    this.shared.platform.dispose()
  }
}
