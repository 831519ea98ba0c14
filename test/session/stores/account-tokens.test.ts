import {
  accountTokens,
  cookieTokens,
  createClientApp,
  createKit,
  impersonate,
  memoryTokens,
  otherAccounts$,
  rememberSession,
  requestTokens,
  signInWithPassword,
  storageTokens,
  switchAccount,
} from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { wait } from '../../../src/core/clock'
import { cookieLine } from '../../../src/session/requests/set-cookies'
import { coreOf } from '../../../src/store/kit-parts'
import { bob, people, watched } from '../../extras/account-world'
import { brokenStorage, keyStorage } from '../../key-storage'
import { leavePages, showPage } from '../../page'
import { credentialsOf } from '../../tabs'
import { ada, grace, world } from '../../world'
import { intercept } from '../intercept'
import { slowTokens } from '../slow-tokens'

afterEach(leavePages)

// Promise: accounts-kept
describe('a sign-in', () => {
  it('of the same person leaves one account, and ends the session before on the platform', async () => {
    const { tab, signIn, signedIn, others, sessionsOf } = people()
    const one = tab()
    await signedIn(one, ada, ada)
    expect(await sessionsOf(ada)).toBe(1)
    await signIn(one, grace)
    expect(await others(one)).toEqual(['Ada'])
    await signIn(one, ada)
    expect(await others(one)).toEqual(['Grace'])
    expect(await sessionsOf(ada)).toBe(1)
  })

  it('of the same person after a day, with a bare refresh token in the cookies, ends the session before', async () => {
    const { tab, signIn, signedIn, clock, sessionsOf } = people()
    const one = tab()
    await signedIn(one, ada)
    one.kill()
    await clock.advance(2 * 86_400_000)
    await signIn(tab(), ada)
    expect(await sessionsOf(ada)).toBe(1)
  })

  it.each([{}, { rotation: { graceMillis: 0 } }])('refreshes end no session of their own, with %j', async options => {
    const { tab, signedIn, inTime, clock, active, sessionsOf } = people(options)
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada)
    for (const { app } of [one, other, one]) {
      await clock.advance(2 * 86_400_000)
      await inTime(app.accessToken())
    }
    expect(await active(other)).toBe('Ada')
    expect(await sessionsOf(ada)).toBe(1)
  })

  it('after a day, with a bare refresh token in the cookies, keeps the person', async () => {
    const { tab, signIn, signedIn, clock, others } = people()
    const one = tab()
    await signedIn(one, ada)
    one.kill()
    await clock.advance(2 * 86_400_000)
    const next = tab()
    await signIn(next, grace)
    expect(await others(next)).toEqual(['Ada'])
  })

  it('of one person more than fit ends the session of the oldest, but none for a person who is there', async () => {
    const { tab, signedIn, signIn, others, clock, sessionsOf } = people({ max: 2 })
    const one = tab()
    watched(one)
    await signedIn(one, ada, grace)
    await clock.advance(1000)
    await signIn(one, ada)
    expect(await others(one)).toEqual(['Grace'])
    await signIn(one, bob)
    expect(await others(one)).toEqual(['Ada'])
    expect([await sessionsOf(ada), await sessionsOf(grace)]).toEqual([1, 0])
  })

  it('after the clock was set back ends the session of who left first', async () => {
    const { tab, signedIn, others, clock, sessionsOf } = people({ max: 2 })
    const one = tab()
    watched(one)
    await signedIn(one, ada, grace)
    clock.shiftWall(-3_600_000)
    await signedIn(one, bob)
    expect(await others(one)).toEqual(['Grace'])
    expect([await sessionsOf(ada), await sessionsOf(grace)]).toEqual([0, 1])
  })

  it.each([true, false])('during a refresh keeps the new token of who leaves, with a list shown: %s', async isShown => {
    const { tab, signedIn, signIn, inTime, platform, clock, others } = people({ rotation: { graceMillis: 0 } })
    const [one, other] = [tab(), tab()]
    if (isShown) await others(other)
    const [adaId] = await signedIn(one, ada)
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 3000 })
    const token = other.app.accessToken().catch((error: unknown) => (error as { code: string }).code)
    await clock.advance(100)
    await signIn(one, grace)
    expect(await inTime(token)).toBe('SESSION_CHANGED')
    expect(await inTime(switchAccount(one.app, { userId: adaId! }))).toEqual({ ok: true })
  })

  it('with an access token that has expired asks later who leaves', async () => {
    const { tab, signIn, others, clock, requests } = people()
    const one = tab()
    await others(one)
    await signIn(one, ada)
    clock.shiftWall(601_000)
    requests.length = 0
    await signIn(one, grace)
    expect(requests).not.toContain('GET /users/me')
    expect(await others(one)).toEqual(['Ada'])
    expect(requests).toContain('GET /users/me')
  })

  it('whose name the storage has no room for is asked for once by each tab', async () => {
    const local = keyStorage()
    const { tab, signIn, others, clock, requests } = people({ local })
    const [one, other] = [tab(), tab()]
    await others(one)
    await signIn(one, ada)
    clock.shiftWall(601_000)
    local.setItem = (key, text) => {
      if (text.includes('Ada')) throw new DOMException('QuotaExceededError')
      local.items.set(key, text)
    }
    await signIn(one, grace)
    requests.length = 0
    for (const { app } of [one, other]) otherAccounts$(app).subscribe({ error: () => undefined })
    await clock.advance(60_000)
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(2)
  })

  it.each([
    ['2.8.18', true],
    ['2.8.18', false],
    ['2.8.86', false],
  ] as const)('over an anonymous user keeps none, with release %s, shown before: %s', async (wire, isShown) => {
    const { tab, inTime, signIn, signedIn, others, local } = people({
      wire,
      seed: { users: [ada, grace], project: { config: { anonymousSignUpEnabled: true } } },
    })
    const one = tab()
    if (isShown) watched(one)
    await inTime(one.app.signUpAnonymously())
    await signIn(one, ada)
    expect(await others(one)).toEqual([])
    // The active person's.
    expect(local.items.size).toBe(1)
    await signedIn(one, grace)
    expect(await others(one)).toEqual(['Ada'])
  })

  // Promise: accounts-anonymous
  it.each([true, false])(
    'of release 2.8.18 over an anonymous user whom no page has loaded ends no session of another person, with a list shown: %s',
    async isShown => {
      const { tab, inTime, signIn, others, active, sessionsOf, requests, local } = people({
        wire: '2.8.18',
        max: 2,
        seed: { users: [ada, grace, bob], project: { config: { anonymousSignUpEnabled: true } } },
      })
      const one = tab()
      if (isShown) await others(one)
      for (const person of [ada, grace]) await signIn(one, person)
      await inTime(one.app.signOut())
      await inTime(one.app.signUpAnonymously())
      requests.length = 0
      await signIn(one, bob)
      expect(requests.includes('GET /users/me')).toBe(isShown)
      // The active person, Ada, and the anonymous user until the platform is asked.
      expect(local.items.size).toBe(isShown ? 2 : 3)
      expect(await others(one)).toEqual(['Ada'])
      expect(await active(one)).toBe('Bob')
      expect(await sessionsOf(ada)).toBe(1)
    },
  )

  it('of release 2.8.18 waits two seconds for who an unknown user is, and calls the request off then', async () => {
    const asked: AbortSignal[] = []
    const { tab, signIn, others, inTime, clock, platform } = people({ wire: '2.8.18' })
    const fetch = intercept(platform.options.fetch, ({ url, signal }) => {
      if (!url.endsWith('/users/me') || asked.length > 0) return undefined
      asked.push(signal)
      return new Promise(() => undefined)
    })
    const one = tab({ fetch })
    await others(one)
    await signIn(one, ada)
    const signingIn = one.app.signInWithPassword(credentialsOf(grace))
    await clock.advance(1900)
    expect(asked.map(({ aborted }) => aborted)).toEqual([false])
    await inTime(signingIn)
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
    expect(await others(one)).toEqual(['Ada'])
  })

  it('past this app keeps no person, and removes the name of the one before', async () => {
    const { tab, signedIn, signIn: into, ...one } = people()
    const before = tab()
    watched(before)
    await signedIn(before, ada)
    before.kill()
    expect([...one.local.items.values()].join()).toContain(ada.email)
    // As by the vendor's kit.
    const [cookie] = one.jar.all.filter(({ name }) => name.startsWith('stack-refresh'))
    const { refreshToken } = (await one.platform.tokensFor(grace.email)).read() as { readonly refreshToken: string }
    one.jar.on('https://app.example.com/').set(`${cookie!.name}=${refreshToken}; path=/; max-age=31536000`)
    const next = tab()
    expect(await one.active(next)).toBe('Grace')
    expect([...one.local.items.values()].join()).not.toContain(ada.email)
    await into(next, bob)
    expect(await one.others(next)).toEqual(['Grace'])
  })

  it('is renewed past this app, by a server, and keeps its person', async () => {
    const { tab, signedIn, signIn, inTime, clock, jar, platform, others } = people({ rotation: { graceMillis: 0 } })
    const before = tab()
    await signedIn(before, ada)
    before.kill()
    await clock.advance(600_000)
    const page = jar.on('https://app.example.com/')
    const tokens = requestTokens(new Request('https://app.example.com/', { headers: { cookie: page.get() } }), write =>
      page.set(cookieLine(write)),
    )
    await inTime(createServerApp(platform.serverOptions).withTokens(tokens).accessToken())
    const next = tab()
    await inTime(next.app.user$.get())
    next.kill()
    await clock.advance(2 * 86_400_000)
    const last = tab()
    await signIn(last, grace)
    expect(await others(last)).toEqual(['Ada'])
  })

  it('works where the storage is full or blocked, keeps no person, and says so', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation()
    const full = keyStorage()
    full.setItem = brokenStorage().setItem
    for (const local of [full, brokenStorage()]) {
      const { tab, signedIn, others, active } = people({ local })
      const one = tab()
      watched(one)
      await signedIn(one, ada, grace)
      expect(await active(one)).toBe('Grace')
      expect(await others(one)).toEqual([])
      expect(warn).toHaveBeenCalledTimes(1)
      expect(warn).toHaveBeenLastCalledWith(expect.stringContaining('accountTokens() is full or blocked'))
      warn.mockClear()
    }
    warn.mockRestore()
  })

  it.each([
    ['throws', { get: () => brokenStorage().getItem('') }],
    ['is null', { value: null }],
  ])('works in a page whose localStorage %s, keeps no person, and says so', async (_, localStorage) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation()
    showPage(Object.defineProperty({ location: { href: 'https://app.example.com/' } }, 'localStorage', localStorage))
    const { tab, signedIn, inTime, others, active } = people()
    const one = tab({ tokens: accountTokens(cookieTokens()) })
    await signedIn(one, ada, grace)
    expect([await active(one), await others(one)]).toEqual(['Grace', []])
    await inTime(one.app.signOut({ accounts: 'all' }))
    expect(await active(one)).toBeNull()
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })

  it.each<[refreshToken: unknown, needsSignIn: boolean]>([
    [undefined, false],
    [1, true],
    ['a\0b', true],
    [{}, true],
  ])(
    'survives a storage where another writer has changed all types, and the token to %j',
    async (token, needsSignIn) => {
      const { tab, signedIn, inTime, local } = people()
      const one = tab()
      watched(one)
      const [adaId] = (await signedIn(one, ada, grace)) as [string, string]
      const [key, text] = [...local.items].find(([name]) => name.endsWith(adaId))!
      const stored = JSON.parse(text) as { readonly refreshToken: string }
      const types = {
        displayName: {},
        primaryEmail: 1,
        profileImageUrl: [],
        parkedAt: 'now',
        sessionId: 1,
        isBrief: 'no',
      }
      local.setItem(key, JSON.stringify({ ...stored, ...types, refreshToken: token ?? stored.refreshToken }))
      expect(await inTime(otherAccounts$(one.app).refresh())).toEqual([
        { id: adaId, displayName: null, primaryEmail: null, profileImageUrl: null, needsSignIn },
      ])
      const switched = await inTime(switchAccount(one.app, { userId: adaId }))
      expect(switched).toEqual(needsSignIn ? { ok: false, reason: 'needs-sign-in' } : { ok: true })
    },
  )
})

