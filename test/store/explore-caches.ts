import { systemClock } from 'rxauth'
import type { ClientApp } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { wait } from '../../src/core/clock'
import { readAccessToken } from '../../src/transport/access-token'
import { keyStorage } from '../key-storage'
import { browser, credentialsOf } from '../tabs'
import { ada, grace } from '../world'
import { backend, otherCaches } from './other-caches'
import type { CacheName, OtherCache } from './other-caches'

const people = [ada, grace]
const all = Object.keys(otherCaches) as CacheName[]

/**
 * One run: three tabs of one browser with the caches of five libraries sign in and out, load and switch, in the order of the
 * seed. Returns what a screen has shown of another person than the one of `auth$`, or undefined. `without`: this binding is
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
    return request.method === 'POST' ? Response.json({ data: { notes: text } }) : new Response(text)
  }
  const violations = new Map<CacheName, string>()
  const tabs: { readonly app: ClientApp; readonly caches: readonly (readonly [CacheName, OtherCache])[] }[] = []
  const look = ({ app, caches }: (typeof tabs)[number], event: string) => {
    const auth = app.auth$.value
    if (auth.status === 'unknown') return
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
    const { app } = shared.tab({ host: { localStorage }, apiOrigins: [new URL(backend).origin] })
    const caches = all.map(name => [name, otherCaches[name](app)] as const)
    const tab = { app, caches }
    tabs.push(tab)
    for (const [name, cache] of caches) {
      if (name !== without) cache.bind()
      cache.listen(() => look(tab, `an event of ${name}`))
    }
    app.auth$.subscribe(() => look(tab, 'auth$'))
  }
  const turn = async (millis: number) => {
    await clock.advance(millis)
    // React and the caches have timers of the machine.
    for (let turns = 0; turns < 3; turns++) {
      await new Promise<void>(resolve => systemClock.setTimeout(resolve, 0))
      for (const tab of tabs) look(tab, 'a turn')
      await clock.advance(0)
    }
  }
  const quiet = (promise: Promise<unknown>) => void promise.catch(() => undefined)
  const load = (tab: (typeof tabs)[number]) => {
    for (const [, cache] of tab.caches) if (upTo(3) > 0) quiet(cache.load())
  }
  const actions: ((tab: (typeof tabs)[number]) => unknown)[] = [
    load,
    load,
    load,
    ({ app }) => quiet(app.signInWithPassword(credentialsOf(people[upTo(2)]!))),
    ({ app }) => quiet(app.signOut()),
    () => quiet(shared.signIn(people[upTo(2)]!)),
  ]
  try {
    await shared.signIn(ada)
    for (let count = 0; count < 3; count++) open()
    await turn(100)
    for (let step = 0; step < 14 && violations.size === 0; step++) {
      const tab = tabs[upTo(tabs.length)]!
      actions[upTo(actions.length)]!(tab)
      await turn(upTo(500))
    }
    await turn(3000)
    await turn(1000)
    for (const [name, cache] of tabs[0]!.caches) {
      const kept = (await cache.kept?.()) ?? []
      if (kept.length > 0) violations.set(name, `${name} keeps ${kept.join()}`)
    }
    return violations.size > 0 ? [...violations.values()].join('\n') : undefined
  } finally {
    for (const { app, caches } of tabs) {
      for (const [, cache] of caches) cache.close()
      app.dispose()
    }
    globalThis.fetch = network
    indexedDB = new IDBFactory()
  }
}
