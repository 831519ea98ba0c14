import {
  accountTokens,
  cookieTokens,
  createClientApp,
  decide,
  followIdentity,
  rememberLastKnown,
  rememberSession,
  switchAccount,
  whenKnown,
} from 'rxauth'
import type { Host, Tokens, TokenStore } from 'rxauth'
import { wait } from '../../src/core/clock'
import { brokenStorage, keyStorage } from '../key-storage'
import { browser, credentialsOf, type Tab, type TabOptions } from '../tabs'
import { ada, grace, world } from '../world'

const day = 86_400_000
const known = (name: string | null) => `unknown ${name}`

/** A browser whose pages remember who was signed in, and whose network can be gone. */
function machine(options?: Parameters<typeof browser>[0]) {
  const one = browser(options)
  const localStorage = keyStorage()
  const network = { isUp: true }
  const fetch: typeof globalThis.fetch = async (...args) => {
    if (!network.isUp) throw new TypeError('Failed to fetch')
    return one.platform.options.fetch(...args)
  }
  const inTime = async <T>(promise: Promise<T>) => {
    promise.catch(() => undefined)
    await one.clock.advance(20_000)
    return one.clock.settled(promise)
  }
  const page = ({ host, ...given }: TabOptions = {}) => {
    const tab = one.tab({ fetch, ...given, host: { localStorage, ...host } })
    return { ...tab, stop: rememberLastKnown(tab.app) }
  }
  const note = () => localStorage.items.get(`rxauth-known-${one.platform.options.projectId}`)
  return {
    ...one,
    localStorage,
    network,
    inTime,
    page,
    note,
    /** A page in which that person has been shown, and is closed. */
    async visit(person: typeof ada, given?: TabOptions) {
      const tab = page(given)
      await inTime(tab.app.signInWithPassword(credentialsOf(person)))
      await inTime(tab.app.user$.get())
      tab.kill()
      tab.app.dispose()
    },
    /** What the next page shows, in a browser that may have no network. */
    async offline(given?: TabOptions) {
      network.isUp = false
      const tab = page(given)
      const seen = watched(tab)
      await one.clock.advance(60_000)
      tab.kill()
      tab.app.dispose()
      network.isUp = true
      return seen
    },
  }
}

/** The states that a page shows, without those that it repeats. */
function watched({ app }: Tab): string[] {
  const seen: string[] = []
  app.auth$.subscribe(auth => {
    const name = 'lastKnown' in auth ? ` ${auth.lastKnown?.displayName ?? null}` : ''
    const text = auth.status === 'signed-in' ? `signed-in ${auth.user.displayName}` : auth.status + name
    if (text !== seen.at(-1)) seen.push(text)
  })
  return seen
}