type Late = ReturnType<typeof late>

/** A page with a token store that takes 100 ms for each call. */
function late() {
  const { clock, platform, inTime } = people({ rotation: { graceMillis: 60_000 } })
  const { store } = slowTokens(clock, 100)
  const app = createClientApp({ ...platform.options, tokens: accountTokens(store, { storage: keyStorage() }) })
  otherAccounts$(app).subscribe()
  const signIn = async (person: typeof ada) => {
    const result = await app.signInWithPassword(credentialsOf(person))
    return result.ok ? result.value.userId : ''
  }
  const act = async () => impersonate(app, (await platform.tokensFor(bob.email)).read()!)
  return { app, clock, inTime, signIn, act, switchTo: (userId: string) => switchAccount(app, { userId }) }
}

// Promise: accounts, impersonation
describe('a token store that answers later loses no person at', () => {
  it.each<[what: string, ...both: ((page: Late, adaId: string) => Promise<unknown>)[]]>([
    ['two sign-ins, one of them of who is active', ({ signIn }) => signIn(ada), ({ signIn }) => signIn(grace)],
    ['a sign-in and a switch', ({ signIn }) => signIn(ada), ({ switchTo }, adaId) => switchTo(adaId)],
    ['a sign-in and an impersonation', ({ signIn }) => signIn(ada), ({ act }) => act()],
    ['an impersonation and a switch', ({ act }) => act(), ({ switchTo }, adaId) => switchTo(adaId)],
    ['two switches to one', ({ switchTo }, adaId) => switchTo(adaId), ({ switchTo }, adaId) => switchTo(adaId)],
  ])('%s', async (_, ...both) => {
    for (const apart of [10, 50, 150, 250]) {
      const page = late()
      const { app, clock, inTime, signIn, switchTo } = page
      const [adaId, graceId] = [await inTime(signIn(ada)), await inTime(signIn(grace))]
      const done = both.map(async (act, index) => {
        await wait(clock, index * apart)
        await act(page, adaId)
      })
      await inTime(Promise.all(done))
      await clock.advance(60_000)
      for (const userId of [adaId, graceId, adaId]) {
        expect(await inTime(switchTo(userId))).toEqual({ ok: true })
        expect((await inTime(app.user$.refresh()))?.id).toBe(userId)
      }
    }
  })
})

