import {
  createClientApp,
  endImpersonation,
  impersonate,
  impersonation$,
  memoryTokens,
  otherAccounts$,
  rememberLastKnown,
  rememberSession,
  switchAccount,
} from 'rxauth'
import type { Tokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { brokenStorage, keyStorage, type KeyStorage } from '../key-storage'
import { leavePages, showPage } from '../page'
import { credentialsOf, type Tab } from '../tabs'
import { ada, grace, world } from '../world'
import { bob, people, watched } from './account-world'

afterEach(leavePages)

const done = { ok: true }
const failed = (reason: string) => ({ ok: false, reason })
const codeOf = async <T>(promise: Promise<T>): Promise<T | string> =>
  promise.catch((error: unknown) => (error as { readonly code: string }).code)
type Options = Parameters<typeof people>[0]
type Refusal = [what: string, prepare: (all: ReturnType<typeof office>, tokens: Tokens) => unknown, outcome: unknown]

/** A browser, and a server that creates impersonations. */
function office(options?: Options) {
  const all = people(options)
  const { inTime } = all
  const admin = createAdminApp(all.platform.adminOptions)
  const idOf = async ({ email }: { readonly email: string }) => {
    const { items } = await inTime(admin.users$({ query: email }).get())
    return items[0]!.id
  }
  const tokensOf = async (person = grace): Promise<Tokens> => {
    const input = { userId: await idOf(person), expiresInMillis: 7_200_000, isImpersonation: true }
    const made = await inTime(admin.createSession(input))
    if (!made.ok) throw made.error
    return made.value
  }
  return {
    ...all,
    admin,
    tokensOf,
    act: async ({ app }: Tab, person = grace) => inTime(impersonate(app, await tokensOf(person))),
    end: ({ app }: Tab) => inTime(endImpersonation(app)),
    /** Who has begun what the tab shows as an impersonation; null: it shows none. */
    by: async ({ app }: Tab) => {
      const shown = await inTime(impersonation$(app).refresh())
      return shown && (shown.by?.displayName ?? 'no person')
    },
    /** How many impersonations of that user the platform knows. */
    impersonations: async (person = grace) => {
      const sessions = await inTime(admin.allSessionsOf$({ userId: await idOf(person) }).refresh())
      return sessions.filter(({ isImpersonation }) => isImpersonation).length
    },
  }
}

/** The storage has no room for these keys. */
function fill(local: KeyStorage, keys: string): void {
  jest.spyOn(console, 'warn').mockImplementation()
  const { setItem } = local
  const set: typeof setItem = (key, value) => (key.startsWith(keys) ? brokenStorage() : { setItem }).setItem(key, value)
  Object.assign(local, { setItem: set })
}

/** As the browser does after a day. */
function dropAccessToken(jar: ReturnType<typeof people>['jar']): void {
  for (const { name } of jar.all)
    if (name.includes('access')) jar.on('https://app.example.com/').set(`${name}=; path=/; max-age=0`)
}

/** Ada acts as Grace; others may have been signed in before Ada. */
async function acting(before: readonly (typeof ada)[] = [], options?: Options) {
  const all = office(options)
  const [one, other] = [all.tab(), all.tab()]
  const ids = await all.signedIn(one, ...before, ada)
  expect(await all.act(one)).toEqual(done)
  return { ...all, one, other, adaId: ids.at(-1)! }
}

// Promise: impersonation
describe('impersonate', () => {
  it('shows the other user and who has begun it in all tabs, with nothing between', async () => {
    const { tab, signedIn, inTime, act, active, by, others } = office()
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada)
    const logs = [one, other].map(each => {
      const log = watched(each)
      impersonation$(each.app).subscribe(shown => log.push(`by ${shown?.by?.displayName}`))
      return log
    })
    const alone: unknown[] = []
    impersonation$(tab().app).subscribe(shown => alone.push(shown && shown.by?.displayName))
    await inTime(Promise.resolve())
    for (const log of logs) log.length = 0
    expect(await act(one)).toEqual(done)
    expect(alone).toEqual([null, 'Ada'])
    for (const log of logs) expect(log.sort()).toEqual(['auth Grace', 'by Ada', 'others Ada', 'unknown', 'user Grace'])
    expect([await active(other), await by(other), await others(other)]).toEqual(['Grace', 'Ada', ['Ada']])
  })

  it('marks no session before it is the active one, while the platform is asked who is to wait', async () => {
    const { tab, signIn, inTime, by, others, tokensOf, platform, clock, local, requests } = office()
    const one = tab()
    await others(one)
    await signIn(one, ada)
    const tokens = await tokensOf()
    platform.faults.next('GET /users/me', { delayMillis: 1500 })
    const begun = impersonate(one.app, tokens)
    const marks = () => [...local.items.keys()].filter(key => key.includes('acting'))
    requests.length = 0
    await clock.advance(1000)
    expect([requests, marks()]).toEqual([['POST /auth/oauth/token'], []])
    expect(await inTime(begun)).toEqual(done)
    expect(requests[1]).toBe('GET /users/me')
    expect([await by(one), await others(one), marks().length]).toEqual(['Ada', ['Ada'], 1])
  })

  it('outlasts refreshes of each tab, and a reload with a bare refresh token in the cookies', async () => {
    const { tab, one, other, clock, inTime, active, by, end, jar } = await acting([], { rotation: { graceMillis: 0 } })
    const { since } = (await inTime(impersonation$(one.app).get()))!
    for (const { app } of [one, other, one]) {
      await clock.advance(1_800_000)
      await inTime(app.accessToken())
    }
    for (const each of [one, other]) each.kill()
    dropAccessToken(jar)
    const next = tab()
    expect([await by(next), await active(next)]).toEqual(['Ada', 'Grace'])
    expect((await inTime(impersonation$(next.app).get()))?.since).toEqual(since)
    expect([await end(next), await active(next)]).toEqual([done, 'Ada'])
  })

  it.each(['an earlier page', 'this page'])(
    'knows the own session of %s by a bare refresh token in the cookies, of which this browser has noted nothing',
    async page => {
      const { tab, signedIn, act, end, active, jar, local } = office()
      const before = tab()
      await signedIn(before, ada)
      local.items.clear()
      dropAccessToken(jar)
      const one = page === 'this page' ? before : tab()
      expect([await act(one), await end(one), await active(one)]).toEqual([done, done, 'Ada'])
    },
  )

  it.each([ada, grace])('leaves own sessions alone, of the same user $displayName too', async person => {
    const { one, tokensOf, inTime, clock, others, sessionsOf, end, active, impersonations } = await acting([grace])
    expect(await inTime(impersonate(one.app, await tokensOf(person)))).toEqual(done)
    await clock.advance(1_800_000)
    await inTime(one.app.accessToken())
    expect(await others(one)).toEqual(['Ada', 'Grace'])
    expect([await end(one), await active(one), await others(one)]).toEqual([done, 'Ada', ['Grace']])
    expect([await sessionsOf(ada), await sessionsOf(grace), await impersonations(person)]).toEqual([1, 1, 0])
    const [account] = await inTime(otherAccounts$(one.app).get())
    expect(await inTime(switchAccount(one.app, { userId: account!.id }))).toEqual(done)
  })

  it.each([
    '{}',
    '{"hash":{"toString":1,"valueOf":1}}',
    '{"by":["a"],"since":{"toString":1,"valueOf":1}}',
    '{"by":"__proto__","since":9e15}',
  ])('stays one of a person who is not known where another script has made its mark %s', async text => {
    const { one, tab, inTime, local, active, others, end } = await acting()
    one.kill()
    local.setItem(
      [...local.items.keys()].find(key => key.includes('acting'))!,
      text,
    )
    const next = tab()
    expect(await inTime(impersonation$(next.app).get())).toEqual({ by: null, since: new Date(0) })
    expect([await active(next), await others(next)]).toEqual(['Grace', ['Ada']])
    expect([await end(next), await active(next)]).toEqual([failed('unknown'), null])
  })

  it('of another user ends the one before, and returns to the same person', async () => {
    const { one, act, end, active, by, impersonations } = await acting([], { source: memoryTokens })
    expect([await act(one, bob), await active(one), await by(one)]).toEqual([done, 'Bob', 'Ada'])
    expect([await impersonations(grace), await impersonations(bob)]).toEqual([0, 1])
    expect([await end(one), await active(one)]).toEqual([done, 'Ada'])
  })

  it('with the tokens of the session that is active changes nothing', async () => {
    const { tab, signedIn, tokensOf, inTime, end, by, active, impersonations } = office()
    const one = tab()
    await signedIn(one, ada)
    const tokens = await tokensOf()
    for (const each of [one, tab()]) expect(await inTime(impersonate(each.app, tokens))).toEqual(done)
    expect([await by(one), await impersonations()]).toEqual(['Ada', 1])
    expect([await end(one), await active(one)]).toEqual([done, 'Ada'])
  })

  it('in two tabs at once is one after the other, and returns to the same person', async () => {
    const { tab, signedIn, tokensOf, inTime, platform, end, active, by, impersonations } = office()
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada)
    const [ofGrace, ofBob] = [await tokensOf(grace), await tokensOf(bob)]
    platform.faults.every('POST /auth/oauth/token', { delayMillis: 700 })
    const both = Promise.all([impersonate(one.app, ofGrace), impersonate(other.app, ofBob)])
    expect([await inTime(both), await active(one), await by(one)]).toEqual([[done, done], 'Bob', 'Ada'])
    expect([await end(one), await active(other)]).toEqual([done, 'Ada'])
    expect([await impersonations(grace), await impersonations(bob)]).toEqual([0, 0])
  })

  it('takes the new token along of an own session that another tab refreshes meanwhile', async () => {
    const { tab, signedIn, tokensOf, inTime, platform, clock, end, active } = office({ rotation: { graceMillis: 0 } })
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada)
    const tokens = await tokensOf()
    await inTime(other.app.user$.get())
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 700 })
    const refreshed = codeOf(other.app.accessToken({ minMillis: 59_999 }))
    await clock.advance(100)
    expect(await inTime(impersonate(one.app, tokens))).toEqual(done)
    await inTime(refreshed)
    expect([await active(other), await end(one), await active(one)]).toEqual(['Grace', done, 'Ada'])
  })

  it.each<Refusal>([
    [
      'of a session that the platform has ended',
      ({ inTime, platform }, tokens) =>
        inTime(createClientApp({ ...platform.options, tokens: memoryTokens(tokens) }).signOut()),
      failed('needs-sign-in'),
    ],
    [
      'without a network',
      ({ platform }) => void platform.faults.every('POST /auth/oauth/token', { status: 503 }),
      'REQUEST_FAILED',
    ],
    ['with no room for the mark', ({ local }) => fill(local, 'rxauth-acting'), 'TOKENS_UNAVAILABLE'],
    ['with no room for the own session', ({ local }) => fill(local, 'rxauth-account'), 'TOKENS_UNAVAILABLE'],
  ])('%s changes nothing', async (_, prepare, expected) => {
    const all = office()
    const one = all.tab()
    await all.signedIn(one, ada)
    const tokens = await all.tokensOf()
    await prepare(all, tokens)
    expect(await all.inTime(codeOf(impersonate(one.app, tokens)))).toEqual(expected)
    expect([await all.active(one), await all.by(one), await all.sessionsOf(ada)]).toEqual(['Ada', null, 1])
  })

  it('without an own session, or over an anonymous one, ends signed out', async () => {
    const { tab, inTime, act, by, end, active, others } = office({
      seed: { users: [ada, grace], project: { config: { anonymousSignUpEnabled: true } } },
    })
    const one = tab()
    for (const begin of [() => Promise.resolve(), () => inTime(one.app.signUpAnonymously())]) {
      await begin()
      expect([await act(one), await by(one)]).toEqual([done, 'no person'])
      expect([await end(one), await active(one), await others(one)]).toEqual([failed('unknown'), null, []])
    }
  })

  it('keeps nothing of the other user, in any tab, and not of a name that is written meanwhile', async () => {
    const localStorage = keyStorage()
    const { tab, signedIn, act, inTime, local, others, end, signIn } = office()
    const [one, other] = [0, 1].map(() => tab({ host: { localStorage } })) as [Tab, Tab]
    for (const each of [one, other]) {
      watched(each)
      rememberLastKnown(each.app)
    }
    await signedIn(one, ada)
    await act(one)
    await inTime(other.app.updateUser({ displayName: 'Rear Admiral' }))
    const kept = () => [...local.items.values(), ...localStorage.items.values()].join()
    expect(kept()).not.toMatch(/Grace|grace@|Rear/)
    await signIn(other, bob)
    expect([await others(one), kept()]).toEqual([['Ada'], expect.not.stringMatching(/Grace|grace@|Rear/)])
    expect(await end(one)).toEqual(failed('unknown'))
  })

  it.each<[string, (all: Awaited<ReturnType<typeof acting>>) => Promise<unknown>]>([
    ['the end', ({ one, end }) => end(one)],
    ['a sign-in', ({ one, signIn }) => signIn(one, bob)],
  ])('keeps nothing of the other user from an answer that a hidden tab gets after %s', async (_, leave) => {
    const all = await acting()
    const { one, other, inTime, clock, platform, local } = all
    watched(other)
    await inTime(Promise.resolve())
    other.show(false)
    platform.faults.next('GET /users/me', { delayMillis: 14_000 })
    const answered = other.app.user$.refresh()
    await clock.advance(100)
    await leave(all)
    await inTime(answered)
    expect([...local.items.values()].join()).not.toContain('Grace')
    // The entry of the person who is active now is as the other tab has written it.
    expect(local.items.get(`rxauth-account-${platform.options.projectId}`)).toContain(
      (await inTime(one.app.user$.get()))!.id,
    )
  })

  it('keeps nothing of the other user after another script has emptied the storage, and ends signed out', async () => {
    const { one, inTime, local, end, active, others, signIn, act } = await acting()
    watched(one)
    await inTime(one.app.user$.get())
    local.items.clear()
    await inTime(one.app.user$.refresh())
    expect([...local.items.values()].join()).not.toContain('Grace')
    expect([await end(one), await active(one)]).toEqual([failed('unknown'), null])
    await signIn(one, ada)
    await act(one)
    local.items.clear()
    await signIn(one, bob)
    expect(await others(one)).toEqual([])
  })

  it('sends no write of one person as another, also from a hidden tab', async () => {
    const { tab, signedIn, tokensOf, inTime, active, requests } = office()
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada)
    const tokens = await tokensOf()
    other.app.user$.subscribe()
    await active(other)
    other.show(false)
    await inTime(impersonate(one.app, tokens))
    requests.length = 0
    expect(await inTime(codeOf(other.app.updateUser({ displayName: 'X' })))).toBe('SESSION_CHANGED')
    expect(requests).not.toContain('PATCH /users/me')
  })

  it('is unknown on a server, and says what it takes in a page with another token store', async () => {
    const { app, settled } = await world()
    const tokens = { accessToken: null, refreshToken: 'r' }
    expect(await settled(impersonate(app, tokens))).toEqual(failed('unknown'))
    expect(await settled(endImpersonation(app))).toEqual(failed('unknown'))
    expect(await settled(impersonation$(app).get())).toBeNull()
    showPage({ location: { href: 'https://app.example.com/' } })
    const page = await world()
    const misuse = { code: 'INVALID_INPUT', details: { field: 'tokens' } }
    await expect(page.settled(impersonate(page.app, tokens))).rejects.toMatchObject(misuse)
    await expect(page.settled(endImpersonation(page.app))).rejects.toMatchObject(misuse)
  })

  it('is shown as soon as the storage has the mark, which another process may see later than the cookies', async () => {
    const { tab, signedIn, act, local, inTime } = office()
    const one = tab()
    await signedIn(one, ada)
    await act(one)
    const [key, text] = [...local.items].find(([each]) => each.includes('acting'))!
    local.removeItem(key)
    showPage({ location: { href: 'https://app.example.com/' } })
    const shown: unknown[] = []
    const subscription = impersonation$(tab().app).subscribe(each => shown.push(each && each.by?.displayName))
    await inTime(Promise.resolve())
    local.setItem(key, text)
    window.dispatchEvent(new Event('storage'))
    subscription.unsubscribe()
    expect(shown).toEqual([null, 'Ada'])
  })
})

