import {
  accountTokens,
  cookieTokens,
  endImpersonation,
  followIdentity,
  impersonate,
  memoryTokens,
  rememberSession,
  sessionLimits,
  switchAccount,
  whenKnown,
} from 'rxauth'
import type { AuthError, ClientApp, Host, SessionLimit, SessionLimitOptions, TokenStore } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { BehaviorSubject, Subject } from 'rxjs'
import { wait } from '../../src/core/clock'
import { brokenStorage, keyStorage } from '../key-storage'
import { leavePages, showPage } from '../page'
import { browser, credentialsOf, type TabOptions } from '../tabs'
import { ada, grace, world } from '../world'

const minute = 60_000
const idleMillis = 15 * minute

/** Pages of one browser, each with limits. `activity$` is the input of its user. */
function machine(options?: Parameters<typeof browser>[0]) {
  const one = browser(options)
  const localStorage = keyStorage()
  return {
    ...one,
    localStorage,
    records: () => [...localStorage.items.values()].map(text => JSON.parse(text) as Record<string, unknown>),
    /** The machine sleeps, while its timers stand still. */
    sleep: (millis: number) => {
      one.clock.shiftWall(millis)
      // An answer would come before the session has ended, if it were asked for.
      one.platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
      one.requests.length = 0
    },
    async inTime<T>(promise: Promise<T>) {
      promise.catch(() => undefined)
      await one.clock.advance(5000)
      return one.clock.settled(promise)
    },
    page(limits: SessionLimitOptions = { idleMillis }, given: TabOptions = {}) {
      const shown$ = new BehaviorSubject(true)
      const tab = one.tab({ ...given, host: { localStorage, shown$, ...given.host } })
      const activity$ = new Subject<void>()
      const life = sessionLimits(tab.app, { activity$, ...limits })
      const seen: string[] = []
      life.limit$.subscribe(limit => seen.push(wordsOf(limit)))
      return { ...tab, ...life, shown$, act: () => activity$.next(), seen, reason: () => reasonOf(tab.app) }
    },
  }
}

function wordsOf(limit: SessionLimit): string {
  return 'why' in limit ? `${limit.status} ${limit.why}` : limit.status
}

function reasonOf(app: ClientApp): string {
  const { value } = app.auth$
  return value.status === 'signed-out' ? value.reason : value.status
}

afterEach(leavePages)

// Promise: session-limits
describe('a session without activity', () => {
  it('is ending, then ended, revoked, with the reason `idle`, and a sign-in begins anew', async () => {
    const { page, signIn, clock, requests, userId } = machine()
    await signIn(ada)
    const { app, limit$, seen, reason } = page()
    await clock.advance(14 * minute - 1)
    expect(seen).toEqual(['active'])
    await clock.advance(1)
    expect(limit$.value).toEqual({ status: 'ending', endsAt: new Date(clock.now() + minute), why: 'idle' })
    await clock.advance(minute - 1)
    expect(await userId()).not.toBeNull()
    await clock.advance(1)
    expect([seen, reason(), await userId()]).toEqual([['active', 'ending idle', 'ended idle'], 'idle', null])
    await clock.advance(1000)
    expect(requests.at(-1)).toBe('DELETE /auth/sessions/current')
    await clock.settled(app.signInWithPassword(credentialsOf(ada)))
    await clock.advance(14 * minute - 1)
    expect(seen.slice(3)).toEqual(['active'])
  })

  it('goes on with each activity, which is written every 5 s at most, also while it is ending', async () => {
    const { page, signIn, clock, localStorage } = machine()
    await signIn(ada)
    const { act, seen, stayActive } = page()
    const setItem = jest.spyOn(localStorage, 'setItem')
    for (let step = 0; step < 100; step++) {
      act()
      await clock.advance(100)
    }
    expect(setItem).toHaveBeenCalledTimes(2)
    await clock.advance(14 * minute)
    act()
    await clock.advance(14.5 * minute)
    stayActive()
    await clock.advance(14.5 * minute)
    expect(seen).toEqual(['active', 'ending idle', 'active', 'ending idle', 'active', 'ending idle'])
  })

  it('is none for polls, refreshes and reads', async () => {
    const { page, signIn, clock, refreshes } = machine()
    await signIn(ada)
    const { app, reason } = page(undefined, { refreshOn: { everyMillis: minute } })
    app.teams$.subscribe()
    for (let step = 0; step < 14; step++) {
      await clock.advance(minute)
      await app.accessToken()
    }
    expect(refreshes()).toBe(1)
    await clock.advance(minute)
    expect(reason()).toBe('idle')
  })

  it('by a page that was never touched goes on while another tab is used, and ends in all of them', async () => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const [one, other] = [page(), page()]
    other.show(false)
    for (let step = 0; step < 40; step++) {
      one.act()
      await clock.advance(minute)
    }
    expect([one.reason(), other.seen]).toEqual(['unknown', ['active']])
    await clock.advance(14 * minute)
    expect([one.seen, other.seen]).toEqual([
      ['active', 'ending idle', 'ended idle'],
      ['active', 'ending idle', 'ended idle'],
    ])
    expect([one.reason(), other.reason()].sort()).toEqual(['elsewhere', 'idle'])
  })

  it('goes on in a tab that asks to stay, and no other shows its end any more a second later', async () => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const [one, other] = [page(), page()]
    await clock.advance(14.5 * minute)
    one.stayActive()
    await clock.advance(1000)
    expect([one.seen, other.seen]).toEqual([
      ['active', 'ending idle', 'active'],
      ['active', 'ending idle', 'active'],
    ])
  })

  it('is not revived by activity that comes after its end: of a stuck tab, or after a sleep', async () => {
    const { page, signIn, clock, sleep, requests } = machine()
    await signIn(ada)
    const { act, reason } = page()
    sleep(8 * 60 * minute)
    act()
    await clock.advance(0)
    expect(reason()).toBe('idle')
    expect(requests).not.toContain('GET /users/me')
  })
})

