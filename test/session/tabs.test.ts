import { getEventListeners } from 'node:events'
import { allOf, cookieTokens, memoryTokens, mutation, only, query, type Host } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { BehaviorSubject, type Observable } from 'rxjs'
import { countedClock, wait } from '../../src/core/clock'
import { tokensInCookies } from '../../src/session/stores/cookie-format'
import { withTabLock } from '../../src/session/tabs'
import { readAccessToken } from '../../src/transport/access-token'
import { browser, credentialsOf, Locks, type Tab, type TabOptions } from '../tabs'
import { ada, grace } from '../world'
import { intercept } from './intercept'
import { accessTokenText } from './access-token-text'
import { shortly, states } from './tab-world'

const refresh = 'POST /auth/oauth/token'

const tenMinutes = 600_000

/** The state of a promise so far. */
function outcome<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const seen: { value?: T; error?: unknown } = {}
  promise.then(
    value => (seen.value = value),
    (error: unknown) => (seen.error = error),
  )
  return seen
}

/** Time passes while all tabs are hidden, without polls. */
async function idle({ clock }: ReturnType<typeof browser>, tabs: readonly Tab[], millis: number): Promise<void> {
  for (const tab of tabs) tab.show(false)
  await clock.advance(millis)
  for (const tab of tabs) tab.show(true)
}

/** Tabs with one session of Ada's whose access token has just expired. */
async function expired(count: number, options: Parameters<typeof browser>[0] = {}, given: TabOptions = {}) {
  const shared = browser(options)
  await shared.signIn(ada)
  const tabs = Array.from({ length: count }, () => shared.tab({ refreshOn: { visible: false }, ...given }))
  const seen = tabs.map(states)
  await shared.clock.advance(0)
  await idle(shared, tabs, tenMinutes)
  return { ...shared, tabs, seen }
}

describe('a sign-in', () => {
  it('is seen by the other tab within 100 ms', async () => {
    const { clock, tab } = browser()
    const [one, other] = [tab(), tab()]
    const seen = states(other)
    await clock.advance(50)
    void one.app.signInWithPassword(credentialsOf(ada))
    await clock.advance(100)
    expect(seen).toEqual(['never', 'unknown', 'Ada'])
  })

  it('as another user is seen by the other tab, which shows no value of the user before', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const seen = states(other)
    await clock.advance(0)
    void one.app.signInWithPassword(credentialsOf(grace))
    await clock.advance(200)
    expect(seen).toEqual(['unknown', 'Ada', 'unknown', 'Grace'])
  })

  it('is not seen by a hidden tab until it is shown, and then at once', async () => {
    const { clock, tab } = browser()
    const [one, other] = [tab(), tab()]
    const seen = states(other)
    other.show(false)
    void one.app.signInWithPassword(credentialsOf(ada))
    await clock.advance(5000)
    expect(seen).toEqual(['never'])
    other.show(true)
    expect(seen).toEqual(['never', 'unknown'])
  })
})

describe('the pair cookie, which all projects of a site share,', () => {
  const otherProject = '11111111-2222-4333-8444-555555555555'
  const theirs = JSON.stringify(['refresh-theirs', accessTokenText({ sub: 'user of another project' })])

  it.each([
    ['overwritten by the app of another project', `stack-access=${encodeURIComponent(theirs)}; path=/`],
    ['deleted, or too long to be written,', 'stack-access=; path=/; max-age=0'],
  ])('when %s costs no refresh, and only our own token is sent', async (_, cookie) => {
    const { clock, platform, refreshes, signIn, tab } = browser()
    await signIn(ada)
    const sent = new Set<string | null>()
    const { app, cookies } = tab({
      fetch: (input, init) => {
        sent.add(new Headers(init?.headers).get('x-stack-access-token'))
        return platform.options.fetch(input, init)
      },
    })
    const seen: string[] = []
    app.auth$.subscribe(auth => seen.push(shortly(auth)))
    await clock.advance(0)
    const token = outcome(app.accessToken())
    for (let second = 0; second < 10; second++) {
      cookies.set(cookie)
      await clock.advance(1000)
      void app.user$.refresh()
    }
    await clock.advance(0)
    expect(token.value).toEqual(expect.any(String))
    expect([refreshes(), [...sent], seen]).toEqual([0, [token.value], ['unknown', 'Ada']])
  })

  it('is written by two kits in turn without a refresh of either', async () => {
    const { clock, jar, platform, signIn, tab } = browser()
    const other = createPlatform({ clock, seed: { project: { id: otherProject }, users: [grace] } })
    await signIn(ada)
    const granted: string[] = []
    for (const { requests$ } of [platform, other])
      requests$.subscribe(({ method, path }) => {
        if (`${method} ${path}` === refresh) granted.push(path)
      })
    const [ours, others] = [tab(), tab({ ...other.options })]
    const seen = [states(ours), states(others)]
    await clock.advance(0)
    const signingIn = outcome(others.app.signInWithPassword(credentialsOf(grace)))
    for (let second = 0; second < 10; second++) {
      await clock.advance(1000)
      for (const { app } of [ours, others]) void app.user$.refresh()
    }
    await clock.advance(0)
    expect(signingIn.value).toMatchObject({ ok: true })
    expect(seen).toEqual([
      ['unknown', 'Ada'],
      ['never', 'unknown', 'Grace'],
    ])
    expect(granted).toEqual([])
    expect(jar.all.map(({ name }) => name)).toHaveLength(3)
  })
})

