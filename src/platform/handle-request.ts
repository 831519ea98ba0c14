import { throwIfAborted } from '../core/signals'
import type { Subject } from 'rxjs'
import { wait, type Clock } from '../core/clock'
import { byProxy, spoil, type Budgets, type FaultPlan } from './test-tools/faults'
import { inUnit, type OpenEngine, type PlatformServices } from './model/engine'
import { bareReply, jsonType, platformReply, textType, toResponse, withoutTwins, type Reply } from './http/reply'
import { isOfConsole, type LocalAccess } from './console/local-access'
import { accessOf, perform } from './http/perform'
import type { AnsweredRequest } from './platform'
import { logoFile } from './directory/projects'
import { locate, pathOf, type Address, type RouteMatch } from './http/router'
import { mailboxPage, signInAs } from './pages/pages'
import { answerProvider } from './provider/provider'
import { isVirtual, type Work } from './test-tools/virtual-clock'

interface HandlerParts {
  readonly host: PlatformServices
  readonly access: LocalAccess
  readonly plan: FaultPlan
  readonly budgets: Budgets
  readonly addresses: readonly Address[]
  readonly answered$: Subject<AnsweredRequest>
}

/** Answers requests, applies the planned faults and publishes each answer. */
export function requestHandler({ host, access, plan, budgets, addresses, answered$ }: HandlerParts) {
  const { clock, rules } = host
  return async (sent: Request, work: Work | undefined): Promise<Response> => {
    const request = rules.hasHeaderTwins ? withoutTwins(sent) : sent
    const { method, headers, signal } = request
    throwIfAborted(signal)
    const url = new URL(request.url)
    const place = locate(addresses, method, url)
    if (place.kind === 'address') budgets.count(place.address)
    const fault = place.kind === 'address' && !isOfConsole(headers) ? plan.take(place.address) : undefined
    const [at, begunAt] = [clock.now(), clock.monotonic()]
    const reply = fault?.status === undefined ? await replyTo(host, place, request) : byProxy(fault.status)
    const delayMillis = (fault?.delayMillis ?? 0) + (reply.delayMillis ?? 0)
    if (delayMillis > 0) {
      work?.pause()
      await wait(clock, delayMillis, signal).finally(() => work?.resume())
    }
    const told = fault ? spoil(reply, fault) : reply
    if (place.kind !== 'preflight') {
      answered$.next({ method, path: pathOf(url.pathname), access: accessOf(headers), status: reply.status })
      access.note({ request, at, tookMillis: clock.monotonic() - begunAt, reply: told, fault })
    }
    if (fault?.loseResponse)
      throw new TypeError('fetch failed', { cause: new Error('the local platform was told to lose this answer') })
    const date = new Date(clock.now()).toUTCString()
    return toResponse({ ...told, headers: { date, ...told.headers } }, request, rules)
  }
}

/** Answers requests around the endpoints (preflight, redirects, unknown addresses); endpoints are handled by `perform`. */
async function replyTo(host: PlatformServices, place: RouteMatch, request: Request): Promise<Reply> {
  switch (place.kind) {
    case 'address':
      return perform(host, place.address, place.params, request)
    case 'page':
      return { ...(await inUnit(host, engine => answerPage(engine, place.path, request))), isPage: true }
    case 'preflight':
      return bareReply(200)
    case 'health':
      return platformReply(200, jsonType, JSON.stringify({ status: 'ok' }))
    case 'trailing slash':
      return bareReply(308, { location: place.location }, place.location)
    case 'wrong method':
      return bareReply(405)
    case 'unknown':
      return platformReply(404, textType, `The local platform has nothing at ${new URL(request.url).pathname}.`)
  }
}

async function answerPage(engine: OpenEngine, path: string, request: Request): Promise<Reply> {
  try {
    if (path.startsWith('/files/')) return logoFile(engine, path)
    if (path.startsWith('/oauth-provider/')) return await answerProvider(engine, path, request)
    if (engine.isStrict)
      return bareReply(404, { 'content-type': textType }, 'A strict platform has no page of its own.')
    if (request.method !== 'GET') return bareReply(405)
    return (path === '/mailbox' ? mailboxPage : signInAs)(engine, new URL(request.url))
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return platformReply(500, textType, `The local platform itself failed. ${what}`)
  }
}

/** Fills a platform with data; requests wait for it. */
export class Filling {
  /** Resolves when the data is there. Rejects if the platform could not be filled when it was made. */
  ready: Promise<void> = Promise.resolve()
  readonly #clock: Clock
  #running = 0
  hasEnded = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isRunning(): boolean {
    return this.#running > 0
  }

  begin(work: Promise<void>): void {
    this.ready = this.#run(work)
  }

  /** Adds to the data that is there. If it fails, later requests are answered all the same. */
  add(work: () => Promise<void>): Promise<void> {
    const added = this.#run(this.ready.then(work))
    this.ready = added.catch(() => undefined)
    return added
  }

  /** Runs once the data is there. A virtual clock waits for it. Rejects after the end of the platform. */
  async tracked<T>(run: (work: Work | undefined) => Promise<T>): Promise<T> {
    const work = this.#announced()
    try {
      await this.ready
      if (this.hasEnded) throw new Error('this local platform has been disposed')
      return await run(work)
    } finally {
      work?.end()
    }
  }

  #run(work: Promise<void>): Promise<void> {
    this.#running++
    // The virtual clock waits for the seed, so that its rows carry the time of the call.
    const announced = this.#announced()
    const filled = work.finally(() => {
      this.#running--
      announced?.end()
    })
    // A failure rejects `ready`; without this handler it would also be an unhandled rejection.
    filled.catch(() => undefined)
    return filled
  }

  #announced(): Work | undefined {
    return isVirtual(this.#clock) ? this.#clock.begin() : undefined
  }
}