// Promise: session-limits
describe('after eight hours', () => {
  const eightHours = 8 * 60 * minute
  /** A sign-out with an expired token takes one refresh, whose token is not stored. */
  const revocation = ['POST /auth/oauth/token', 'DELETE /auth/sessions/current']

  it.each<[string, (app: ClientApp) => Promise<unknown>, unknown]>([
    ['a read', app => app.teams$.get({ maxAgeMillis: 0 }), []],
    [
      'a write',
      app => app.updateUser({ displayName: 'x' }).catch((error: unknown) => (error as AuthError).code),
      'SESSION_CHANGED',
    ],
    ['a token', app => app.accessToken(), null],
    ['headers', app => app.authHeaders(), {}],
  ])('the first call sends nothing and renews nothing: %s', async (_, call, answer) => {
    const { page, signIn, clock, sleep, requests, inTime, userId } = machine()
    await signIn(ada)
    const { app, reason } = page()
    await inTime(app.user$.get())
    sleep(eightHours)
    const called = call(app)
    await clock.advance(0)
    expect([reason(), await userId()]).toEqual(['idle', null])
    expect(await inTime(called)).toEqual(answer)
    expect(requests).toEqual(revocation)
  })

  it.each([
    ['cookies', false],
    ['a token store that empties itself later', true],
  ])('the first call sends nothing with an access token that is still valid: %s', async (_, isSlow) => {
    const { page, signIn, sleep, requests, inTime, platform, clock } = machine()
    await signIn(ada)
    const { read, replace } = await platform.tokensFor(ada.email)
    const slow: TokenStore = { read, replace: async (...both) => wait(clock, 500).then(() => replace(...both)) }
    const { app } = page({ idleMillis: 2 * minute }, isSlow ? { tokens: slow } : {})
    await inTime(app.user$.get())
    sleep(3 * minute)
    expect(await inTime(app.teams$.get({ maxAgeMillis: 0 }))).toEqual([])
    expect(requests).toEqual(['DELETE /auth/sessions/current'])
  })

  it.each<[string, (page: ReturnType<ReturnType<typeof machine>['page']>) => void]>([
    ['is visible', ({ show }) => show(true)],
    ['comes back from the back-forward cache', ({ shown$ }) => shown$.next(true)],
  ])('the session ends when the page %s, before anything is loaded', async (_, turn) => {
    const { page, signIn, clock, sleep, requests } = machine()
    await signIn(ada)
    const one = page()
    one.app.user$.subscribe()
    await clock.advance(1000)
    one.show(false)
    one.shown$.next(false)
    sleep(eightHours)
    turn(one)
    await clock.advance(0)
    expect(one.reason()).toBe('idle')
    await clock.advance(2000)
    expect(requests).toEqual(revocation)
  })

  it.each<[string, number]>([
    ['an expired access token', 8],
    ['a bare refresh token', 48],
  ])('a page that starts with %s loads nothing and ends the session', async (_, hours) => {
    const { page, signIn, clock, requests, jar, inTime, sleep } = machine({ rotation: { graceMillis: 0 } })
    await signIn(ada)
    const before = page()
    // The record has the refresh token of after the rotation.
    await clock.advance(11 * minute)
    await inTime(before.app.accessToken())
    before.act()
    before.kill()
    before.stop()
    sleep(hours * 60 * minute)
    expect(jar.all.some(({ name }) => name === 'stack-access')).toBe(hours < 24)
    const next = page()
    next.app.user$.subscribe()
    await clock.advance(0)
    expect([next.reason(), next.seen]).toEqual(['idle', ['active', 'ended idle']])
    await clock.advance(2000)
    expect(requests).toEqual(revocation)
  })

  it('a screen that is watched ends within a minute of waking, though its timer stood still', async () => {
    const { page, signIn, clock, sleep } = machine()
    await signIn(ada)
    const { reason } = page()
    await clock.advance(minute)
    sleep(eightHours)
    await clock.advance(minute)
    expect(reason()).toBe('idle')
  })
})

