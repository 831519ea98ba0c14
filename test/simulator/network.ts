import { wait } from '../../src/core/clock'
import type { Browser } from '../tabs'
import { readAccessToken } from '../../src/transport/access-token'
import type { History, Session } from './history'
import type { Setting } from './steps'
import type { SimulatedTab } from './tab'

export const fates = [
  'request lost',
  'answer lost',
  'hangs',
  'late',
  'late',
  'doubled',
  'truncated',
  '502 page',
  '403 page',
  '401 page',
  '200 page',
  '429',
  '503',
  'mixed up',
] as const
type Fate = (typeof fates)[number]

type Kind = 'refresh' | 'end' | 'write' | 'sign-in' | 'load'

/** How long a tab waits for an answer while it has the lock. */
const attemptMillis = 5000

interface Sent {
  readonly tab: SimulatedTab
  readonly kind: Kind
  readonly session: Session | undefined
  /** The refresh token of a refresh. */
  readonly token: string | null
  /** Another tab has taken the lock, under which it was sent, from the frozen tab. */
  isRobbed: boolean
}

function kindOf(method: string, path: string, access: string | null): Kind {
  if (path.endsWith('/auth/oauth/token')) return 'refresh'
  if (path.endsWith('/auth/sessions/current')) return 'end'
  if (method === 'GET') return 'load'
  return access === null || /\/auth\/(?!sessions)/.test(path) ? 'sign-in' : 'write'
}

interface Named {
  readonly display_name?: string
  readonly description?: string
  readonly client_metadata?: { readonly note?: string }
}

/** The name that a write gives to a user or a team, or the description of a key. */
function namedIn(body: RequestInit['body']): string | undefined {
  if (typeof body !== 'string') return undefined
  const { display_name: name, description, client_metadata: { note } = {} } = JSON.parse(body) as Named
  return name ?? description ?? note
}

/** Milliseconds between the starts of two loads of a store. */
const throttleMillis = 300

function gateway(status: number): Response {
  const headers = { 'content-type': 'text/html', ...(status === 429 && { 'retry-after': '1' }) }
  return new Response(`<!doctype html><title>Gateway ${status}</title>`, { status, headers })
}

/** Whether the platform has done what it was asked for: refusals have the status 200, too. */
const isDone = ({ ok, headers }: Response) => ok && !headers.has('x-stack-known-error')

/** What lies between the tabs and the platform. */
export class Network {
  readonly #shared: Browser
  readonly #history: History
  readonly #setting: Setting
  readonly inFlight = new Set<Sent>()
  faults: { readonly kind: Kind | 'any'; readonly fate: Fate }[] = []
  /** The last answer to a load by its path, and whose it was. */
  readonly #cached = new Map<string, { readonly userId: string; readonly answer: Response }>()
  /** The last load of each tab and path; null: it is sent again. */
  readonly #loads = new Map<string, { readonly session: Session | undefined; readonly sentAt: number } | null>()
  /** The names of what has been created. */
  readonly #created = new Set<string>()
  /** When a refresh was last under way. */
  #refreshedAt = -Infinity
  latency: () => number = () => 1

  constructor(shared: Browser, history: History, setting: Setting) {
    this.#shared = shared
    this.#history = history
    this.#setting = setting
  }