describe('a sign-out', () => {
  // Promise: session-ended-elsewhere
  it('is seen by the other tab at once, by channel, with the reason elsewhere', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const seen = [states(one), states(other)]
    await clock.advance(0)
    other.show(false)
    void one.app.signOut()
    await clock.advance(0)
    expect(seen).toEqual([
      ['unknown', 'Ada', 'signed-out'],
      ['unknown', 'Ada', 'elsewhere'],
    ])
  })

  // Promise: shown-tab-sees-end
  it('of a session that came after a tab was hidden, and that a call of it has read, is seen when it is shown', async () => {
    const { clock, tab } = browser()
    const [one, other] = [tab({ without: ['channel'] }), tab({ without: ['channel'] })]
    const seen = states(other)
    other.show(false)
    await clock.settled(one.app.signInWithPassword(credentialsOf(ada)))
    await clock.settled(other.app.accessToken())
    await clock.settled(one.app.signOut())
    // The cookies are those of the last poll again.
    other.show(true)
    expect(seen).toEqual(['never', 'unknown', 'Ada', 'elsewhere'])
  })

  it.each([
    [99, ['unknown', 'Ada']],
    [100, ['unknown', 'Ada', 'elsewhere']],
  ])('without channels is seen by poll, %i ms after the last look or more: %j', async (millis, expected) => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab({ without: ['channel'] }), tab({ without: ['channel'] })]
    const seen = states(other)
    await clock.advance(0)
    void one.app.signOut()
    await clock.advance(millis)
    expect(seen).toEqual(expected)
  })

  it('is seen by a kit on a subdomain that shares the domain', async () => {
    const shared = browser()
    const tokens = () => cookieTokens({ domain: 'example.com' })
    const one = shared.tab({ tokens: tokens() })
    const other = shared.tab({ tokens: tokens(), address: 'https://www.example.com/deep/page' })
    const seen = states(other)
    void one.app.signInWithPassword(credentialsOf(ada))
    await shared.clock.advance(200)
    void one.app.signOut()
    await shared.clock.advance(200)
    expect(seen).toEqual(['never', 'unknown', 'Ada', 'elsewhere'])
    expect(shared.jar.all).toEqual([])
  })

  // Promise: session-ended-elsewhere
  it.each([
    ['with its pair', () => true],
    ['without its pair, which is too long for a cookie', (name: string) => name !== 'stack-access'],
  ])(
    'that another writer undoes by restoring the session %s stays in force: tabs drop the session',
    async (_, isKept) => {
      const { clock, jar, signIn, tab } = browser()
      await signIn(ada)
      const [one, other] = [tab(), tab()]
      const seen = states(other)
      await clock.advance(0)
      const kept = jar.all.filter(({ name }) => isKept(name))
      void one.app.signOut()
      for (const { name, value } of kept) one.cookies.set(`${name}=${value}; path=/; max-age=1000`)
      await clock.advance(100)
      expect(seen).toEqual(['unknown', 'Ada', 'elsewhere'])
      expect(jar.all).toEqual([])
    },
  )
})