// Promise: session-limits
describe('clocks', () => {
  it.each<[string, number]>([
    ['back', -2 * 60 * minute],
    ['ahead and back', 0],
  ])('set %s within a page prolong nothing', async (_, by) => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const { reason } = page()
    await clock.advance(5 * minute)
    clock.shiftWall(minute)
    clock.shiftWall(by - minute)
    await clock.advance(10 * minute)
    expect(reason()).toBe('idle')
  })

  it('that were set back between two pages let the last activity count as now', async () => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const before = page()
    before.kill()
    before.stop()
    clock.shiftWall(-60 * minute)
    const { reason, seen } = page()
    await clock.advance(14 * minute)
    expect(seen).toEqual(['active', 'ending idle'])
    await clock.advance(minute)
    expect(reason()).toBe('idle')
  })

  it('of this machine do not change the age of a session that the platform knows', async () => {
    const { page, signIn, clock, records, inTime } = machine()
    await signIn(ada)
    const limits = { absoluteMillis: 60 * minute }
    const before = page(limits)
    await clock.advance(11 * minute)
    await inTime(before.app.accessToken())
    before.kill()
    before.stop()
    expect(records()).toMatchObject([{ sessions: [{ createdAt: expect.any(Number) as number }] }])
    // The platform's clock stays.
    const { app, reason } = page(limits, { clock: { ...clock, now: () => clock.now() + 600 * minute } })
    await inTime(app.accessToken())
    expect(reason()).toBe('limit')
  })
})

// Promise: session-limits
describe('the age of a session', () => {
  const limits = { absoluteMillis: 60 * minute }

  it('ends it whatever the user does, with the reason `limit`', async () => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const { act, seen, reason, stayActive } = page({ ...limits, idleMillis })
    for (let step = 0; step < 60; step++) {
      act()
      await clock.advance(minute)
    }
    stayActive()
    expect([seen, reason()]).toEqual([['active', 'ending limit', 'ended limit'], 'limit'])
  })

  it('is that of the platform, also where this browser has no record of it', async () => {
    const { page, signIn, clock, localStorage, requests } = machine()
    await signIn(ada)
    await clock.advance(50 * minute)
    const one = page(limits)
    await clock.advance(1000)
    one.stop()
    one.kill()
    expect(requests.filter(request => request === 'GET /auth/sessions')).toHaveLength(1)
    const next = page(limits)
    await clock.advance(5 * minute)
    expect(requests.filter(request => request === 'GET /auth/sessions')).toHaveLength(1)
    localStorage.items.clear()
    await clock.advance(5 * minute)
    expect(next.reason()).toBe('limit')
  })

  it('counts from the first page of this browser where the platform does not list it', async () => {
    const { page, clock, inTime } = machine({ seed: { project: { config: { anonymousSignUpEnabled: true } } } })
    const { app, reason } = page(limits)
    await inTime(app.signUpAnonymously())
    await clock.advance(60 * minute)
    expect(reason()).toBe('limit')
  })

  it('goes on in a renewed session, and starts anew with a sign-in of the same person', async () => {
    const { page, signIn, clock, inTime, records } = machine({ rotation: { graceMillis: 0 } })
    await signIn(ada)
    const { app, reason } = page(limits)
    await clock.advance(30 * minute)
    await inTime(app.accessToken())
    await clock.advance(20 * minute)
    await inTime(app.signInWithPassword(credentialsOf(ada)))
    await clock.advance(50 * minute)
    expect([reason(), records()]).toEqual(['unknown', [expect.anything()]])
    await clock.advance(10 * minute)
    expect(reason()).toBe('limit')
  })
})

