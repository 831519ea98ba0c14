import { createServerApp } from 'rxauth/server'
import type { Tokens } from 'rxauth'
import { tokensInCookies } from '../../src/session/stores/cookie-format'
import { readAccessToken } from '../../src/transport/access-token'
import { browser, credentialsOf, type Browser, type Tab } from '../tabs'
import { ada, grace } from '../world'
import { actionsOf } from './model'
import { initial, letter, sessionOf, tabOf, type Action, type Pair, type Scope, type State } from './state'

const people = { ada, grace }
const home = 'https://app.example.com/'

/** The kit's timers, by their lengths; `random()` is 0.25. */
const timers = { look: [100], pause: [750, 1500, 3000, 6000], 'write pause': [7000], 'lock wait': [15_000] }
type TimerName = keyof typeof timers

/** A request that waits for an action. */
interface Held {
  readonly what: string
  readonly send: () => Promise<Response>
  readonly resolve: (answer: Response) => void
  readonly reject: (error: unknown) => void
  answer?: Response
  /** The pair in the answer; 0: refused. */
  brought?: Pair
}

/** A tab whose requests and timers wait for actions, and whose events wait while it is stuck. */
class PlayedTab {
  readonly tab: Tab
  held: Held[] = []
  readonly timers = new Set<{ readonly millis: number; readonly run: () => void }>()
  shown: Tokens | null | undefined
  isStuck = false
  #events: (() => void)[] = []

  constructor(shared: Browser, named: Names, hasLocks: boolean) {
    const whenAwake = (run: () => void) => {
      if (this.isStuck) this.#events.push(run)
      else run()
    }
    this.tab = shared.tab({
      without: hasLocks ? [] : ['locks'],
      clock: {
        ...shared.clock,
        random: () => 0.25,
        setTimeout: (run, millis) => {
          // The wait for the cookie of the tab that had the lock before: all tabs see each write at once.
          if (millis === 150) return shared.clock.setTimeout(() => whenAwake(run), 0)
          const timer = { millis, run }
          this.timers.add(timer)
          return () => this.timers.delete(timer)
        },
      },
      fetch: async (input, init) => {
        const send = () => shared.platform.options.fetch(input, init)
        const what = named.request(new URL(new Request(input, init).url).pathname, init!)
        if (what !== undefined)
          return new Promise<Response>((resolve, reject) => this.held.push({ what, send, resolve, reject }))
        const answer = await send()
        await named.signedIn(answer.clone())
        return answer
      },
      wrap: host => ({
        ...host,
        locks: {
          request: ((name: string, options: LockOptions, callback: LockGrantedCallback<unknown>) =>
            new Promise<unknown>((resolve, reject) => {
              const run: LockGrantedCallback<unknown> = lock =>
                new Promise<unknown>(granted => whenAwake(() => granted(callback(lock))))
              host.locks!.request(name, options, run).then(
                value => whenAwake(() => resolve(value)),
                (error: unknown) => whenAwake(() => reject(error)),
              )
            })) as LockManager['request'],
        },
        channel: name => {
          const channel = host.channel!(name)
          return {
            set onmessage(receive: BroadcastChannel['onmessage']) {
              channel.onmessage = event => whenAwake(() => void receive?.call(channel as BroadcastChannel, event))
            },
            postMessage: message => channel.postMessage(message),
            close: () => channel.close(),
          }
        },
      }),
    })
    this.tab.app.tokens$.subscribe(tokens => (this.shown = tokens))
  }

  wake(): void {
    this.isStuck = false
    for (const run of this.#events.splice(0)) run()
  }

  /** The first timer of this name, or a later one. */
  fire(name: TimerName, which = 0): void {
    const timer = [...this.timers].filter(({ millis }) => timers[name].includes(millis))[which]
    if (!timer) throw new Error(`there is no timer for the ${name}`)
    this.timers.delete(timer)
    timer.run()
  }

  take(what: string): Held {
    const held = this.held.find(one => one.what === what)
    if (!held) throw new Error(`there is no request: ${what}`)
    return held
  }

  answer(held: Held, answer: Response): void {
    this.held = this.held.filter(other => other !== held)
    held.resolve(answer)
  }
}

/** Which tokens of the platform are which pairs of the model. */
class Names {
  readonly sessions: { readonly id: string; readonly userId: string }[] = []
  readonly #pairs = new Map<string, Pair>([['none', 0]])
  readonly #latest: number[] = []

  of(token: string | null | undefined): Pair | string {
    return this.#pairs.get(token ?? 'none') ?? 'unknown tokens'
  }

  /** Undefined: a request of no interest. */
  request(path: string, { method, headers, body }: RequestInit): string | undefined {
    if (path.endsWith('/oauth/token')) return `refresh ${this.of((body as URLSearchParams).get('refresh_token'))}`
    const pair = this.of(new Headers(headers).get('x-stack-access-token'))
    if (method === 'PATCH') return `write ${pair}`
    return method === 'DELETE' ? `end ${pair}` : undefined
  }

