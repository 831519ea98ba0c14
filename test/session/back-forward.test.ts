/** @jest-environment ./test/setup/jsdom-environment.ts */
import { createClientApp, storageTokens, type ClientApp, type TokenStore } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { Subject } from 'rxjs'
import { browser } from '../tabs'
import { ada, grace } from '../world'
import { states } from './tab-world'

/** The page goes into the browser's cache, or comes back from it. */
function turn(type: 'pagehide' | 'pageshow'): void {
  window.dispatchEvent(Object.assign(new Event(type), { persisted: true }))
}

/** A page whose tokens are in the storage of the browser; nothing tells it of other writers while it is away. */
async function page() {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada, grace] } })
  window.localStorage.clear()
  const tokens = storageTokens(localStorage)
  const become = async (email: string | null) => {
    const next = email === null ? null : (await platform.tokensFor(email)).read()
    await tokens.replace(await tokens.read(), next)
  }
  await become(ada.email)
  const app = createClientApp({ ...platform.options, tokens })
  const names: unknown[] = []
  app.user$.subscribe(user => names.push(user?.displayName ?? null))
  await clock.advance(0)
  return { app, become, clock, names }
}

let open: ClientApp | undefined
afterEach(() => open?.dispose())

describe('a page that comes back from the back-forward cache', () => {
  // Promise: back-forward-page
  it('shows no user at once if the session has ended meanwhile', async () => {
    const { app, become, names } = await page()
    open = app
    turn('pagehide')
    await become(null)
    expect(names).toEqual(['Ada'])
    let seen: unknown
    const look = () => (seen = app.user$.snapshot)
    window.addEventListener('pageshow', look)
    turn('pageshow')
    window.removeEventListener('pageshow', look)
    expect(names).toEqual(['Ada', null])
    expect(seen).toMatchObject({ status: 'ready', value: null })
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'elsewhere' })
  })

  it('shows nothing of the user before if another one has signed in, then that one', async () => {
    const { app, become, clock, names } = await page()
    open = app
    turn('pagehide')
    await become(grace.email)
    turn('pageshow')
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    await clock.advance(0)
    expect(names).toEqual(['Ada', 'Grace'])
  })

  it('keeps what it shows if the session is the same', async () => {
    const { app, clock, names } = await page()
    open = app
    for (let times = 0; times < 3; times++) {
      turn('pagehide')
      turn('pageshow')
    }
    await clock.advance(1000)
    expect(names).toEqual(['Ada'])
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', refreshing: false })
  })

  it('leaves no listener behind', async () => {
    const { app } = await page()
    const removed: string[] = []
    const { removeEventListener } = window
    jest.spyOn(window, 'removeEventListener').mockImplementation((...args: Parameters<typeof removeEventListener>) => {
      removed.push(args[0])
      removeEventListener.apply(window, args)
    })
    app.dispose()
    jest.restoreAllMocks()
    expect(removed).toEqual(expect.arrayContaining(['pageshow', 'pagehide', 'storage']))
  })
})

describe('a page in the back-forward cache', () => {
  // Promise: back-forward-page
  it('holds no channel, subscription and timer, which would keep it out or end it', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const shown$ = new Subject<boolean>()
    const changes$ = new Subject<void>()
    const { app } = tab({ host: { shown$ } })
    const seen: string[] = []
    app.auth$.subscribe(auth => seen.push(auth.status))
    await clock.advance(0)
    expect([channels.openCount, app.inspect().timers]).toEqual([1, 1])
    shown$.next(false)
    expect([channels.openCount, app.inspect().timers]).toEqual([0, 0])
    shown$.next(true)
    expect([channels.openCount, app.inspect().timers]).toEqual([1, 1])
    app.dispose()
    expect([channels.openCount, app.inspect().timers, shown$.observed]).toEqual([0, 0, false])

    const stored: TokenStore = { ...(await platform.tokensFor(ada.email)), changes$ }
    const other = tab({ tokens: stored, host: { shown$ } })
    states(other)
    expect(changes$.observed).toBe(true)
    shown$.next(false)
    expect(changes$.observed).toBe(false)
    shown$.next(true)
    expect(changes$.observed).toBe(true)
    expect(seen).toEqual(['unknown', 'signed-in'])
  })

  it('sees at its return a sign-out of another tab, whose message it has missed', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const shown$ = new Subject<boolean>()
    const one = tab({ host: { shown$ } })
    const seen = states(one)
    await clock.advance(0)
    shown$.next(false)
    await clock.settled(tab().app.signOut())
    await clock.advance(1000)
    expect(seen).toEqual(['unknown', 'Ada'])
    shown$.next(true)
    expect(seen).toEqual(['unknown', 'Ada', 'elsewhere'])
  })
})