describe('a write', () => {
  // Promise: writes-of-other-tabs
  it('reloads the stores with subscribers in another tab, at once, by channel', async () => {
    const { clock, requests, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const names: unknown[] = []
    other.app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(1000)
    requests.length = 0
    void one.app.updateUser({ displayName: 'Ada King' })
    await clock.advance(0)
    expect(names).toEqual(['Ada', 'Ada King'])
    expect(requests).toEqual(['PATCH /users/me', 'GET /users/me'])
  })

  it('reaches a tab that has announced one itself before', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const names: unknown[] = []
    one.app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(1000)
    void one.app.updateUser({ displayName: 'Ada King' })
    await clock.advance(1000)
    // Hidden, it does not poll: only its channel reports writes.
    one.show(false)
    void other.app.updateUser({ displayName: 'Ada Lovelace' })
    await clock.advance(0)
    expect(names).toEqual(['Ada', 'Ada King', 'Ada Lovelace'])
  })

  // Promise: writes-of-other-tabs
  it('marks stores without subscribers in another tab as stale, without a request; the next subscriber loads', async () => {
    const { clock, requests, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    // A store of that tab needs a listener.
    other.app.tokens$.subscribe()
    await clock.settled(other.app.user$.get())
    requests.length = 0
    void one.app.updateUser({ displayName: 'Ada King' })
    await clock.advance(0)
    expect(requests).toEqual(['PATCH /users/me'])
    const user = other.app.user$.get()
    await clock.advance(300)
    expect(await user).toMatchObject({ displayName: 'Ada King' })
  })

  it('with an unknown outcome reloads other tabs too', async () => {
    const { clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const names: unknown[] = []
    other.app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(1000)
    platform.faults.next('PATCH /users/me', { loseResponse: true })
    const write = outcome(one.app.updateUser({ displayName: 'Ada King' }))
    await clock.advance(0)
    expect(write.error).toMatchObject({ code: 'NETWORK_ERROR' })
    expect(names).toEqual(['Ada', 'Ada King'])
  })

  // Promise: writes-of-other-tabs
  it.each([
    ['has not read the token store', []],
    ['knows a refresh token alone', ['stack-access']],
  ])('of a page that %s reloads other tabs: a mail link opens in a tab of its own', async (_, forgotten) => {
    const { clock, platform, requests, signIn, tab } = browser()
    await signIn(ada)
    const other = tab()
    const seen: unknown[] = []
    other.app.user$.subscribe(user => seen.push(user?.primaryEmailVerified))
    await clock.settled(other.app.sendVerificationEmail({ callbackUrl: 'http://localhost/verify' }))
    await clock.advance(1000)
    requests.length = 0
    for (const name of forgotten) other.cookies.set(`${name}=; path=/; max-age=0`)
    const page = tab()
    const code = new URL(platform.mailbox(ada.email).messages[0]!.links[0]!).searchParams.get('code')!
    await clock.settled(page.app.verifyEmail({ code }))
    await clock.advance(0)
    expect(requests).toEqual(['POST /contact-channels/verify', 'GET /users/me'])
    expect(seen).toEqual([false, true])
  })

  it('of a tab that is closing notifies no tab', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const { app } = tab()
    platform.faults.next('PATCH /users/me', { delayMillis: 50 })
    const write = outcome(app.updateUser({ displayName: 'Ada King' }))
    await clock.advance(10)
    app.dispose()
    await clock.advance(0)
    expect(write.error).toMatchObject({ code: 'DISPOSED' })
    expect(channels.said).toEqual([])
  })

  it('names its user, even if another user has signed in meanwhile', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const { app } = tab()
    const { id } = (await clock.settled(app.user$.get()))!
    platform.faults.next('PATCH /users/me', { delayMillis: 50 })
    const write = outcome(app.updateUser({ displayName: 'Ada King' }))
    await clock.advance(10)
    await clock.settled(app.signInWithPassword(credentialsOf(grace)))
    channels.said.length = 0
    await clock.advance(50)
    expect(write).toMatchObject({ value: { displayName: 'Ada King' } })
    expect(channels.said).toMatchObject([{ stale: { userId: id } }])
  })

  it('with a bare refresh token names the user whom it has found out', async () => {
    const { channels, clock, platform, tab } = browser()
    const { refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const sharedAs = `rxauth:${platform.options.projectId}`
    const { app } = tab({ tokens: { ...memoryTokens({ accessToken: null, refreshToken }), sharedAs } })
    const { id } = await clock.settled(app.updateUser({ displayName: 'Ada King' }))
    expect(channels.said).toMatchObject([{ stale: { userId: id } }])
  })

  // Promise: writes-of-other-tabs
  it('of another user is ignored by a tab', async () => {
    const { clock, platform, requests, signIn, tab } = browser()
    await signIn(ada)
    const other = tab()
    other.app.user$.subscribe()
    // A tab that has not noticed the sign-in of another user yet.
    const stale = { ...(await platform.tokensFor(grace.email)), sharedAs: `rxauth:${platform.options.projectId}` }
    const graces = tab({ tokens: stale })
    await clock.advance(1000)
    requests.length = 0
    void graces.app.updateUser({ displayName: 'Grace Hopper' })
    await clock.advance(0)
    expect(requests).toEqual(['PATCH /users/me'])
  })

  // Promise: call-after-refresh
  it('that waits for a refresh is not sent once another user has signed in elsewhere, whatever the tab has read between', async () => {
    const { clock, platform, requests, tabs } = await expired(2, { rotation: true }, { without: ['locks'] })
    const [one, other] = tabs as [Tab, Tab]
    platform.faults.next(refresh, { delayMillis: 2000 })
    const write = outcome(one.app.updateUser({ displayName: 'Mine' }))
    await clock.advance(1)
    // Another refresh is done first, and this tab reads its tokens.
    await clock.settled(other.app.accessToken())
    one.show(false)
    one.show(true)
    one.show(false)
    await clock.settled(other.app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(2000)
    expect(write.error).toMatchObject({ code: 'SESSION_CHANGED' })
    expect(requests.filter(request => request.startsWith('PATCH'))).toEqual([])
  })

  it('of one store reloads that one in another tab, and none with other arguments', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const asked: unknown[] = []
    const place$ = query(
      async (_, { page }: { readonly page: number }) => {
        asked.push(page)
        return page
      },
      { key: 'place', ownedBy: 'session', signedOut: 0 },
    )
    const touch = mutation(async () => undefined, { refreshes: () => [only(place$, { page: 2 })] })
    for (const page of [1, 2, 3]) place$(other.app, { page }).subscribe()
    await clock.advance(1000)
    asked.length = 0
    await clock.settled(touch(one.app, {}))
    await clock.advance(1000)
    expect(asked).toEqual([2])
  })

  it('sends names and arguments of stores, but no value and no token', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const heard: unknown[] = []
    channels.of({})(`rxauth:${platform.options.projectId}`).onmessage = ({ data }) => heard.push(data)
    const { app } = tab()
    await clock.settled(app.updateUser({ displayName: 'Ada King' }))
    const { id } = (await clock.settled(app.user$.get()))!
    // All stores that show the user or users, by the names of their groups, which are no names of stores.
    const stores = ['client GET /users/me', '~user', '~users'].map(name => [name, '{}'])
    expect(heard).toEqual([{ stale: { userId: id, stores } }])
  })

  // Promise: write-of-a-group
  it('of a group reloads its members in another tab, those of queries that this tab does not have too', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [one, other] = [tab(), tab()]
    const asked: unknown[] = []
    const places$ = query(
      async (_, { teamId }: { readonly teamId: string }) => {
        asked.push(teamId)
        return teamId
      },
      { key: 'places', ownedBy: 'session', signedOut: '', partOf: ['team', 'permission'] },
    )
    const touch = mutation(async () => undefined, { refreshes: () => [allOf('team', { teamId: 'a' })] })
    for (const teamId of ['a', 'b']) places$(other.app, { teamId }).subscribe()
    await clock.advance(1000)
    asked.length = 0
    await clock.settled(touch(one.app, {}))
    await clock.advance(1000)
    expect(asked).toEqual(['a'])
  })

  // Promise: write-of-a-group
  it('of a group that this version does not know is ignored, and the stores beside it reload', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const { app } = tab()
    const requests: string[] = []
    app.trace$.subscribe(event => event.type === 'request' && requests.push(`${event.method} ${event.path}`))
    app.teams$.subscribe()
    app.user$.subscribe()
    await clock.advance(1000)
    requests.length = 0
    const stores = [
      ['~of a later version', '{"teamId":"a"}'],
      ['client GET /teams', '{}'],
    ]
    channels
      .of({})(`rxauth:${platform.options.projectId}`)
      .postMessage({ stale: { userId: null, stores } })
    await clock.advance(200)
    expect(requests).toEqual(['GET /teams'])
  })

  it.each<[what: string, store: unknown]>([
    ['lacks its arguments', ['client GET /teams']],
    ['has more than its arguments', ['client GET /teams', '{}', 'more']],
    ['is no list', { 0: 'client GET /teams', 1: '{}', length: 2 }],
  ])('of a store that %s is ignored, with the stores beside it', async (_, store) => {
    const { channels, clock, platform, requests, signIn, tab } = browser()
    await signIn(ada)
    tab().app.teams$.subscribe()
    await clock.advance(1000)
    requests.length = 0
    const post = (stores: unknown) =>
      channels
        .of({})(`rxauth:${platform.options.projectId}`)
        .postMessage({ stale: { userId: null, stores } })
    const known = ['client GET /teams', '{}']
    post([known, store])
    await clock.advance(1000)
    expect(requests).toEqual([])
    post([known])
    await clock.advance(1000)
    expect(requests).toEqual(['GET /teams'])
  })
})