// Promise: session-limits
describe('other people of the browser', () => {
  it('have a time of their own, which a switch does not reset', async () => {
    const { page, clock, inTime, userId } = machine()
    const tokens = accountTokens(cookieTokens())
    const { app, reason, seen } = page({ absoluteMillis: 60 * minute }, { tokens })
    await inTime(app.signInWithPassword(credentialsOf(ada)))
    const adaId = (await userId())!
    await clock.advance(40 * minute)
    await inTime(app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(15 * minute)
    expect(seen).toEqual(['active'])
    expect(await inTime(switchAccount(app, { userId: adaId }))).toEqual({ ok: true })
    await clock.advance(4 * minute)
    expect([seen, await userId()]).toEqual([['active', 'ending limit'], adaId])
    await clock.advance(minute)
    expect([reason(), await userId()]).toEqual(['limit', null])
  })

  it('are active while they act as another one, of whom no record stays', async () => {
    const { page, platform, clock, inTime, userId, localStorage } = machine()
    const tokens = accountTokens(cookieTokens())
    const [one, other] = [page({ idleMillis }, { tokens }), page({ idleMillis }, { tokens })]
    const { app, act, reason } = one
    await inTime(app.signInWithPassword(credentialsOf(ada)))
    const adaId = await userId()
    const keys = () => [...localStorage.items.keys()].sort()
    const before = keys()
    const server = createServerApp(platform.serverOptions)
    const [user] = (await inTime(server.users$({ query: grace.email }).get())).items
    const made = await inTime(server.createSession({ userId: user!.id, isImpersonation: true }))
    expect(made.ok && (await inTime(impersonate(app, made.value)))).toEqual({ ok: true })
    for (let minutes = 0; minutes < 40; minutes++) {
      await clock.advance(minute)
      act()
    }
    expect(await inTime(endImpersonation(app))).toEqual({ ok: true })
    expect([one.limit$.value, other.limit$.value, await userId()]).toEqual([
      { status: 'active' },
      { status: 'active' },
      adaId,
    ])
    expect(keys()).toEqual(before)
    await clock.advance(idleMillis)
    expect(reason()).toBe('idle')
  })

  it('may be one person in tabs with sessions of their own: both end', async () => {
    const { page, platform, clock, records } = machine()
    const tokens = async () => ({ tokens: await platform.tokensFor(ada.email) })
    const limits = { idleMillis, absoluteMillis: 40 * minute }
    const [one, other] = [page(limits, await tokens()), page(limits, await tokens())]
    await clock.advance(10 * minute)
    // Activity of the person, for both.
    one.act()
    await clock.advance(10 * minute)
    const third = page(limits, await tokens())
    expect([one.reason(), other.reason()]).toEqual(['unknown', 'unknown'])
    expect(records()).toMatchObject([{ sessions: [{}, {}, {}] }])
    await clock.advance(15 * minute)
    expect([one, other, third].map(({ reason }) => reason())).toEqual(['idle', 'idle', 'idle'])
  })

  it('are not signed out by a hidden tab that has not seen the sign-in of another one', async () => {
    const { page, signIn, clock, userId } = machine()
    await signIn(ada)
    const hidden = page()
    hidden.show(false)
    await clock.advance(14 * minute)
    await signIn(grace)
    const graces = await userId()
    await clock.advance(2 * minute)
    expect([await userId(), hidden.seen]).toEqual([graces, ['active', 'ending idle', 'active']])
  })

  it('find no record of a session that ended by a sign-out', async () => {
    const { page, signIn, inTime, records, limitsOf } = { ...machine(), limitsOf: wordsOf }
    await signIn(ada)
    const { app, limit$ } = page()
    expect(records()).toHaveLength(1)
    await inTime(app.signOut())
    expect([records(), limitsOf(limit$.value)]).toEqual([[], 'active'])
  })
})

// Promise: session-limits
describe('storage', () => {
  it.each<[string, () => Host['localStorage']]>([
    ['blocked', brokenStorage],
    ['full', () => ({ ...keyStorage(), setItem: brokenStorage().setItem })],
    ['that other code writes', () => ({ ...keyStorage(), getItem: () => '{"session":1,"token":[],"activeAt":"x"}' })],
  ])('%s: each page counts its own activity', async (_, storage) => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    const { act, reason } = page(undefined, { host: { localStorage: storage()! } })
    await clock.advance(10 * minute)
    act()
    await clock.advance(14 * minute)
    expect(reason()).toBe('unknown')
    await clock.advance(minute)
    expect(reason()).toBe('idle')
  })

  it('has no id of a person, and no token', async () => {
    const { page, signIn, localStorage, userId } = machine()
    await signIn(ada)
    const { app } = page()
    const secrets = [await userId(), app.tokens$.value?.refreshToken, app.tokens$.value?.accessToken]
    const texts = JSON.stringify([...localStorage.items])
    expect(secrets.filter(secret => !secret || texts.includes(secret))).toEqual([])
  })

  it('of tokens that cannot be emptied: the page is signed out, and so is the next one', async () => {
    const { page, signIn, clock } = machine()
    await signIn(ada)
    let isStuck = false
    const wrap = (host: Host): Host => ({
      ...host,
      cookies: { get: host.cookies!.get, set: text => (isStuck ? undefined : host.cookies!.set(text)) },
    })
    const onUnhandled = jest.fn()
    const one = page(undefined, { wrap, onUnhandled })
    isStuck = true
    await clock.advance(idleMillis)
    expect([one.reason(), onUnhandled.mock.calls.length]).toEqual(['idle', 1])
    one.kill()
    const next = page()
    await clock.advance(1000)
    expect(next.reason()).toBe('idle')
  })
})