// Promise: accounts-sign-out
describe('signOut', () => {
  it('of the active person shows signed out in all tabs, makes no other active, and removes the name', async () => {
    const { tab, signedIn, inTime, others, local, active } = people()
    const [one, other] = [tab(), tab()]
    const logs = [watched(one), watched(other)]
    await signedIn(one, ada, grace)
    await inTime(one.app.signOut())
    for (const log of logs) expect(log.filter(line => !line.startsWith('others')).at(-1)).toMatch(/^(user null|out)/)
    expect(await active(other)).toBeNull()
    expect([await others(one), await others(other)]).toEqual([['Ada'], ['Ada']])
    expect([...local.items.values()].join()).not.toContain(grace.email)
  })

  it('of another one removes and revokes that session alone', async () => {
    const { tab, signedIn, inTime, others, active, sessionsOf } = people()
    const [one, other] = [tab(), tab()]
    const log = watched(other)
    const [adaId] = await signedIn(one, ada, grace)
    await inTime(one.app.signOut({ accounts: { userId: adaId! } }))
    expect([await sessionsOf(ada), await sessionsOf(grace)]).toEqual([0, 1])
    expect(log.at(-1)).toBe('others ')
    expect(await others(one)).toEqual([])
    expect([await active(one), await active(other)]).toEqual(['Grace', 'Grace'])
  })

  it('of the active one by its id is a plain sign-out', async () => {
    const { tab, signedIn, inTime, others, active, sessionsOf } = people()
    const one = tab()
    const [, graceId] = await signedIn(one, ada, grace)
    await inTime(one.app.signOut({ accounts: { userId: graceId! } }))
    expect(await active(one)).toBeNull()
    expect(await others(one)).toEqual(['Ada'])
    expect(await sessionsOf(grace)).toBe(0)
  })

  it('of all empties the storage and ends every session, here and on the platform', async () => {
    const { tab, signedIn, inTime, local, active, sessionsOf } = people()
    const [one, other] = [tab(), tab()]
    await signedIn(one, ada, grace, bob)
    await inTime(other.app.signOut({ accounts: 'all' }))
    expect(local.items.size).toBe(0)
    expect([await active(one), await active(other)]).toEqual([null, null])
    expect(await Promise.all([sessionsOf(ada), sessionsOf(grace), sessionsOf(bob)])).toEqual([0, 0, 0])
  })

  it('of all while another tab switches ends them too, and the switch says unknown', async () => {
    const { tab, signedIn, inTime, local, active, platform, clock, sessionsOf } = people()
    const [one, other] = [tab(), tab()]
    const [adaId] = await signedIn(one, ada, grace)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 700 })
    const switched = switchAccount(one.app, { userId: adaId! })
    await clock.advance(100)
    await inTime(other.app.signOut({ accounts: 'all' }))
    expect(await inTime(switched)).toEqual({ ok: false, reason: 'unknown' })
    expect([await active(one), local.items.size]).toEqual([null, 0])
    expect([await sessionsOf(ada), await sessionsOf(grace)]).toEqual([0, 0])
  })

  it('of all while a switch writes to a store that answers later ends that session too', async () => {
    const { app, clock, inTime, signIn, switchTo } = late()
    const adaId = await inTime(signIn(ada))
    await inTime(signIn(grace))
    const switched = switchTo(adaId)
    // The session was renewed.
    await clock.advance(150)
    await inTime(app.signOut({ accounts: 'all' }))
    await inTime(switched)
    expect(await inTime(app.user$.get())).toBeNull()
  })

  it('of the active person while another tab switches lets the switch go on', async () => {
    const { tab, signedIn, inTime, active, platform, clock } = people()
    const [one, other] = [tab(), tab()]
    const [adaId] = await signedIn(one, ada, grace)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 700 })
    const switched = switchAccount(one.app, { userId: adaId! })
    await clock.advance(100)
    await inTime(other.app.signOut())
    expect(await inTime(switched)).toEqual({ ok: true })
    expect(await active(other)).toBe('Ada')
  })

  it('of accounts with another token store says what it takes', async () => {
    const { app, settled } = await world()
    await expect(settled(app.signOut({ accounts: 'all' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'accounts' },
    })
    expect(app.auth$.value.status).not.toBe('signed-out')
  })
})