describe('one refresh for all tabs', () => {
  // Promise: one-refresh
  it.each([2, 8, 30])('with locks: %i tabs, each with a call', async count => {
    const { clock, refreshes, tabs } = await expired(count)
    const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(0)
    expect(refreshes()).toBe(1)
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
  })

  // Promise: refresh-without-locks
  it('without locks: each of 2 tabs refreshes for itself, and the session stays', async () => {
    const { clock, refreshes, seen, tabs } = await expired(2, {}, { without: ['locks'] })
    const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(0)
    for (const { value } of tokens) expect(value).toEqual(expect.any(String))
    expect(refreshes()).toBe(2)
    for (const states of seen) expect(states).toEqual(['unknown', 'Ada'])
  })

  // Promise: one-refresh
  it('with rotation, and reuse detection on', async () => {
    const shared = await expired(8, { rotation: { graceMillis: 0 } })
    const { clock, refreshes, seen, tabs } = shared
    for (let hour = 1; hour <= 5; hour++) {
      const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
      await clock.advance(0)
      for (const { value } of tokens) expect(value).toEqual(expect.any(String))
      expect(refreshes()).toBe(hour)
      await idle(shared, tabs, 3_600_000)
    }
    for (const states of seen) expect(states).toEqual(['unknown', 'Ada'])
  })

  // Promise: one-refresh
  it.each([
    ['shows its cookies 149 ms late', 149, {}, 1],
    ['has failed to refresh', 0, { status: 500 }, 2],
  ])('with locks, after a tab that %s', async (_, lateMillis, fault, refreshed) => {
    const { clock, jar, platform, refreshes, tab } = await expired(0)
    const { get, set } = jar.on('https://app.example.com/')
    let shown = get()
    const show = () => void (shown = get())
    const setLate = (cookie: string) => {
      set(cookie)
      clock.setTimeout(show, lateMillis)
    }
    const one = tab({ wrap: host => ({ ...host, cookies: { get, set: setLate } }) })
    const other = tab({ wrap: host => ({ ...host, cookies: { get: () => shown, set } }) })
    platform.faults.next(refresh, fault)
    outcome(one.app.accessToken())
    const token = outcome(other.app.accessToken())
    await clock.advance(149)
    expect(token).toEqual({})
    await clock.advance(1)
    expect([token.value, refreshes()]).toEqual([expect.any(String), refreshed])
  })

  it('moves to the next tab if the holder dies, which refreshes after 150 ms', async () => {
    const { clock, platform, refreshes, tabs } = await expired(3)
    platform.faults.next(refresh, { delayMillis: 60_000 })
    const [dead, ...alive] = tabs as [Tab, ...Tab[]]
    void dead.app.accessToken()
    await clock.advance(0)
    const tokens = alive.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(1000)
    expect(tokens).toEqual([{}, {}])
    dead.kill()
    await clock.advance(150)
    for (const { value } of tokens) expect(value).toEqual(expect.any(String))
    expect(refreshes()).toBe(1)
  })

  // Promise: refresh-lock
  it('is taken from a holder that hangs after 5000 ms', async () => {
    const { clock, locks, platform, tabs } = await expired(2)
    platform.faults.next(refresh, { delayMillis: 3_600_000 })
    const [one, other] = tabs as [Tab, Tab]
    const first = outcome(one.app.accessToken())
    await clock.advance(0)
    const second = outcome(other.app.accessToken())
    await clock.advance(4999)
    expect(second).toEqual({})
    expect(locks.held.size).toBe(1)
    await clock.advance(151)
    expect(second.value).toEqual(expect.any(String))
    await clock.advance(1500)
    expect(first.value).toBe(second.value)
  })

  /** A tab that keeps the lock of this name and hangs, as under an open alert(). */
  async function stick({ clock, locks, platform }: ReturnType<typeof browser>) {
    const stuck = {}
    const name = `rxauth:${platform.options.projectId}:refresh`
    const keep = () => new Promise(() => undefined)
    locks
      .of(stuck)
      .request(name, {}, keep)
      .catch(() => undefined)
    await clock.advance(0)
    return stuck
  }

  // Promise: refresh-lock
  it.each([
    [14_999, {}],
    [15_000, { value: expect.any(String) as string }],
  ])(
    'is waited for, then stolen from a tab that is stuck: after %i ms another tab has %j',
    async (millis, expected) => {
      const shared = await expired(1)
      const { clock, refreshes, seen, tabs } = shared
      await stick(shared)
      const token = outcome(tabs[0]!.app.accessToken())
      await clock.advance(millis)
      expect(token).toEqual(expected)
      await clock.advance(1000)
      expect(refreshes()).toBe(1)
      expect(seen[0]).toEqual(['unknown', 'Ada'])
    },
  )

  // Promise: refresh-lock
  it('is stolen by one of 7 tabs that wait, and serves all of them', async () => {
    const shared = await expired(7, { rotation: { graceMillis: 0 } })
    const { clock, platform, refreshes, seen, tabs } = shared
    await stick(shared)
    platform.faults.next(refresh, { delayMillis: 1000 })
    const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(17_000)
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
    expect(tokens[0]!.value).toEqual(expect.any(String))
    expect(refreshes()).toBe(1)
    for (const states of seen) expect(states).toEqual(['unknown', 'Ada'])
  })

  // Promise: refresh-lock
  it('is not stolen while another tab makes its attempt, however many wait', async () => {
    const { clock, platform, refreshes, tabs } = await expired(7)
    platform.faults.next(refresh, { delayMillis: 4900 })
    const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(20_000)
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
    expect(refreshes()).toBe(1)
  })

  /** A tab that hangs as soon as it has sent its refresh: it gets no answer, and its timers do not fire. */
  function hanging({ clock, platform, tab }: ReturnType<typeof browser>) {
    let isStuck = false
    const fetch = intercept(platform.options.fetch, request => {
      if (!request.url.endsWith('/oauth/token')) return undefined
      isStuck = true
      return new Promise<Response>(() => undefined)
    })
    return tab({
      fetch,
      refreshOn: { visible: false },
      clock: {
        ...clock,
        setTimeout: (run, millis, options) => clock.setTimeout(() => (isStuck ? undefined : run()), millis, options),
      },
    })
  }

  // Promise: refresh-lock
  it.each([0, 1, 1000, 7499, 7500, 14_999, 3_600_000])(
    'is stolen after 15 s from a tab that has stolen it and is stuck too, for %i ms before another one comes',
    async millis => {
      const shared = await expired(2)
      const { clock, refreshes, tabs } = shared
      await stick(shared)
      const thief = hanging(shared)
      void thief.app.accessToken()
      await clock.advance(15_000 + millis)
      const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
      await clock.advance(14_999)
      expect(tokens).toEqual([{}, {}])
      await clock.advance(1)
      expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
      expect([tokens[0]!.value, refreshes()]).toEqual([expect.any(String), 1])
    },
  )

  it('is stolen after 15 s again and again, however many tabs that have stolen it are stuck', async () => {
    const shared = await expired(1)
    const { clock, refreshes, tabs } = shared
    await stick(shared)
    for (let thieves = 0; thieves < 4; thieves++) {
      void hanging(shared).app.accessToken()
      await clock.advance(15_000)
    }
    const token = outcome(tabs[0]!.app.accessToken())
    await clock.advance(15_000)
    expect([token.value, refreshes()]).toEqual([expect.any(String), 1])
  })

  it('delays a tab by 15 s for each tab that is stuck meanwhile: the holder, then the thief', async () => {
    const shared = await expired(3)
    const { clock, refreshes, tabs } = shared
    await stick(shared)
    void hanging(shared).app.accessToken()
    await clock.advance(1)
    const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
    await clock.advance(30_000)
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(1)
    expect([tokens[0]!.value, refreshes()]).toEqual([expect.any(String), 1])
  })

  // Promise: one-refresh, sign-out-expired-token
  it.each([
    ['refreshes first', false],
    ['signs out first', true],
  ])('is not doubled by a sign-out with an expired access token: the other tab %s', async (_, isSignOutFirst) => {
    const { clock, platform, requests, tab } = await expired(0, { rotation: true })
    const underWay = { now: 0, most: 0 }
    const fetch = intercept(platform.options.fetch, async request => {
      if (!request.url.endsWith('/oauth/token')) return undefined
      underWay.most = Math.max(underWay.most, ++underWay.now)
      const answer = await platform.options.fetch(request)
      await wait(clock, 1000)
      underWay.now--
      return answer
    })
    const [one, other] = [tab({ fetch }), tab({ fetch })]
    requests.length = 0
    const calls = [() => void one.app.accessToken().catch(() => undefined), () => void other.app.signOut()]
    for (const call of isSignOutFirst ? calls.reverse() : calls) {
      call()
      await clock.advance(500)
    }
    await clock.advance(5000)
    expect(underWay).toEqual({ now: 0, most: 1 })
    expect(requests.at(-1)).toBe('DELETE /auth/sessions/current')
  })

  it('waits for no stuck tab for ever: a sign-out takes the lock from it after 15 s, and revokes the session', async () => {
    const shared = await expired(1)
    const { clock, requests, tabs } = shared
    await stick(shared)
    requests.length = 0
    const signingOut = outcome(tabs[0]!.app.signOut().then(() => 'resolved'))
    await clock.advance(2000)
    expect([signingOut.value, requests]).toEqual(['resolved', []])
    await clock.advance(13_000)
    expect(requests).toEqual([refresh, 'DELETE /auth/sessions/current'])
  })

  // Promise: refresh-lock
  it('fails as transient where no lock is ever granted, after 46 s, and the session stays', async () => {
    const locks = { request: () => new Promise(() => undefined) } as unknown as LockManager
    const { clock, refreshes, seen, tabs } = await expired(1, {}, { wrap: (host: Host) => ({ ...host, locks }) })
    const token = outcome(tabs[0]!.app.accessToken())
    await clock.advance(45_999)
    expect(token).toEqual({})
    await clock.advance(1)
    expect(token.error).toMatchObject({ code: 'TIMED_OUT' })
    expect(refreshes()).toBe(0)
    expect(seen[0]).toEqual(['unknown', 'Ada'])
  })

  // Promise: sign-out, one-refresh
  it('is not made for a sign-out where no lock is ever granted; that resolves after 2 s all the same', async () => {
    const locks = { request: () => new Promise(() => undefined) } as unknown as LockManager
    const { clock, refreshes, seen, tabs } = await expired(1, {}, { wrap: (host: Host) => ({ ...host, locks }) })
    const signingOut = outcome(tabs[0]!.app.signOut().then(() => 'resolved'))
    await clock.advance(2000)
    expect([signingOut.value, seen[0]]).toEqual(['resolved', ['unknown', 'Ada', 'signed-out']])
    await clock.advance(100_000)
    expect(refreshes()).toBe(0)
  })

  it.each([-30_000, -15_000, -7_500, -1, 1, 7_500, 15_000, 3_600_000])(
    'is stolen once, after 30 s at most, if the clock is moved by %i ms while a tab is stuck that has stolen it',
    async millis => {
      const shared = await expired(4)
      const { clock, refreshes, tabs } = shared
      await stick(shared)
      void hanging(shared).app.accessToken()
      await clock.advance(16_000)
      clock.shiftWall(millis)
      const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
      await clock.advance(30_000)
      expect([new Set(tokens.map(({ value }) => value)).size, refreshes()]).toEqual([1, 1])
      expect(tokens[0]!.value).toEqual(expect.any(String))
    },
  )

  it('is stolen at the next call, if the clock is set back so that both tries are in the time of the stuck thief', async () => {
    const shared = await expired(1)
    const { clock, refreshes, tabs } = shared
    await stick(shared)
    void hanging(shared).app.accessToken()
    await clock.advance(16_000)
    clock.shiftWall(-22_500)
    const late = outcome(tabs[0]!.app.accessToken())
    await clock.advance(30_000)
    expect(late.error).toMatchObject({ code: 'TIMED_OUT' })
    const token = outcome(tabs[0]!.app.accessToken())
    await clock.advance(15_000)
    expect([token.value, refreshes()]).toEqual([expect.any(String), 1])
  })

  it('has been stolen from a tab that continues: it does not overwrite the other tab’s tokens', async () => {
    const { clock, jar, platform, refreshes, seen, tab, tabs } = await expired(1, { rotation: true })
    const other = tabs[0]!
    let goOn: () => void = () => undefined
    const asleep = new Promise<void>(resolve => (goOn = resolve))
    const fetch = intercept(platform.options.fetch, async request => {
      const answer = await platform.options.fetch(request)
      await asleep
      return answer
    })
    // Its timers do not fire, and it does not get the answer before it continues.
    const stuck = tab({ fetch, clock: { ...clock, setTimeout: () => () => undefined } })
    const late = outcome(stuck.app.accessToken())
    await clock.advance(0)
    const token = outcome(other.app.accessToken())
    await clock.advance(20_000)
    expect(token.value).toEqual(expect.any(String))
    const held = jar.all.map(({ value }) => value)
    goOn()
    await clock.advance(1000)
    expect(late.value).toBe(token.value)
    expect(jar.all.map(({ value }) => value)).toEqual(held)
    expect(refreshes()).toBe(2)
    for (const states of seen) expect(states).toEqual(['unknown', 'Ada'])
  })

  // Promise: refresh-lock
  it('that another tab has finished meanwhile is found after the wait of 15 s too', async () => {
    const { clock, jar, locks, platform, refreshes, tabs, signIn } = await expired(1)
    void locks.of({}).request(`rxauth:${platform.options.projectId}:refresh`, {}, () => new Promise(() => undefined))
    await clock.advance(0)
    const token = outcome(tabs[0]!.app.accessToken())
    await clock.advance(10_000)
    await signIn(grace)
    await clock.advance(5000)
    expect(token.error).toMatchObject({ code: 'SESSION_CHANGED' })
    expect(refreshes()).toBe(0)
    expect(jar.all).toHaveLength(2)
  })

  // Promise: unshared-store-no-lock
  it('of a store that no other tab shares takes no lock', async () => {
    const { clock, locks, platform, refreshes, tab } = browser()
    const asked = jest.fn()
    const request = (...args: Parameters<LockManager['request']>) => {
      asked()
      return locks.of({}).request(...args)
    }
    const wrap = (host: Host) => ({ ...host, locks: { request: request as LockManager['request'] } })
    const [own, shared] = [tab({ wrap, tokens: await platform.tokensFor(ada.email) }), tab({ wrap })]
    await clock.advance(tenMinutes)
    await clock.settled(own.app.accessToken())
    expect([refreshes(), asked.mock.calls.length]).toEqual([1, 0])
    await clock.settled(shared.app.signInWithPassword(credentialsOf(ada)))
    await clock.advance(tenMinutes)
    await clock.settled(shared.app.accessToken())
    expect([refreshes(), asked.mock.calls.length]).toEqual([2, 1])
  })

  // Promise: refresh-without-locks
  it.each(['missing', 'throwing', 'rejecting'])('locks %s: the refresh is done all the same', async kind => {
    const request: LockManager['request'] = () => {
      if (kind === 'throwing') throw new DOMException('not active', 'InvalidStateError')
      return Promise.reject(new DOMException('opaque origin', 'SecurityError'))
    }
    const { clock, refreshes, seen, tabs } = await expired(
      1,
      {},
      kind === 'missing' ? { without: ['locks'] } : { host: { locks: { request } } },
    )
    const token = outcome(tabs[0]!.app.accessToken())
    await clock.advance(0)
    expect(token.value).toEqual(expect.any(String))
    expect(refreshes()).toBe(1)
    expect(seen[0]).toEqual(['unknown', 'Ada'])
  })

  // Promise: refresh-without-locks
  it.each(['missing', 'rejecting'])(
    'locks %s, and rotation has been seen: a refused refresh is transient, the session stays',
    async kind => {
      const request: LockManager['request'] = () => Promise.reject(new DOMException('opaque origin', 'SecurityError'))
      const { clock, jar, platform, refreshes, seen, tabs } = await expired(
        1,
        { rotation: true },
        kind === 'missing' ? { without: ['locks'] } : { host: { locks: { request } } },
      )
      const { app } = tabs[0]!
      void app.accessToken()
      await clock.advance(tenMinutes)
      expect(refreshes()).toBe(1)
      const before = platform.snapshot()
      platform.restore(withoutSessions(before))
      const token = outcome(app.accessToken())
      await clock.advance(0)
      expect(token.error).toMatchObject({ code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' })
      expect(seen[0]).toEqual(['unknown', 'Ada'])
      expect(jar.all).toHaveLength(2)
      platform.restore(before)
      const again = outcome(app.accessToken())
      await clock.advance(0)
      expect(again.value).toEqual(expect.any(String))
    },
  )

  // Promise: refresh-without-locks
  it('locks missing, and rotation has been seen: a token that is refused once more after 5 s ends the session', async () => {
    const { clock, jar, platform, seen, tabs } = await expired(2, { rotation: true }, { without: ['locks'] })
    const ask = async (millis: number) => {
      await clock.advance(millis)
      const tokens = tabs.map(({ app }) => outcome(app.accessToken()))
      await clock.advance(0)
      return tokens
    }
    await ask(tenMinutes)
    platform.restore(withoutSessions(platform.snapshot()))
    const refusal = { error: { code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' } }
    expect(await ask(tenMinutes)).toMatchObject([refusal, refusal])
    expect(await ask(4900)).toMatchObject([refusal, refusal])
    expect(jar.all).toHaveLength(2)
    expect((await ask(100)).map(({ value }) => value)).toContain(null)
    expect([jar.all, seen.map(all => all.at(-1))]).toEqual([[], ['expired', 'elsewhere']])
  })

  it('a tab that is disposed of while it waits for the lock leaves no timer and rejects with DISPOSED', async () => {
    const { clock, locks, platform, tabs } = await expired(1)
    const { app } = tabs[0]!
    void locks.of({}).request(`rxauth:${platform.options.projectId}:refresh`, {}, () => new Promise(() => undefined))
    await clock.advance(0)
    const token = outcome(app.accessToken())
    await clock.advance(1000)
    app.dispose()
    await clock.advance(0)
    expect(token.error).toMatchObject({ code: 'DISPOSED' })
  })
})

function withoutSessions(snapshot: object): object {
  const copy = structuredClone(snapshot) as { readonly projects: Record<string, { sessions: unknown[] }> }
  for (const tables of Object.values(copy.projects)) tables.sessions = []
  return copy
}

describe('withTabLock', () => {
  it('rejects with what the work rejects with, and frees the lock and the signal', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    const host = { locks: locks.of({}) }
    const { signal } = new AbortController()
    await expect(withTabLock(host, clock, 'name', signal, () => Promise.reject(new Error('mine')))).rejects.toThrow(
      'mine',
    )
    expect(await withTabLock(host, clock, 'name', signal, async isAlone => isAlone())).toEqual({
      got: true,
      value: true,
    })
    expect([locks.held.size, getEventListeners(signal, 'abort')]).toEqual([0, []])
  })

  it('reports to work whose lock is stolen that it is no longer alone', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    const { signal } = new AbortController()
    const alone: (readonly [string, boolean])[] = []
    let goOn: () => void = () => undefined
    const run = (name: string, stuck: Promise<void>) =>
      withTabLock({ locks: locks.of({}) }, clock, 'name', signal, async isAlone => {
        alone.push([name, isAlone()])
        await stuck
        alone.push([name, isAlone()])
      })
    const stuck = new Promise<void>(resolve => (goOn = resolve))
    const both = [run('stuck', stuck), run('thief', Promise.resolve())]
    await clock.advance(15_000)
    goOn()
    await clock.settled(Promise.all(both))
    expect(alone).toEqual([
      ['stuck', true],
      ['thief', false],
      ['thief', false],
      ['stuck', false],
    ])
  })

  it.each(['the wait', 'the kit'])('does nothing with a lock that is granted after the end of %s', async what => {
    const granted: (() => unknown)[] = []
    const request = (...args: Parameters<LockManager['request']>) => {
      granted.push(() => (args.at(-1) as (lock: unknown) => unknown)({}))
      return new Promise(() => undefined)
    }
    const clock = virtualClock()
    const ended = new AbortController()
    let runs = 0
    const locking = withTabLock({ locks: { request } as LockManager }, clock, 'name', ended.signal, async () => ++runs)
    if (what === 'the kit') ended.abort()
    else await clock.advance(60_000)
    expect(await locking).toEqual({ got: false })
    for (const grant of granted) expect(grant()).toBeUndefined()
    expect(runs).toBe(0)
  })

  it('steals nothing if that is granted after the end of the wait for it', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    let grant: () => unknown = () => undefined
    const request = (name: string, options: LockOptions, callback: () => Promise<unknown>) => {
      if (!options.steal) return locks.of({}).request(name, options, callback)
      grant = callback
      return new Promise(() => undefined)
    }
    const { signal } = new AbortController()
    void locks.of({}).request('name', {}, () => new Promise(() => undefined))
    let runs = 0
    const locking = withTabLock({ locks: { request } as LockManager }, clock, 'name', signal, async () => ++runs)
    await clock.advance(30_000)
    expect(await locking).toEqual({ got: false })
    expect(grant()).toBeUndefined()
    expect(runs).toBe(0)
  })

  it('leaves the lock to work for as long as that takes, and gives its value also after the end of the kit', async () => {
    const clock = virtualClock()
    const ended = new AbortController()
    const locking = withTabLock({ locks: new Locks().of({}) }, clock, 'name', ended.signal, async isAlone => {
      await wait(clock, 20_000)
      const before = isAlone()
      await wait(clock, 20_000)
      return before
    })
    await clock.advance(30_000)
    ended.abort()
    await clock.advance(10_000)
    expect(await locking).toEqual({ got: true, value: true })
  })

  // Promise: refresh-lock
  it('steals from no tab that only works: a second tab that would have stolen waits once more', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    const { signal } = new AbortController()
    const order: string[] = []
    const run = (name: string) =>
      withTabLock({ locks: locks.of({}) }, clock, 'name', signal, async () => {
        order.push(`${name} begins`)
        await wait(clock, 2000)
        order.push(`${name} ends`)
      })
    const stuck = locks.of({}).request('name', {}, () => new Promise(() => undefined))
    stuck.catch(() => undefined)
    const all = [run('thief'), run('second')]
    await clock.advance(10_000)
    all.push(run('third'))
    await clock.advance(11_000)
    expect(await Promise.all(all)).toEqual(all.map(() => ({ got: true, value: undefined })))
    const one = (name: string) => [`${name} begins`, `${name} ends`]
    expect(order).toEqual([...one('thief'), ...one('third'), ...one('second')])
  })

  // Promise: refresh-lock
  it('is not stolen by a tab that was frozen while it waited, and wakes while another tab works', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    const { signal } = new AbortController()
    let wake: () => void = () => undefined
    const frozen = { ...clock, setTimeout: (run: () => void) => ((wake = run), () => undefined) }
    const work = () => locks.of({}).request('name', {}, () => wait(clock, 10_000))
    const others = [work(), work(), work()]
    const locking = withTabLock({ locks: locks.of({}) }, frozen, 'name', signal, async isAlone => isAlone())
    await clock.advance(26_000)
    wake()
    await clock.advance(4000)
    await Promise.all(others)
    expect(await clock.settled(locking)).toEqual({ got: true, value: true })
  })

  it('runs one at a time, in order of the calls', async () => {
    const locks = new Locks()
    const clock = virtualClock()
    const order: string[] = []
    const { signal } = new AbortController()
    const run = (name: string) =>
      withTabLock({ locks: locks.of({}) }, clock, 'name', signal, async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
      })
    await Promise.all([run('one'), run('two')])
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
  })
})