// Promise: last-known
describe('a page without a network', () => {
  it('has who was shown last and when, beside the error, and the user once the network is back', async () => {
    const { visit, page, network, clock, inTime } = machine()
    await visit(ada)
    const seenAt = expect.any(Date) as Date
    await clock.advance(3 * day)
    network.isUp = false
    const { app } = page()
    const lastKnown = { id: expect.any(String) as string, displayName: 'Ada', primaryEmail: ada.email, seenAt }
    expect(app.auth$.value).toEqual({ status: 'unknown', lastKnown })
    app.auth$.subscribe()
    await clock.advance(60_000)
    expect(app.auth$.value).toMatchObject({ status: 'unknown', lastKnown, error: { code: 'NETWORK_ERROR' } })
    const { value } = app.auth$
    expect(value.status === 'unknown' && clock.now() - value.lastKnown!.seenAt.getTime() >= 3 * day).toBe(true)
    network.isUp = true
    await inTime(app.user$.refresh())
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { displayName: 'Ada' } })
    expect(app.auth$.value).not.toHaveProperty('lastKnown')
  })

  it('shows nothing without the call, which loads nothing itself', async () => {
    const { visit, tab, page, localStorage, requests, clock } = machine()
    await visit(ada)
    expect(tab({ host: { localStorage } }).app.auth$.value).toEqual({ status: 'unknown' })
    requests.length = 0
    page()
    await clock.advance(60_000)
    expect(requests).toEqual([])
  })

  it('still waits in guards, reads and writes, and sends nothing by the note', async () => {
    const { visit, page, network, inTime, clock } = machine()
    await visit(ada)
    network.isUp = false
    const { app } = page()
    const calls = [
      whenKnown(app),
      decide(app, { signedIn: true }, { url: '/' }),
      app.user$.get(),
      app.updateUser({ displayName: 'x' }),
    ]
    for (const call of calls) call.catch(() => undefined)
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    await clock.advance(60_000)
    for (const call of calls) await expect(inTime<unknown>(call)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
  })

  it.each<[string, (tab: ReturnType<ReturnType<typeof machine>['page']>) => Promise<unknown>, string]>([
    [
      'a name that the platform has taken',
      async ({ app }) => {
        app.user$.subscribe()
        await app.user$.get()
        await app.updateUser({ displayName: 'Countess' })
      },
      'Countess',
    ],
    ['a session with new tokens', ({ app }) => app.accessToken({ minMillis: 59_999 }), 'Ada'],
  ])('shows %s', async (_, change, name) => {
    const { visit, page, inTime, offline, clock } = machine({ rotation: { graceMillis: 0 } })
    await visit(ada)
    await clock.advance(600_000)
    const tab = page()
    await inTime(change(tab))
    tab.kill()
    expect(await offline()).toEqual([known(name)])
  })

  it('shows no name that the platform has yet to take', async () => {
    const { visit, page, offline, platform, inTime, clock } = machine()
    await visit(ada)
    const tab = page()
    const seen = watched(tab)
    await inTime(tab.app.user$.get())
    platform.faults.next('PATCH /users/me', { delayMillis: 5000 })
    tab.app.updateUser({ displayName: 'Countess' }).catch(() => undefined)
    await clock.advance(1000)
    expect(seen.at(-1)).toBe('signed-in Countess')
    tab.kill()
    expect(await offline()).toEqual([known('Ada')])
  })

  it('shows the person when cookies hold the refresh token alone, as after a day', async () => {
    const { visit, offline, jar, clock } = machine()
    await visit(ada)
    await clock.advance(day + 1)
    expect(jar.all.map(({ name }) => name)).toEqual([expect.stringMatching(/^stack-refresh/)])
    expect(await offline()).toEqual([known('Ada')])
  })

  it('shows the person when a page without the call has replaced the refresh token', async () => {
    const { visit, tab, offline, inTime, clock } = machine({ rotation: { graceMillis: 0 } })
    await visit(ada)
    await clock.advance(600_000)
    const other = tab()
    await inTime(other.app.accessToken())
    other.kill()
    expect(await offline()).toEqual([known('Ada')])
  })

  it('shows the person over a token store that answers later', async () => {
    const { visit, page, offline, clock } = machine()
    const held: { tokens: Tokens | null } = { tokens: null }
    const tokens: TokenStore = {
      read: async () => wait(clock, 50).then(() => held.tokens),
      replace: async (_, next) => wait(clock, 50).then(() => ((held.tokens = next), true)),
    }
    await visit(ada, { tokens })
    expect(await offline({ tokens })).toEqual(['unknown', known('Ada')])
    page({ tokens }).stop()
  })
})