// Promise: accounts-kept
describe('with a session that ends with the browser', () => {
  it('a person who waits, and the name of the one who is active, are gone with it, and the session is revoked', async () => {
    const { tab, signedIn, inTime, jar, others, local, sessionsOf } = people()
    const one = tab()
    watched(one)
    await inTime(rememberSession(one.app, false))
    await signedIn(one, ada, grace)
    expect(await others(one)).toEqual(['Ada'])
    one.kill()
    jar.end()
    const next = tab()
    await inTime(next.app.user$.get())
    expect(local.items.size).toBe(0)
    expect(await others(next)).toEqual([])
    // The cookie of the other one went with the browser.
    expect(await sessionsOf(ada)).toBe(0)
  })

  it('in localStorage too, a person who waits is gone with it', async () => {
    const { newApp, inTime, platform } = await world()
    const localStorage = keyStorage()
    showPage({ localStorage, location: { href: 'https://app.example.com/' } })
    const jar = new Map<string, string>()
    Object.defineProperty(document, 'cookie', {
      get: () => [...jar].map(pair => pair.join('=')).join('; '),
      set: (text: string) => void jar.set(...(text.split(';')[0]!.split('=') as [string, string])),
    })
    const open = () => newApp({ ...platform.options, tokens: accountTokens(storageTokens(localStorage)) })
    const one = open()
    await inTime(rememberSession(one, false))
    for (const person of [ada, grace]) await inTime(one.signInWithPassword(credentialsOf(person)))
    expect(await inTime(otherAccounts$(one).get())).toMatchObject([{ displayName: 'Ada' }])
    jar.clear()
    expect(await inTime(otherAccounts$(open()).get())).toEqual([])
    expect([...localStorage.items.keys()]).toEqual([])
  })

  it('a person waits in a frame of another site, where the browser keeps partitioned cookies alone', async () => {
    const { tab, signedIn, inTime, others, sessionsOf } = people({ source: () => cookieTokens({ partitioned: true }) })
    const frame = tab({
      wrap: ({ cookies, ...host }) => ({
        ...host,
        cookies: { ...cookies!, set: text => text.includes('partitioned') && cookies?.set(text) },
      }),
    })
    watched(frame)
    await inTime(rememberSession(frame.app, false))
    await signedIn(frame, ada, grace)
    expect([await others(frame), await sessionsOf(ada)]).toEqual([['Ada'], 1])
  })

  it('the kind is that of the person, through switches and the sign-out of another one', async () => {
    const { tab, signedIn, signIn, inTime, jar, others, active } = people()
    const one = tab()
    watched(one)
    const [adaId] = await signedIn(one, ada)
    await signedIn(one, grace)
    await inTime(one.app.signOut())
    await inTime(rememberSession(one.app, false))
    const [bobId] = await signedIn(one, bob)
    const isBrief = () => jar.all.some(({ name, expiresAt }) => name.startsWith('stack-refresh') && expiresAt === null)
    expect(isBrief()).toBe(true)
    await inTime(switchAccount(one.app, { userId: adaId! }))
    expect(isBrief()).toBe(false)
    await inTime(switchAccount(one.app, { userId: bobId! }))
    expect(isBrief()).toBe(true)
    await signIn(one, grace)
    await inTime(one.app.signOut())
    expect((await others(one)).sort()).toEqual(['Ada', 'Bob'])
    await inTime(switchAccount(one.app, { userId: bobId! }))
    expect(isBrief()).toBe(true)
    one.kill()
    jar.end()
    const next = tab()
    expect(await active(next)).toBeNull()
    expect(await others(next)).toEqual(['Ada'])
  })
})