describe('what a tab leaves behind', () => {
  // Promise: nothing-runs
  it('a channel is open only while there are subscribers', async () => {
    const { channels, clock, tab } = browser()
    const { app } = tab()
    await app.signOut()
    expect(channels.openCount).toBe(0)
    const watching = [app.auth$.subscribe(), app.user$.subscribe()]
    expect(channels.openCount).toBe(1)
    for (const subscription of watching) subscription.unsubscribe()
    await clock.advance(10_000)
    expect(channels.openCount).toBe(0)
  })

  it('is nothing after dispose() at any moment: no channel, no timer, no listener', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const timers = countedClock(clock)
    const [visible$, online$] = [new BehaviorSubject(true), new BehaviorSubject(true)]
    const { app } = tab({ clock: timers, host: { visible$, online$ }, refreshOn: { everyMillis: 60_000 } })
    const watched: readonly Observable<unknown>[] = [app.auth$, app.user$, app.tokens$, app.teams$.snapshot$]
    for (const seen$ of watched) seen$.subscribe({ error: () => 0 })
    app.derive(read => read(app.user$)).subscribe({ error: () => 0 })
    platform.faults.next('GET /teams', { delayMillis: 1000 })
    await clock.advance(10)
    const running = () => [channels.openCount, timers.running > 0, visible$.observed, online$.observed]
    expect(running()).toEqual([1, true, true, true])
    app.dispose()
    await clock.advance(0)
    expect(running()).toEqual([0, false, false, false])
  })

  // Promise: nothing-runs
  it('one poll serves all subscribers, and stops after the last one', async () => {
    const { clock, jar, tab } = browser()
    const { get } = jar.on('https://app.example.com/')
    let reads = 0
    const cookies = { get: () => (reads++, get()), set: () => undefined }
    const { app } = tab({ host: { cookies } })
    const watching = Array.from({ length: 50 }, () => app.auth$.subscribe())
    reads = 0
    await clock.advance(1000)
    expect(reads).toBe(10)
    for (const subscription of watching) subscription.unsubscribe()
    reads = 0
    await clock.advance(10_000)
    expect(reads).toBe(0)
  })

  it('a message that the session has ended signs a tab out, and clears its cookies if they are still there', async () => {
    const { channels, clock, jar, platform, signIn, tab } = browser()
    await signIn(ada)
    const seen = states(tab())
    await clock.advance(0)
    const cookies = jar.on('https://app.example.com/')
    const { accessToken } = tokensInCookies(cookies.get(), platform.options.projectId)!
    const ended = readAccessToken(accessToken!)!.sessionId
    channels.of({})(`rxauth:${platform.options.projectId}`).postMessage({ ended })
    await clock.advance(200)
    expect(seen).toEqual(['unknown', 'Ada', 'elsewhere'])
    expect(cookies.get()).toBe('')
  })

  it('messages of other versions are ignored', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const other = tab()
    const seen = states(other)
    await clock.advance(0)
    const channel = channels.of({})(`rxauth:${platform.options.projectId}`)
    for (const message of [
      null,
      7,
      'ended',
      {},
      { ended: 7 },
      { ended: '' },
      { stale: null },
      { stale: { stores: 'all' } },
      { stale: { stores: [['client GET /users/me', '{not json']] } },
      { stale: { stores: [['client GET /users/me', 'null']] } },
      { stale: { stores: [['client GET /users/me']] } },
    ])
      channel.postMessage(message)
    await clock.advance(200)
    expect(seen).toEqual(['unknown', 'Ada'])
  })

  it('a cookie jar that cannot be read breaks no subscriber', async () => {
    const { clock, tab } = browser()
    const refuse = () => {
      throw new DOMException('sandboxed', 'SecurityError')
    }
    const { app } = tab({ host: { cookies: { get: refuse, set: refuse } } })
    const seen: unknown[] = []
    app.auth$.subscribe(({ status }) => seen.push(status))
    await clock.advance(1000)
    expect(new Set(seen)).toEqual(new Set(['unknown']))
  })
})