// Promise: last-known
describe('nothing is shown, and the note is removed,', () => {
  it.each([
    ['30 days after', 30 * day - 60_000, [known('Ada')]],
    ['later', 30 * day, ['unknown']],
    ['if the note is of the future', -60_000, ['unknown']],
  ])('%s', async (_, millis, shown) => {
    const { visit, page, note, network, clock } = machine()
    await visit(ada)
    clock.shiftWall(millis)
    network.isUp = false
    expect(watched(page())).toEqual(shown)
    expect(note() === undefined).toBe(shown[0] === 'unknown')
  })

  it.each<[string, (one: ReturnType<typeof machine>, tab: Tab) => Promise<unknown>]>([
    ['a sign-out', async ({ inTime }, { app }) => inTime(app.signOut())],
    [
      'a sign-out in another tab',
      async ({ inTime, tab, clock }) => {
        await inTime(tab().app.signOut())
        await clock.advance(1000)
      },
    ],
    [
      'a sign-in of another person',
      async ({ inTime }, { app }) => inTime(app.signInWithPassword(credentialsOf(grace))),
    ],
    [
      'a sign-in of another person by another page',
      async ({ signIn, clock }) => {
        await signIn(grace)
        await clock.advance(1000)
      },
    ],
    [
      'the end of the session on the platform',
      async ({ platform, inTime, clock }, { app }) => {
        const { read } = await platform.tokensFor(ada.email)
        const other = createClientApp({ ...platform.options, tokens: { read, replace: () => true } })
        await inTime(other.signOut({ everywhere: true }))
        await clock.advance(600_000)
        expect(await inTime(app.accessToken())).toBeNull()
      },
    ],
    ['the deletion of the user', async ({ inTime }, { app }) => inTime(app.deleteUser())],
  ])('after %s', async (_, end) => {
    const one = machine({
      seed: { users: [ada, grace], project: { config: { clientUserDeletionEnabled: true } } },
    })
    await one.visit(ada)
    const tab = one.page()
    await one.inTime(tab.app.user$.get())
    expect(one.note()).toContain(ada.email)
    await end(one, tab)
    expect(one.note()).toBeUndefined()
  })

  it.each<[string, (one: ReturnType<typeof machine>) => unknown]>([
    ['a sign-out', async ({ tab, inTime }) => inTime(tab().app.signOut())],
    ['a sign-in of another person', async ({ signIn }) => signIn(grace)],
    ['another session of the same person', async ({ signIn }) => signIn(ada)],
  ])('by the next page, after %s that no page with the call has seen', async (_, change) => {
    const one = machine()
    await one.visit(ada)
    await change(one)
    expect(one.note()).toContain(ada.email)
    const seen = await one.offline()
    expect(seen.filter(text => text.includes('Ada'))).toEqual([])
    expect(one.note()).toBeUndefined()
  })

  it('by a page that was open meanwhile, and has not seen that session', async () => {
    const { visit, page, signIn, note, clock } = machine()
    const open = page()
    open.show(false)
    await visit(ada, { without: ['channel'] })
    await signIn(grace)
    expect(note()).toContain(ada.email)
    open.show(true)
    await clock.advance(1000)
    expect(note()).toBeUndefined()
  })

  it('by the next page, when the session has ended with the browser', async () => {
    const { visit, tab, inTime, jar, offline, note } = machine()
    await inTime(rememberSession(tab().app, false))
    await visit(ada)
    expect(await offline()).toEqual([known('Ada')])
    jar.end()
    expect(await offline()).toEqual(['signed-out'])
    expect(note()).toBeUndefined()
  })

  it('for an anonymous user', async () => {
    const { page, offline, note, inTime } = machine()
    const tab = page()
    tab.app.auth$.subscribe()
    await inTime(tab.app.signUpAnonymously())
    expect(tab.app.auth$.value.status).toBe('anonymous')
    tab.kill()
    expect([note(), await offline()]).toEqual([undefined, ['unknown']])
  })

  it('by `stop`, of the last of several calls', async () => {
    const { visit, page, note, network } = machine()
    await visit(ada)
    network.isUp = false
    const tab = page()
    const seen = watched(tab)
    const stop = rememberLastKnown(tab.app)
    tab.stop()
    expect([seen, note()]).toEqual([[known('Ada')], expect.stringContaining('Ada')])
    stop()
    expect([seen, note()]).toEqual([[known('Ada'), 'unknown'], undefined])
  })

  it('is not written again by a hidden tab that has yet to hear of a sign-out', async () => {
    const { visit, page, note, inTime, clock, platform } = machine()
    await visit(ada)
    const lonely = { without: ['channel'] as (keyof Host)[] }
    const [hidden, other] = [page(lonely), page(lonely)]
    watched(hidden)
    await clock.advance(1000)
    hidden.show(false)
    platform.faults.next('GET /users/me', { delayMillis: 5000 })
    const late = hidden.app.user$.refresh().catch(() => undefined)
    await clock.advance(1000)
    await inTime(other.app.signOut())
    await inTime(late)
    expect([note(), hidden.app.auth$.value.status]).toEqual([undefined, 'signed-in'])
  })
})