  async signedIn(answer: Response): Promise<void> {
    const { access_token: access, refresh_token: refresh } = (await answer.json()) as Record<string, string>
    const { sessionId: id, userId } = readAccessToken(access!)!
    this.sessions.push({ id, userId })
    this.#latest.push(1)
    for (const token of [access!, refresh!]) this.#pairs.set(token, 10 * this.sessions.length + 1)
  }

  async refreshed(answer: Response): Promise<Pair> {
    const { access_token: access, refresh_token: refresh } = (await answer.json()) as Record<string, string>
    if (!access || !refresh) return 0
    const { sessionId } = readAccessToken(access)!
    const session = this.sessions.findIndex(({ id }) => id === sessionId)
    const pair = this.#pairs.get(refresh) ?? 10 * (session + 1) + ++this.#latest[session]!
    for (const token of [access, refresh]) this.#pairs.set(token, pair)
    return pair
  }

  tokens(tokens: Tokens | null | undefined): string {
    if (tokens === undefined) return 'unknown'
    const [access, refresh] = [this.of(tokens?.accessToken), this.of(tokens?.refreshToken)]
    return access === refresh ? String(refresh) : `mixed: ${access} with ${refresh}`
  }
}

/** What can be seen of the model. */
function seenIn(state: State): string[] {
  const tabs = state.tabs.map(({ life, knows, flight, write, revocation }, index) => {
    if (life === 'closed') return `${letter(index)} is closed`
    const pending = [
      ...(flight?.phase === 'asked' ? [`refresh ${flight.pair}`] : []),
      ...(flight?.phase === 'answered' ? [`refresh ${flight.pair}: ${flight.answer}`] : []),
      ...(flight?.phase === 'pausing' ? ['pause'] : []),
      ...(flight?.phase === 'waiting' ? ['lock wait'] : []),
      ...(write?.phase === 'sent' ? [`write of ${write.carries}`] : []),
      ...(write?.phase === 'pausing' ? ['write pause'] : []),
      ...(revocation?.phase === 'waiting' ? ['lock wait'] : []),
      ...(revocation?.phase === 'renewing' ? [`refresh ${revocation.pair}`] : []),
      ...(revocation?.phase === 'deleting' ? [`end ${revocation.access}`] : []),
    ]
    return `${letter(index)} shows ${knows}, pending: ${pending.sort().join(', ')}`
  })
  return [`the store has ${state.store}`, ...state.sessions.map(({ isAlive }) => `alive: ${isAlive}`), ...tabs]
}

/** The kit in as many tabs as the model has. */
class Stage {
  readonly shared = browser({ rotation: true })
  readonly named = new Names()
  readonly tabs: (PlayedTab | undefined)[]
  readonly #cookies = this.shared.jar.on(home)
  readonly #hasLocks: boolean
  readonly #server = createServerApp({ ...this.shared.platform.serverOptions })