  /** The fetch of one tab. */
  async fetch(tab: SimulatedTab, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(new Request(input).url)
    const headers = new Headers(init.headers)
    const [access, refresh] = [headers.get('x-stack-access-token'), headers.get('x-stack-refresh-token')]
    const kind = kindOf(init.method ?? 'GET', pathname, access)
    const token = kind === 'refresh' ? (init.body as URLSearchParams).get('refresh_token') : null
    const history = this.#history
    const session = token === null ? history.ofAccess(access) : history.byToken.get(token)
    const sent: Sent = { tab, kind, session, token, isRobbed: false }
    history.paired({ accessToken: access, refreshToken: refresh }, `a request of ${tab.name}`)
    this.#judge(sent, access, pathname, init.body)
    if (kind === 'load') this.#judgePace(sent, pathname)
    const index = this.faults.findIndex(fault => fault.kind === kind || fault.kind === 'any')
    const [fault] = index < 0 ? [] : this.faults.splice(index, 1)
    history.log(`${tab.name} sends ${kind} of ${history.nameOf(session)}${fault ? `: ${fault.fate}` : ''}`)
    history.trouble.ofFaults ||= fault !== undefined
    if (fault && (kind === 'end' || kind === 'refresh')) history.trouble.ofEnds = true
    this.inFlight.add(sent)
    let hasArrived = false
    const sentAt = this.#shared.clock.monotonic()
    const travel = async () => {
      await this.#pause()
      const answer = await this.#answer(sent, pathname, input, init, fault?.fate)
      hasArrived = true
      if (kind === 'load') this.#answered(tab.name + pathname, isDone(answer) && !fault, session, sentAt)
      return answer
    }
    const { signal } = init
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        this.inFlight.delete(sent)
        reject(signal.reason as Error)
      })
    })
    try {
      return await tab.later(Promise.race([travel(), aborted]))
    } catch (error) {
      if (kind === 'load') this.#answered(tab.name + pathname, false, session, sentAt)
      throw error
    } finally {
      this.inFlight.delete(sent)
      if (kind === 'write') tab.shown.answered(namedIn(init.body) ?? '')
      if (kind === 'refresh') this.#refreshedAt = this.#shared.clock.monotonic()
      if (
        kind === 'refresh' &&
        session &&
        (!hasArrived || fault || this.#shared.clock.monotonic() - sentAt > attemptMillis)
      )
        session.isTroubled = true
    }
  }

  /** The lock was taken from a frozen tab: it goes on without when it wakes. */
  robbed(frozen: readonly SimulatedTab[]): void {
    for (const tab of frozen) tab.isRobbed = true
    for (const sent of this.inFlight)
      if (sent.kind === 'refresh' && sent.tab.isRobbed) {
        sent.isRobbed = true
        if (sent.session) sent.session.isTroubled = true
        this.#history.reach('the lock is taken from a frozen tab')
      }
  }

  /** The tab is no more. */
  closed(tab: SimulatedTab): void {
    for (const sent of this.inFlight) {
      if (sent.tab !== tab) continue
      this.inFlight.delete(sent)
      if (sent.kind === 'refresh' && sent.session) sent.session.isTroubled = true
    }
  }

  /** What a tab must not send. */
  #judge({ tab, kind, session, token }: Sent, access: string | null, path: string, body: RequestInit['body']): void {
    const history = this.#history
    const name = `${tab.name} sends ${kind} of ${history.nameOf(session)}`
    const isOther = history.isSync && session !== history.present
    // A sign-out goes on without its call.
    const isSlow = !history.isSync || this.#refreshedAt > this.#shared.clock.monotonic() - 60_000
    const isAsked = !tab.isIdle(isSlow) || kind === 'end' || session?.isOver === true
    history.require(!tab.isDisposed || kind === 'end', 'a disposed app is silent', name)
    history.require(isAsked, 'nothing is requested that is not watched', name)
    if (kind === 'refresh') {
      const other = [...this.inFlight].find(
        other =>
          other.kind === 'refresh' &&
          other.session === session &&
          !other.isRobbed &&
          (this.#setting.hasLocks || (other.tab === tab && other.token === token)),
      )
      history.require(
        !other || tab.isRobbed,
        'one refresh in flight',
        `${name}, and ${other?.tab.name} has one in flight`,
      )
      if (session?.isOver) history.reach('a sign-out renews its access token')
      else if (this.#setting.hasLocks && history.isSync)
        history.require(
          token === (session === history.present ? history.stored : session)?.refreshToken ||
            // Of a session that waits, an answer with a newer one was lost.
            (session !== history.present && session?.isTroubled === true),
          'no refresh with a replaced token',
          name,
        )
      const { accessToken } = history.stored ?? {}
      const claims = accessToken ? readAccessToken(accessToken) : null
      const isFresh = (claims?.expiresAtMillis ?? 0) - this.#shared.clock.now() > 60_000
      const isExcused =
        session?.isOver || history.trouble.ofClocks || history.trouble.ofSleep || tab.refused.has(accessToken ?? '')
      if (this.#setting.hasLocks && history.isSync && claims?.sessionId === session?.id)
        history.require(isExcused || !isFresh, 'no needless refresh', name)
      return
    }
    const claims = access === null ? null : readAccessToken(access)
    // A sign-out repeats its request with the token that it has, and gets another one if that is refused.
    // Nor does an app look at the age of a token by which it asks who waits.
    const isWaiting = history.trouble.ofSleep && session !== history.present
    if (claims && kind !== 'end' && !isWaiting && !history.trouble.ofClocks)
      history.require(claims.expiresAtMillis! > this.#shared.clock.now(), 'no expired token is sent', name)
    if (kind === 'end') history.require(session?.isOver === true, 'only what was signed out is ended', name)
    if (kind !== 'write') return
    const [, meant = history.ownerOf(path.split('/').at(-1)!)] = /by[ .]([\da-f-]{36})/.exec(body as string) ?? []
    history.require(
      meant === undefined || meant === claims?.userId,
      'no write is sent as another person',
      `${name}: ${path} of ${meant}`,
    )
    history.require(!isOther, 'no write is sent for a session that has gone', name)
  }

  /** One that is sent again has begun before. */
  #answered(load: string, isUsual: boolean, session: Session | undefined, sentAt: number): void {
    const isFirst = this.#loads.get(load) !== null
    this.#loads.delete(load)
    if (!isUsual) this.#loads.set(load, null)
    else if (isFirst) this.#loads.set(load, { session, sentAt })
  }

  /** Two loads of a store do not begin at the same time. */
  #judgePace({ tab, session }: Sent, path: string): void {
    const now = this.#shared.clock.monotonic()
    const before = this.#loads.get(tab.name + path)
    if (before?.session !== session || !before || !this.#history.isSync) return
    const { sentAt } = before
    // A load that waits for a refresh is sent later than it begins, and one after a sign-in begins at once.
    const isDelayed = this.#refreshedAt > sentAt - 20_000 || this.#history.changedAt > sentAt
    this.#history.require(
      isDelayed || now - sentAt >= throttleMillis,
      'no store loads twice at a time',
      `${tab.name}: ${path}`,
    )
  }

  #pause(): Promise<void> {
    return wait(this.#shared.clock, this.latency())
  }

  async #answer(
    sent: Sent,
    path: string,
    input: RequestInfo | URL,
    init: RequestInit,
    fate: Fate | undefined,
  ): Promise<Response> {
    const { tab, kind, session } = sent
    const history = this.#history
    if (fate === 'request lost') throw new TypeError('fetch failed')
    if (fate?.endsWith('page') || fate === '429' || fate === '503') return gateway(Number.parseInt(fate))
    const cached = this.#cached.get(path)
    // The kit knows by its user whose an answer is; a list of teams names none.
    if (fate === 'mixed up' && path.endsWith('/users/me') && cached && cached.userId !== session?.userId) {
      history.reach("a gateway answers with another person's answer")
      return cached.answer.clone()
    }
    const send = () => this.#shared.platform.options.fetch(input, { ...init, signal: null })
    if (fate === 'doubled') {
      const first = await send()
      if (kind === 'write') await this.#arrived(sent, path, init, first)
      // The copy creates what it names once more.
      this.#created.delete(namedIn(init.body) ?? '')
    }
    const answer = await send()
    await this.#arrived(sent, path, init, answer.clone())
    await this.#pause()
    if (fate === 'late') await wait(this.#shared.clock, 2000 + 20 * this.latency())
    if (fate === 'hangs') await new Promise(() => undefined)
    if (fate === 'answer lost') throw new TypeError('fetch failed')
    if (kind === 'refresh' && session?.isOver) history.reach('a refresh is answered after the sign-out')
    if (kind === 'load' && session && tab.userId !== undefined && tab.userId !== session.userId)
      history.reach('a load is answered under another person')
    const code = answer.headers.get('x-stack-known-error')
    // A token may name the rights in teams.
    const isOutdated = kind === 'write' && path.includes('/teams')
    if (code !== null || isOutdated) tab.refused.add(new Headers(init.headers).get('x-stack-access-token') ?? '')
    // One that came while the write was under way may be older than the write.
    if (isOutdated) tab.refused.add(history.stored?.accessToken ?? '')
    if (fate !== 'truncated') return answer
    const text = await answer.text()
    return new Response(text.slice(0, text.length / 2), { status: answer.status, headers: answer.headers })
  }

  /** What the platform has done. */
  async #arrived(
    { kind, session }: Sent,
    path: string,
    { body, method }: RequestInit,
    answer: Response,
  ): Promise<void> {
    const history = this.#history
    const text = await answer.clone().text()
    const told = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string | undefined>
    const isTaken = isDone(answer)
    if (isTaken && told['access_token'] && (kind === 'refresh' || kind === 'sign-in'))
      history.learn(told['access_token'], told['refresh_token'] ?? '')
    if (kind === 'load' && session && isTaken) this.#cached.set(path, { userId: session.userId, answer })
    if (kind === 'end' && isTaken && session) session.isDead = true
    if (kind === 'write' && isTaken && session) {
      const name = namedIn(body)
      // Creations name what they create, each by a name of its own.
      if (name !== undefined && method === 'POST') {
        history.require(!this.#created.has(name), 'nothing is created twice', name)
        this.#created.add(name)
      }
      this.#written(
        session,
        path,
        (body as string | undefined)?.includes('client_metadata') ? 'note' : 'name',
        name,
        told['id'],
      )
    }
    if (told['code'] === 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') {
      const isRefreshing = [...this.inFlight].some(other => other.kind === 'refresh')
      history.reach(isRefreshing ? 'a second factor is asked for during a refresh' : 'a second factor is asked for')
    }
    if (kind !== 'refresh' || !session || isTaken) return
    history.log(`the platform refuses a refresh of ${history.nameOf(session)}: ${told['code']}`)
    const isExpected = session.isDead || session.isOver || session.isTroubled || !this.#setting.hasLocks
    history.require(
      isExpected,
      'no session is lost',
      `the platform has refused a refresh of ${history.nameOf(session)}`,
    )
    history.reach('the platform refuses a refresh')
    session.isDead = true
  }

  #written({ userId }: Session, path: string, what: string, name: string | undefined, id: string | undefined): void {
    const history = this.#history
    const kind = ['teams', 'user-api-keys', 'contact-channels'].find(one => path.includes(one))
    if (id && kind && history.ownerOf(id) === undefined) history.made.push({ id, kind, userId })
    // Another session of the user.
    const ended = history.sessions.get(path.split('/').at(-1)!)
    if (ended) ended.isDead = true
    if (name === undefined) return
    history.log(`the platform writes ${name}`)
    history.has(`${what} of ${path.endsWith('/users/me') ? userId : (id ?? '')}`, name)
  }
}