// Promise: last-known
describe('a change of the person', () => {
  it('in one of three tabs never shows the name of one beside the session of another', async () => {
    const { visit, page, network, inTime, clock, offline } = machine({ rotation: { graceMillis: 0 } })
    await visit(ada)
    const tabs = [page(), page(), page()]
    const seen = tabs.map(watched)
    await clock.advance(20_000)
    await inTime(tabs[0]!.app.signInWithPassword(credentialsOf(grace)))
    network.isUp = false
    await clock.advance(700_000)
    for (const states of seen)
      // Another tab may have noted the next person already.
      expect(states).toEqual([
        known('Ada'),
        'signed-in Ada',
        expect.stringMatching(/^unknown( Grace)?$/),
        'signed-in Grace',
      ])
    network.isUp = true
    for (const tab of tabs) tab.kill()
    expect(await offline()).toEqual([known('Grace')])
  })

  it('by `switchAccount` is one too', async () => {
    const { page, inTime, localStorage, offline, note } = machine()
    const tokens = accountTokens(cookieTokens(), { storage: localStorage })
    const tab = page({ tokens })
    for (const person of [ada, grace]) {
      await inTime(tab.app.signInWithPassword(credentialsOf(person)))
      await inTime(tab.app.user$.get())
    }
    const { id: userId } = (await inTime(tab.app.user$.get()))!
    await inTime(tab.app.signInWithPassword(credentialsOf(ada)))
    expect(note()).toBeUndefined()
    expect(await inTime(switchAccount(tab.app, { userId }))).toEqual({ ok: true })
    expect(note()).toBeUndefined()
    await inTime(tab.app.user$.get())
    tab.kill()
    expect(await offline({ tokens })).toEqual([known('Grace')])
  })

  it('shows no name while `followIdentity` empties caches', async () => {
    const { visit, page, network, clock } = machine()
    await visit(ada)
    network.isUp = false
    const tab = page()
    followIdentity(tab.app, { clear: async () => wait(clock, 1000) })
    const seen = watched(tab)
    expect(seen).toEqual(['unknown'])
    await clock.advance(1000)
    expect(seen).toEqual(['unknown', known('Ada')])
  })
})

// Promise: last-known
describe('without a storage', () => {
  it.each([
    ['blocked', brokenStorage],
    ['full', () => ({ ...keyStorage(), setItem: brokenStorage().setItem })],
  ])('that is %s, nothing is kept and the sign-in works, and `stop` ends the watch', async (_, made) => {
    const { channels, visit, offline, page, inTime } = machine()
    const host = { localStorage: made() }
    await visit(ada, { host })
    expect(await offline({ host })).toEqual(['unknown'])
    const { app, stop } = page({ host })
    expect((await inTime(app.user$.get()))?.displayName).toBe('Ada')
    expect(channels.openCount).toBe(1)
    stop()
    expect(channels.openCount).toBe(0)
  })

  it('with anything in it, a text or fields of another kind, nothing is shown', async () => {
    const { visit, offline, note, localStorage } = machine()
    await visit(ada)
    const text = note()!
    const [key] = [...localStorage.items.keys()].filter(name => name.startsWith('rxauth-known'))
    for (const other of [
      '',
      'x',
      'null',
      '[]',
      '{}',
      text.replace(/"id":"[^"]*"/, '"id":7'),
      text.replace(/"seenAt":\d+/, '"seenAt":"x"'),
    ]) {
      localStorage.items.set(key!, other)
      expect(await offline()).toEqual(['unknown'])
    }
    localStorage.items.set(key!, text.replace('"Ada"', '{}'))
    expect(await offline()).toEqual([known(null)])
  })

  it('as on a server, the call does nothing', async () => {
    const { app, inTime, clock } = await world()
    const stop = rememberLastKnown(app)
    await inTime(app.user$.get())
    await clock.advance(10_000)
    expect(app.auth$.value).toEqual({ status: 'unknown' })
    stop()
    app.dispose()
    expect(() => rememberLastKnown(app)).toThrow('disposed')
  })
})

// Promise: last-known
it('holds no token in the note, and no id of the session', async () => {
  const { visit, note, jar } = machine()
  await visit(ada)
  expect(Object.keys(JSON.parse(note()!) as object).sort()).toEqual([
    ...['displayName', 'id', 'primaryEmail', 'seenAt', 'session', 'token'],
  ])
  const { value } = jar.all.find(({ name }) => name.startsWith('stack-refresh'))!
  expect(note()).not.toContain(decodeURIComponent(value))
})