it('the end is a sign-out of this page for other caches, and for a guard', async () => {
  const { page, signIn, clock } = machine()
  await signIn(ada)
  const { app } = page()
  const told: string[] = []
  followIdentity(app, { clear: ({ cause, to }) => void told.push(`${cause} ${String(to)}`) })
  await clock.advance(idleMillis)
  expect(told.at(-1)).toBe('signed-out null')
  expect(await clock.settled(whenKnown(app))).toEqual({ status: 'signed-out', reason: 'idle' })
})

it('a brief session has limits, too', async () => {
  const { page, inTime, clock } = machine()
  const { app, reason } = page()
  await inTime(rememberSession(app, false))
  await inTime(app.signInWithPassword(credentialsOf(ada)))
  await clock.advance(idleMillis)
  expect(reason()).toBe('idle')
})

it('activity is the pointer, the keys and the wheel of a page', async () => {
  const window = new EventTarget() as unknown as Window
  showPage(window as never)
  const { page, signIn, clock } = machine()
  await signIn(ada)
  const { reason, stop } = page({ idleMillis, activity$: undefined as never })
  for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    await clock.advance(14 * minute)
    window.dispatchEvent(new Event(name))
  }
  await clock.advance(14 * minute)
  window.dispatchEvent(new Event('scroll'))
  await clock.advance(0)
  expect(reason()).toBe('unknown')
  await clock.advance(minute)
  expect(reason()).toBe('idle')
  stop()
})

it('on a server nothing happens', async () => {
  const { app, clock } = await world()
  const { limit$, stop } = sessionLimits(app, { idleMillis })
  await clock.advance(2 * idleMillis)
  expect([limit$.value, await app.accessToken()]).toEqual([{ status: 'active' }, expect.any(String)])
  stop()
})

it('after stop() and after the disposal of the app nothing runs', async () => {
  const { channels, page, signIn, tab, clock, userId } = machine()
  await signIn(ada)
  const { stop } = sessionLimits(tab().app, { idleMillis, activity$: new Subject() })
  expect(channels.openCount).toBe(1)
  stop()
  expect(channels.openCount).toBe(0)
  const { app } = page()
  app.dispose()
  await clock.advance(2 * idleMillis)
  expect(await userId()).not.toBeNull()
})

it('an error of activity$ goes to onUnhandled', async () => {
  const onUnhandled = jest.fn()
  const { app } = await world({ app: { onUnhandled } })
  const activity$ = new Subject<void>()
  sessionLimits(app, { idleMillis, activity$ })
  activity$.error(new Error('broken'))
  expect(onUnhandled).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining('broken') as string }),
  )
})

it.each<[SessionLimitOptions, string]>([
  [{}, 'idleMillis is missing'],
  [{ idleMillis: minute }, 'idleMillis must be more than warnMillis, which is 60000, not 60000'],
  [{ absoluteMillis: NaN }, 'absoluteMillis must be more than'],
  [{ idleMillis: '9e9' as never }, 'idleMillis must be more than'],
  [{ idleMillis, warnMillis: -1 }, 'warnMillis must be 0 or more'],
])('refuses %j', async (options, text) => {
  const { newApp } = await world()
  const app = newApp({ tokens: memoryTokens() })
  expect(() => sessionLimits(app, options)).toThrow(text)
})