// Promise: impersonation-end
describe('endImpersonation', () => {
  it('gives the own session back in all tabs, with nothing between, and ends the other on the platform', async () => {
    const { one, other, inTime, end, active, others, impersonations, sessionsOf, local } = await acting()
    const logs = [watched(one), watched(other)]
    await inTime(Promise.resolve())
    for (const log of logs) log.length = 0
    expect(await end(one)).toEqual(done)
    for (const log of logs) expect(log.sort()).toEqual(['auth Ada', 'others ', 'unknown', 'user Ada'])
    expect([await active(other), await others(other)]).toEqual(['Ada', []])
    expect([await impersonations(), await sessionsOf(ada)]).toEqual([0, 1])
    expect([...local.items.keys()].join()).not.toContain('acting')
    expect([await end(one), await active(one)]).toEqual([failed('unknown'), 'Ada'])
  })

  it.each([
    ['another device has ended the own session', 'needs-sign-in'],
    ['another tab has signed out of it', 'unknown'],
  ])('signs out where %s, and makes no other person active', async (_, reason) => {
    const { one, other, adaId, inTime, end, active, others, endSessionsOf, impersonations } = await acting([bob])
    // From here on the browser knows the name of the person who waits.
    await others(one)
    if (reason === 'unknown') await inTime(other.app.signOut({ accounts: { userId: adaId } }))
    else await endSessionsOf(ada)
    expect(await active(other)).toBe('Grace')
    expect([await end(one), await active(one), await active(other)]).toEqual([failed(reason), null, null])
    expect(await others(one)).toEqual(reason === 'unknown' ? ['Bob'] : ['Ada (sign in)', 'Bob'])
    expect(await impersonations()).toBe(0)
  })

  it('in two tabs at once gives the own session back, with rotation too', async () => {
    const { one, other, inTime, platform, active } = await acting([], { rotation: { graceMillis: 0 } })
    platform.faults.every('POST /auth/oauth/token', { delayMillis: 700 })
    const both = await inTime(Promise.all([endImpersonation(one.app), endImpersonation(other.app)]))
    expect([both, await active(one), await active(other)]).toEqual([[done, done], 'Ada', 'Ada'])
  })

  it('while the platform cannot be reached rejects, and the impersonation goes on, also where one person fits', async () => {
    const { one, inTime, platform, by, active, end } = await acting([], { max: 1 })
    platform.faults.every('POST /auth/oauth/token', { status: 503 })
    expect(await inTime(codeOf(endImpersonation(one.app)))).toBe('REQUEST_FAILED')
    platform.faults.clear()
    expect([await active(one), await by(one)]).toEqual(['Grace', 'Ada'])
    expect([await end(one), await active(one)]).toEqual([done, 'Ada'])
  })

  it.each<[string, (other: Tab) => Promise<unknown>, string, string | null]>([
    ['signs in', ({ app }) => app.signInWithPassword(credentialsOf(bob)), 'unknown', 'Bob'],
    ['signs in after the end of it', ({ app }) => app.signInWithPassword(credentialsOf(bob)), 'needs-sign-in', 'Bob'],
    ['signs out', ({ app }) => app.signOut(), 'unknown', null],
  ])('gives no own session back while another tab %s', async (_, leave, reason, now) => {
    const { one, other, inTime, platform, clock, active, others, endSessionsOf, impersonations } = await acting()
    await others(one)
    if (reason === 'needs-sign-in') await endSessionsOf(ada)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 3000 })
    const ended = endImpersonation(one.app)
    await clock.advance(500)
    await leave(other)
    expect([await inTime(ended), await active(one), await active(other)]).toEqual([failed(reason), now, now])
    expect([await others(one), await impersonations()]).toEqual([reason === 'unknown' ? ['Ada'] : ['Ada (sign in)'], 0])
  })

  it.each<[string, (all: Awaited<ReturnType<typeof acting>>) => Promise<unknown>, string | null, string[]]>([
    [
      'signOut',
      async ({ one, inTime, requests }) => {
        requests.length = 0
        await inTime(one.app.signOut())
        expect(requests).toEqual(['DELETE /auth/sessions/current'])
      },
      null,
      ['Ada', 'Grace'],
    ],
    ['signOut of all', ({ one, inTime }) => inTime(one.app.signOut({ accounts: 'all' })), null, []],
    ['a sign-in', ({ one, signIn }) => signIn(one, bob), 'Bob', ['Ada', 'Grace']],
    ['a sign-in of the own person', ({ one, signIn }) => signIn(one, ada), 'Ada', ['Grace']],
    ['a sign-in of the same user', ({ one, signIn }) => signIn(one, grace), 'Grace', ['Ada']],
    [
      'a switch to the own person',
      ({ one, inTime, adaId: userId }) => inTime(switchAccount(one.app, { userId })),
      'Ada',
      ['Grace'],
    ],
    [
      'a switch to the same user',
      async ({ one, inTime }) => {
        const [, { id: userId }] = (await inTime(otherAccounts$(one.app).get())) as [unknown, { id: string }]
        expect(await inTime(switchAccount(one.app, { userId }))).toEqual(done)
      },
      'Grace',
      ['Ada'],
    ],
    [
      'the end of its time',
      async ({ one, clock, inTime }) => {
        await clock.advance(7_300_000)
        await inTime(one.app.user$.refresh())
        expect(one.app.auth$.value).toMatchObject({ status: 'signed-out', reason: 'expired' })
      },
      null,
      ['Ada', 'Grace'],
    ],
  ])('is not needed after %s', async (what, leave, now, waiting) => {
    const all = await acting([grace])
    const { one, other, active, by, others, impersonations, local, sessionsOf } = all
    await others(one)
    await leave(all)
    expect([await active(one), await active(other), await by(other)]).toEqual([now, now, null])
    expect(await others(other)).toEqual(waiting)
    expect([...local.items.keys()].join()).not.toContain('acting')
    for (const person of [ada, grace])
      expect(await sessionsOf(person)).toBe([now, ...waiting].includes(person.displayName) ? 1 : 0)
    // The platform lists an expired session.
    expect(await impersonations()).toBe(what === 'the end of its time' ? 1 : 0)
  })

  it('keeps the kind of each session: one that ends with the browser does', async () => {
    const { tab, signedIn, inTime, act, end, active, jar, by } = office()
    const one = tab()
    await signedIn(one, ada)
    await inTime(rememberSession(one.app, false))
    await act(one)
    expect([await end(one), await active(one)]).toEqual([done, 'Ada'])
    await act(one)
    one.kill()
    jar.end()
    const next = tab()
    expect([await active(next), await by(next)]).toEqual([null, null])
  })
})