describe('a browser that refuses a channel', () => {
  const refuse = (): never => {
    throw new DOMException('an opaque origin', 'SecurityError')
  }
  const quiet = { onmessage: null, postMessage: () => undefined, close: () => undefined }

  // Promise: no-broadcast-channel
  it.each<[what: string, channel: NonNullable<Host['channel']>]>([
    ['when it is made', refuse],
    ['when a message is posted', () => ({ ...quiet, postMessage: refuse })],
    ['when it is closed', () => ({ ...quiet, close: refuse })],
  ])('%s: the kit works alone', async (_, channel) => {
    const { clock, tab } = browser()
    const [one, other] = [tab({ host: { channel } }), tab({ host: { channel } })]
    const seen = [states(one), states(other)]
    await clock.advance(0)
    expect(await clock.settled(one.app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
    expect(await clock.settled(one.app.updateUser({ displayName: 'Ada King' }))).toMatchObject({
      displayName: 'Ada King',
    })
    await clock.advance(100)
    expect(seen).toEqual([
      ['never', 'unknown', 'Ada', 'Ada King'],
      ['never', 'unknown', 'Ada King'],
    ])
    await clock.settled(one.app.signOut())
    await clock.advance(100)
    expect(seen.map(states => states.at(-1))).toEqual(['signed-out', 'elsewhere'])
    const watching = one.app.auth$.subscribe()
    watching.unsubscribe()
  })
})