  constructor({ tabs, hasLocks }: Scope) {
    this.#hasLocks = hasLocks
    this.tabs = Array.from({ length: tabs }, () => new PlayedTab(this.shared, this.named, this.#hasLocks))
  }

  /** What can be seen of the kit, in the words of `seenIn`. */
  seen(): string[] {
    const { platform } = this.shared
    const { projects } = platform.snapshot() as { projects: Record<string, { sessions: { id: string }[] }> }
    const alive = Object.values(projects).flatMap(({ sessions }) => sessions.map(({ id }) => id))
    const tabs = this.tabs.map((tab, index) => {
      if (!tab) return `${letter(index)} is closed`
      const requests = tab.held.map(({ what, brought }) => (brought === undefined ? what : `${what}: ${brought}`))
      const waits = [...tab.timers].flatMap(({ millis }) =>
        (['pause', 'lock wait', 'write pause'] as const).filter(name => timers[name].includes(millis)),
      )
      const pending = [...requests.map(what => what.replace(/write (\d+)\d/, 'write of $1')), ...waits].sort()
      return `${letter(index)} shows ${this.named.tokens(tab.shown)}, pending: ${pending.join(', ')}`
    })
    return [
      `the store has ${this.named.tokens(tokensInCookies(this.#cookies.get(), platform.options.projectId))}`,
      ...this.named.sessions.map(({ id }) => `alive: ${alive.includes(id)}`),
      ...tabs,
    ]
  }

  /** `before`: the state of the model in which the action happens. */
  async perform(name: string, before: State): Promise<void> {
    const { clock } = this.shared
    if (name === 'ten minutes pass') clock.shiftWall(601_000)
    else if (name === 'the session is ended on another device') await this.#endElsewhere(before)
    else await this.#act(name.slice(2), name.charCodeAt(0) - 65, before)
    await clock.advance(0)
  }

  async #endElsewhere({ store }: State): Promise<void> {
    const { id: sessionId, userId } = this.named.sessions[sessionOf(store) - 1]!
    await this.shared.clock.settled(this.#server.revokeSessionById({ userId, sessionId }))
  }

  async #act(action: string, index: number, before: State): Promise<void> {
    if (action === 'is opened') {
      this.tabs[index] = new PlayedTab(this.shared, this.named, this.#hasLocks)
      return
    }
    const played = this.tabs[index]!
    const { app } = played.tab
    const { flight, revocation } = before.tabs[index]!
    const refresh = () => played.take(`refresh ${flight!.pair}`)
    const writing = () => played.held.find(({ what }) => what.startsWith('write'))!
    const ending = () =>
      played.take(revocation!.phase === 'renewing' ? `refresh ${revocation!.pair}` : `end ${revocation!.access}`)
    const takesLock = (entry: number) => {
      const own = before.lock.filter(other => tabOf(other) === index)
      // The wait has taken this long: a tab that has stolen the lock before keeps the right to do so for its own time only.
      this.shared.clock.shiftWall(15_000)
      played.fire('lock wait', own.indexOf(entry))
    }
    const down = () => new Response('down', { status: 503 })
    const ignore = () => undefined
    switch (action) {
      case 'signs in as ada':
      case 'signs in as grace':
        void app.signInWithPassword(credentialsOf(people[action.slice(12) as keyof typeof people]))
        break
      case 'looks at the store':
        played.fire('look')
        break
      case 'asks for a token':
        app.accessToken().catch(ignore)
        break
      case 'signs out':
        void app.signOut()
        break
      case 'writes':
        app.updateUser({ displayName: 'Ada or Grace' }).catch(ignore)
        break
      case 'has its refresh reach the platform': {
        const held = refresh()
        held.answer = await held.send()
        held.brought = await this.named.refreshed(held.answer.clone())
        break
      }
      case 'gets the answer':
        played.answer(refresh(), refresh().answer!)
        break
      case 'hears that the refresh is down':
        played.answer(refresh(), down())
        break
      case 'loses the answer': {
        const held = refresh()
        played.held = played.held.filter(other => other !== held)
        held.reject(new TypeError('fetch failed'))
        break
      }
      case 'asks again':
        played.fire('pause')
        break
      case 'takes the lock from a stuck tab':
        takesLock(index)
        break
      case 'takes the lock from a stuck tab for its sign-out':
        takesLock(~index)
        break
      case 'gets the answer to its write':
        played.answer(writing(), await writing().send())
        break
      case 'hears that its write must wait':
        played.answer(writing(), new Response('slow down', { status: 429, headers: { 'retry-after': '7' } }))
        break
      case 'writes again':
        played.fire('write pause')
        break
      case 'hears from the platform about its sign-out': {
        const held = ending()
        const answer = await held.send()
        if (revocation!.phase === 'renewing') await this.named.refreshed(answer.clone())
        played.answer(held, answer)
        break
      }
      case 'hears that its sign-out failed':
        played.answer(ending(), down())
        break
      case 'is stuck':
        played.isStuck = true
        break
      case 'wakes':
        played.wake()
        break
      case 'is closed':
        played.tab.kill()
        this.tabs[index] = undefined
        break
      default:
        throw new Error(`no action: ${action}`)
    }
  }

  end(): void {
    for (const tab of this.tabs) tab?.tab.app.dispose()
    this.#server.dispose()
  }
}

/** A browser with Web Locks and a platform that replaces refresh tokens, where everything happens often enough for every trace. */
export const played: Scope = {
  tabs: 3,
  people: Object.keys(people),
  isRotating: true,
  hasLocks: true,
  signIns: 99,
  writes: 99,
  expiries: 99,
  // With a fifth lost answer a refresh would give up.
  faults: 4,
}

/**
 * Plays a trace on the kit, and compares it with the model after each action. Returns the first difference, or undefined.
 * Throws at an action that the model does not allow.
 */
export async function play(
  trace: Iterable<string>,
  scope: Scope = played,
  actions: readonly Action[] = actionsOf(scope),
): Promise<string | undefined> {
  const state = initial(scope)
  const stage = new Stage(scope)
  const done: string[] = []
  try {
    for (const name of trace) {
      const action = actions.find(action => action.name === name)
      if (!action?.may(state)) throw new Error(`"${name}" is not possible after ${JSON.stringify(done)}`)
      done.push(name)
      const told = structuredClone(state)
      action.does(state)
      const model = seenIn(state)
      let kit: string[]
      try {
        await stage.perform(name, told)
        kit = stage.seen()
      } catch (error) {
        kit = [String(error)]
      }
      if (model.join('\n') !== kit.join('\n')) {
        const different = model.filter((line, index) => line !== kit[index])
        const got = kit.filter((line, index) => line !== model[index])
        return `after ${JSON.stringify(done, null, 2)}\nthe model:\n  ${different.join('\n  ')}\nthe kit:\n  ${got.join('\n  ')}`
      }
    }
  } finally {
    stage.end()
  }
  return undefined
}