// Promise: accounts-kept
describe('accountTokens', () => {
  it('is the store of a request itself', () => {
    const source = requestTokens(new Request('https://app.example.com/'))
    expect(accountTokens(source)).toBe(source)
  })

  it('is the store itself where no storage is, as on a server', async () => {
    const { platform } = await world()
    const store = memoryTokens()
    const kit = createKit({ ...platform.options, tokens: accountTokens(store) })
    expect(coreOf(kit).session.store.own).toBe(store)
  })

  it('works with a kit, and with stores without cookies', async () => {
    const { app, platform, inTime } = await world()
    const store = memoryTokens()
    const tokens = accountTokens(store, { storage: keyStorage() })
    const kits = [0, 1].map(() => createKit({ ...platform.options, tokens }))
    await inTime(otherAccounts$(kits[0]!).get())
    for (const person of [ada, ada, grace]) await inTime(signInWithPassword(kits[0]!, credentialsOf(person)))
    expect(await inTime(otherAccounts$(kits[1]!).get())).toMatchObject([{ displayName: 'Ada' }])
    // That of the world's app, and the last one.
    expect(await inTime(app.sessions$.get())).toHaveLength(2)
    expect(Object.keys(store)).toEqual(['read', 'replace'])
  })

  it.each([0, 1.5, NaN])('refuses %d people', max => {
    expect(() => accountTokens(cookieTokens(), { max })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  it('has the kit refuse what is no token store', async () => {
    const { newApp } = await world()
    expect(() => newApp({ tokens: accountTokens(cookieTokens as never, { storage: keyStorage() }) })).toThrow(/call it/)
  })
})
