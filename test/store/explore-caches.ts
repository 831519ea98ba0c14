import { systemClock, type ClientApp } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { BehaviorSubject } from 'rxjs'
import { wait } from '../../src/core/clock'
import { readAccessToken } from '../../src/transport/access-token'
import { keyStorage, type KeyStorage } from '../key-storage'
import { browser, credentialsOf, type Browser, type Tab } from '../tabs'
import { ada, grace } from '../world'
import { backend, otherCaches, type CacheName, type OtherCache } from './other-caches'

const people = [ada, grace]
const all = Object.keys(otherCaches) as CacheName[]

/** A body that an abort ends until it is read, as that of a browser. */
function until(signal: AbortSignal, text: string): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (signal.aborted) {
          controller.error(signal.reason)
          return
        }
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** A page of the app: in the back-forward cache none of its timers and answers is delivered, then all in their order. */
class Page {
  readonly tab: Tab
  readonly caches: readonly (readonly [CacheName, OtherCache])[]
  isAway = false
  readonly #shown$ = new BehaviorSubject(true)
  #waiting: (() => void)[] = []

  constructor({ clock, platform, tab }: Browser, localStorage: KeyStorage) {
    const whenShown = (run: () => void) => {
      if (this.isAway) this.#waiting.push(run)
      else run()
    }
    const answer = async <T>(asked: Promise<T>) => {
      const answered = await asked
      await new Promise<void>(whenShown)
      return answered
    }
    this.tab = tab({
      host: { localStorage, shown$: this.#shown$ },
      apiOrigins: [new URL(backend).origin],
      clock: { ...clock, setTimeout: (run, millis) => clock.setTimeout(() => whenShown(run), millis) },
      fetch: (...args) => answer(platform.options.fetch(...args)),
    })
    const { app } = this.tab
    this.caches = all.map(name => [name, otherCaches[name](app, (...args) => answer(app.fetch(...args)))] as const)
  }

  get app(): ClientApp {
    return this.tab.app
  }

  leave(): void {
    this.#shown$.next(false)
    this.tab.show(false)
    this.isAway = true
  }

  comeBack(): void {
    this.isAway = false
    this.tab.show(true)
    this.#shown$.next(true)
  }

  /** After the first frame: what has come while the page was away. */
  catchUp(): void {
    for (const run of this.#waiting.splice(0)) run()
  }

  close(): void {
    for (const [, cache] of this.caches) cache.close()
    this.app.dispose()
  }
}

/**
 * One run: three tabs of one browser with the caches of five libraries sign in and out, load, switch, and go into the
 * back-forward cache and come back, in the order of the seed. Returns what a screen has shown of another person than the one of `auth$`, or undefined. `without`: this binding is
 * left out.
 */
export async function exploreCaches(seed: number, without?: CacheName): Promise<string | undefined> {
  const random = virtualClock(undefined, { seed }).random
  const upTo = (limit: number) => Math.floor(random() * limit)
  const shared = browser({ startSeed: seed })
  const { clock } = shared
  const localStorage = keyStorage()
  const network = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const claims = readAccessToken(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
    await wait(clock, 1 + upTo(600), request.signal)
    const text = `notes of ${claims?.userId ?? 'a visitor'}`
    const isQuery = request.method === 'POST'
    return new Response(until(request.signal, isQuery ? JSON.stringify({ data: { notes: text } }) : text), {
      headers: { 'content-type': isQuery ? 'application/json' : 'text/plain' },
    })
  }
  const violations = new Map<CacheName | 'auth$', string>()
  const pages: Page[] = []
  const look = ({ app, caches, isAway }: Page, event: string) => {
    const auth = app.auth$.value
    if (isAway || auth.status === 'unknown') return
    const id = 'user' in auth ? auth.user.id : undefined
    for (const [name, cache] of caches) {
      const text = cache.shown()
      if (text === null || text.includes('a visitor') || (id !== undefined && text.includes(id))) continue
      violations.set(
        name,
        violations.get(name) ?? `${name} shows "${text}" under ${id ?? auth.status}, seen at ${event}`,
      )
    }
  }
  const open = () => {
    const page = new Page(shared, localStorage)
    pages.push(page)
    for (const [name, cache] of page.caches) {
      if (name !== without) cache.bind()
      cache.listen(() => look(page, `an event of ${name}`))
    }
    page.app.auth$.subscribe(() => look(page, 'auth$'))
  }
  const comeBack = async (page: Page) => {
    const userId = await shared.userId()
    page.comeBack()
    look(page, 'the return')
    const auth = page.app.auth$.value
    if ('user' in auth && auth.user.id !== userId)
      violations.set('auth$', `auth$ is ${auth.user.id} at the return, the cookies are of ${userId}`)
    page.catchUp()
  }
  const turn = async (millis: number) => {
    await clock.advance(millis)
    // React and the caches have timers of the machine.
    for (let turns = 0; turns < 3; turns++) {
      await new Promise<void>(resolve => systemClock.setTimeout(resolve, 0))
      for (const page of pages) look(page, 'a turn')
      await clock.advance(0)
    }
  }
  const quiet = (promise: Promise<unknown>) => void promise.catch(() => undefined)
  const load = ({ caches }: Page) => {
    for (const [, cache] of caches) if (upTo(3) > 0) quiet(cache.load())
  }
  const actions: ((page: Page) => unknown)[] = [
    load,
    load,
    load,
    ({ app }) => quiet(app.signInWithPassword(credentialsOf(people[upTo(2)]!))),
    ({ app }) => quiet(app.signOut()),
    () => quiet(shared.signIn(people[upTo(2)]!)),
    page => page.leave(),
  ]
  try {
    await shared.signIn(ada)
    for (let count = 0; count < 3; count++) open()
    await turn(100)
    for (let step = 0; step < 14 && violations.size === 0; step++) {
      const page = pages[upTo(pages.length)]!
      if (page.isAway) await comeBack(page)
      else actions[upTo(actions.length)]!(page)
      await turn(upTo(500))
    }
    for (const page of pages) if (page.isAway) await comeBack(page)
    await turn(3000)
    await turn(1000)
    for (const [name, cache] of pages[0]!.caches) {
      let kept = (await cache.kept?.()) ?? []
      // A database is deleted once other connections have closed, which takes turns of the machine, more if it is busy.
      for (let turns = 0; kept.length > 0 && turns < 100; turns++) {
        await turn(0)
        kept = (await cache.kept?.()) ?? []
      }
      if (kept.length > 0) violations.set(name, `${name} keeps ${kept.join()}`)
    }
    return violations.size > 0 ? [...violations.values()].join('\n') : undefined
  } finally {
    for (const page of pages) page.close()
    globalThis.fetch = network
    indexedDB = new IDBFactory()
  }
}
