import type { Auth, Tokens } from 'rxauth'
import { cookieTokens } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { wait } from '../../src/core/clock'
import { readAccessToken } from '../../src/transport/access-token'
import { browser, credentialsOf } from '../tabs'
import type { Tab, TabOptions } from '../tabs'
import { ada, grace } from '../world'
import { Ledger } from './ledger'

const refreshPath = '/api/v1/auth/oauth/token'
const people = [ada, grace]

/** Breaks one tab like a planted bug. */
export type Plant = (options: TabOptions) => TabOptions

interface Operation {
  readonly name: string
  readonly app: Tab['app']
  isSettled: boolean
}

/**
 * One run: tabs of one browser act like users, platforms and crashes, in the order of the seed.
 *
 * Returns the violation, or undefined. The rules are in `Ledger`; besides, nothing may hang, and in the end every tab shows
 * the signed-in user and has a token for it.
 */
export async function explore(seed: number, plant: Plant = options => options): Promise<string | undefined> {
  const random = virtualClock(undefined, { seed }).random
  const upTo = (limit: number) => Math.floor(random() * limit)
  const shared = browser({ rotation: true, startSeed: seed })
  const { clock, platform, jar, locks } = shared
  const page = jar.on('https://app.example.com/')
  const ledger = new Ledger(clock, page, platform.options.projectId)
  const operations: Operation[] = []
  const tabs: Tab[] = []
  /** The fate of the next refresh of any tab. */
  let fate: 'lost' | 'refused' | 'dies before' | 'dies after' | undefined
  let isOrphaned = false
  let inside = false

  /** The action of another tab between two cookies that this one writes. */
  const between = () => {
    ledger.cookiesChanged()
    const tab = tabs[upTo(tabs.length * 2)]
    if (inside || !tab) return
    inside = true
    start('token between two cookies', tab.app, tab.app.accessToken())
    inside = false
  }

  const start = (name: string, app: Tab['app'], promise: Promise<unknown>) => {
    const operation = { name, app, isSettled: false }
    operations.push(operation)
    const settle = () => (operation.isSettled = true)
    promise.then(settle, settle)
  }

  const die = (tab: Tab, refreshToken: string) => {
    ledger.log('dies')
    ledger.refreshed(refreshToken, undefined, false)
    tab.kill()
    tabs.splice(tabs.indexOf(tab), 1)
    isOrphaned = true
  }

  const open = () => {
    const own: { tab?: Tab } = {}
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(new Request(input).url)
      const pause = () => wait(clock, 1 + random() * 300)
      if (pathname !== refreshPath) {
        ledger.sending(new Headers(init?.headers), init?.method ?? 'GET', init?.body as string)
        await pause()
        const answer = await platform.options.fetch(input, init)
        await ledger.answered(answer.clone())
        await pause()
        return answer
      }
      const [now, token] = [fate, (init?.body as URLSearchParams).get('refresh_token')!]
      fate = undefined
      ledger.refreshing(token)
      await pause()
      if (now === 'dies before' && own.tab && tabs.length > 1) die(own.tab, token)
      if (now === 'refused') {
        ledger.refreshed(token, undefined, false)
        return new Response('down', { status: 503 })
      }
      const answer = await platform.options.fetch(input, init)
      await pause()
      if (now === 'dies after' && own.tab && tabs.length > 1) die(own.tab, token)
      const isLost = now === 'lost' || (own.tab !== undefined && !tabs.includes(own.tab))
      ledger.refreshed(token, (await answer.clone().json()) as object, isLost, answer.status)
      if (isLost) throw new TypeError('fetch failed')
      return answer
    }
    const options: TabOptions = {
      fetch,
      tokens: cookieTokens(),
      clock: { ...clock, random },
      wrap: host => ({
        ...host,
        cookies: {
          get: host.cookies!.get,
          set(text) {
            host.cookies!.set(text)
            between()
          },
        },
      }),
    }
    const tab = shared.tab(plant(options))
    own.tab = tab
    tabs.push(tab)
    tab.app.user$.subscribe({ error: () => undefined })
    let held: Tokens | null = null
    tab.app.tokens$.subscribe(tokens => {
      if (tokens === undefined) return
      held = tokens
      ledger.paired(tokens)
    })
    tab.app.auth$.subscribe(ledger.watch(() => held))
  }

  const idle = async (millis: number) => {
    for (const tab of tabs) tab.show(false)
    await clock.advance(millis)
    for (const tab of tabs) tab.show(true)
  }

  const signOut = (tab: Tab) => {
    ledger.signingOut()
    start('sign-out', tab.app, tab.app.signOut())
  }

  const actions: ((tab: Tab) => unknown)[] = [
    ({ app }) => start('token', app, app.accessToken()),
    ({ app }) => start('load', app, app.user$.refresh()),
    ({ app }) => write(app.auth$.value, app),
    ({ app }) => write(app.auth$.value, app),
    ({ app }) => start('sign-in', app, app.signInWithPassword(credentialsOf(people[upTo(2)]!))),
    signOut,
    () => (fate = 'lost'),
    () => (fate = 'refused'),
    () => (fate = upTo(2) ? 'dies before' : 'dies after'),
    () => platform.faults.next('PATCH /users/me', { status: 429, retryAfter: '1' }),
    tab => tab.show(upTo(2) === 1),
    () => (tabs.length < 4 ? open() : undefined),
    async () => {
      await shared.signIn(people[upTo(2)]!)
      ledger.writtenElsewhere()
    },
    () => idle(580_001 + upTo(30_000)),
    () => idle(580_001 + upTo(30_000)),
    () => idle(580_001 + upTo(30_000)),
  ]

  const write = (auth: Auth, app: Tab['app']) => {
    if (auth.status !== 'signed-in') return
    const { signal } = new AbortController()
    start('write', app, app.updateUser({ displayName: `by ${auth.user.id}` }, { signal }))
  }

  await shared.signIn(ada)
  ledger.writtenElsewhere()
  for (let count = 2 + upTo(2); count > 0; count--) open()
  await clock.advance(1000)
  for (let step = 0; step < 24 && !ledger.violation; step++) {
    const action = actions[upTo(actions.length)]!
    ledger.log(String(action).slice(0, 60))
    await action(tabs[upTo(tabs.length)]!)
    for (const tab of tabs) if (upTo(3) === 0) start('token', tab.app, tab.app.accessToken())
    await clock.advance(upTo(400))
    // A lost successor lives for a minute only, so another refresh has to come within it.
    if (isOrphaned) for (const tab of tabs) start('token after a death', tab.app, tab.app.accessToken())
    if (isOrphaned) await clock.advance(3000)
    isOrphaned = false
  }
  fate = undefined
  platform.faults.clear()
  await idle(40_000)
  await clock.advance(2000)
  const hanging = operations.find(({ app, isSettled }) => !isSettled && tabs.some(tab => tab.app === app))
  if (hanging) ledger.violate(`hangs: ${hanging.name}`)
  if (locks.held.size > 0) ledger.violate('a lock is still held')
  for (const { app } of tabs) {
    const final: { token?: string | null | Error } = {}
    app.accessToken().then(
      token => (final.token = token),
      (error: unknown) => (final.token = error as Error),
    )
    await clock.advance(2000)
    const { token } = final
    const isRight = ledger.present
      ? typeof token === 'string' && readAccessToken(token)?.sessionId === ledger.present.id
      : token === null
    if (!isRight) ledger.violate(`a tab has ${token instanceof Error ? token.message : String(token)} in the end`)
    const shown = app.auth$.value
    const isShown = ledger.present
      ? shown.status === 'signed-in' && shown.user.id === ledger.present.userId
      : shown.status === 'signed-out'
    if (!isShown) ledger.violate(`a tab shows ${JSON.stringify(shown)} in the end`)
  }
  for (const { app } of tabs) app.dispose()
  return ledger.violation
}
