import {
  accountTokens,
  cookieTokens,
  dehydrate,
  followIdentity,
  hydrate,
  memoryTokens,
  otherAccounts$,
  switchAccount,
} from 'rxauth'
import type { Tokens } from 'rxauth'
import { wait } from '../../src/core/clock'
import { leavePages, showPage } from '../page'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'
import { bob, namesOf, people, watched } from './account-world'

afterEach(leavePages)

const codeOf = <T>(promise: Promise<T>): Promise<T | string> =>
  promise.catch((error: unknown) => (error as { code: string }).code)

async function two(options?: Parameters<typeof people>[0]) {
  const all = people(options)
  const [one, other] = [all.tab(), all.tab()]
  const [adaId, graceId] = (await all.signedIn(one, ada, grace)) as [string, string]
  return { ...all, one, other, adaId, graceId }
}

// Promise: accounts
describe('switchAccount', () => {
  it('shows the other person in all tabs, with nothing between and nothing of the one before', async () => {
    const { one, other, adaId, graceId, inTime, active, others } = await two()
    const logs = [watched(one), watched(other)]
    await inTime(Promise.resolve())
    for (const log of logs) log.length = 0
    expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual({ ok: true })
    for (const log of logs) expect(log.sort()).toEqual(['auth Ada', 'others Grace', 'unknown', 'user Ada'])
    expect(await inTime(switchAccount(other.app, { userId: graceId }))).toEqual({ ok: true })
    expect([await active(one), await active(other)]).toEqual(['Grace', 'Grace'])
    expect([await others(one), await others(other)]).toEqual([['Ada'], ['Ada']])
    expect(await inTime(switchAccount(other.app, { userId: graceId }))).toEqual({ ok: true })
  })

  it('tells followIdentity of one change in each tab', async () => {
    const { one, other, adaId, inTime } = await two()
    const told: string[] = []
    for (const { app } of [one, other]) {
      app.user$.subscribe()
      followIdentity(app, { clear: ({ cause, to }) => void told.push(`${cause} ${to === adaId}`) })
    }
    await inTime(Promise.resolve())
    told.length = 0
    await inTime(switchAccount(one.app, { userId: adaId }))
    expect(told).toEqual(['signed-in true', 'elsewhere true'])
  })

  it('during a load: the load is of no use, and nothing of it is shown', async () => {
    const { one, adaId, inTime, platform, clock } = await two()
    const log = watched(one)
    await inTime(Promise.resolve())
    platform.faults.next('GET /users/me', { delayMillis: 3000 })
    const load = codeOf(one.app.user$.refresh())
    await clock.advance(500)
    log.length = 0
    await inTime(switchAccount(one.app, { userId: adaId }))
    expect(await inTime(load)).toBe('SESSION_CHANGED')
    expect(log.filter(line => /(auth|user) Grace/.test(line))).toEqual([])
  })

  it.each([0, 1])('during a write, by tab %i: the write is of the person who made it', async by => {
    const { one, other, adaId, graceId, inTime, platform, clock, active } = await two()
    platform.faults.next('PATCH /users/me', { delayMillis: 3000 })
    const write = one.app.updateUser({ displayName: 'Grace H.' })
    write.catch(() => undefined)
    await clock.advance(500)
    const { app } = [one, other][by]!
    await inTime(switchAccount(app, { userId: adaId }))
    expect((await inTime(write)).displayName).toBe('Grace H.')
    expect(await active(one)).toBe('Ada')
    await inTime(switchAccount(app, { userId: graceId }))
    expect((await inTime(one.app.user$.refresh()))?.displayName).toBe('Grace H.')
  })

  it('that a hidden tab has not seen: its write is not sent', async () => {
    const { one, other, adaId, inTime, active, requests } = await two()
    other.app.user$.subscribe()
    await active(other)
    other.show(false)
    await inTime(switchAccount(one.app, { userId: adaId }))
    requests.length = 0
    expect(await inTime(codeOf(other.app.updateUser({ displayName: 'X' })))).toBe('SESSION_CHANGED')
    expect(requests).not.toContain('PATCH /users/me')
  })

  it.each([{}, { rotation: { graceMillis: 0 } }])(
    'in two tabs at once is one after the other, and no person is lost, with %j',
    async options => {
      const { one, other, adaId, graceId, inTime, signIn, platform, active, others } = await two(options)
      await signIn(one, bob)
      platform.faults.every('POST /auth/oauth/token', { delayMillis: 700 })
      const both = Promise.all([
        switchAccount(one.app, { userId: adaId }),
        switchAccount(other.app, { userId: graceId }),
      ])
      expect(await inTime(both)).toEqual([{ ok: true }, { ok: true }])
      expect([await active(one), await active(other)]).toEqual(['Grace', 'Grace'])
      expect((await others(one)).sort()).toEqual(['Ada', 'Bob'])
      expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual({ ok: true })
    },
  )

  it('to the same person in two tabs renews the session once more, not a token that was replaced', async () => {
    const { one, other, adaId, inTime, platform, active, clock } = await two({ rotation: { graceMillis: 0 } })
    platform.faults.every('POST /auth/oauth/token', { delayMillis: 700 })
    const both = Promise.all([one, other].map(({ app }) => switchAccount(app, { userId: adaId })))
    expect(await inTime(both)).toEqual([{ ok: true }, { ok: true }])
    // The access token outlives a session that the platform has ended.
    await clock.advance(600_000)
    expect([await active(one), await active(other)]).toEqual(['Ada', 'Ada'])
  })

  it('to the same person at once where the browser has no locks ends no session', async () => {
    const { tab, adaId, inTime, platform, active, sessionsOf } = await two()
    const one = tab({ without: ['locks'] })
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 700 })
    const both = Promise.all([0, 1].map(() => switchAccount(one.app, { userId: adaId })))
    expect(await inTime(both)).toEqual([{ ok: true }, { ok: true }])
    expect([await active(one), await sessionsOf(ada)]).toEqual(['Ada', 1])
  })

  it('while another tab refreshes waits for it, and takes the new token of the person who leaves along', async () => {
    const { one, other, adaId, graceId, inTime, platform, clock } = await two({ rotation: { graceMillis: 0 } })
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 3000 })
    const token = codeOf(other.app.accessToken())
    await clock.advance(100)
    expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual({ ok: true })
    await inTime(token)
    expect(await inTime(switchAccount(one.app, { userId: graceId }))).toEqual({ ok: true })
  })

  it('during which the machine sleeps sends no token that has expired meanwhile', async () => {
    const { one, adaId, inTime, platform, clock, requests } = await two()
    watched(one)
    await inTime(Promise.resolve())
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 3000 })
    requests.length = 0
    const switched = switchAccount(one.app, { userId: adaId })
    await clock.advance(100)
    clock.shiftWall(601_000)
    expect(await inTime(switched)).toEqual({ ok: true })
    expect(requests).toEqual(['POST /auth/oauth/token', 'POST /auth/oauth/token', 'GET /users/me'])
  })

  it('to a person whose session the platform has ended changes nothing, and a sign-in brings the person back', async () => {
    const { one, other, adaId, inTime, active, others, endSessionsOf, signIn } = await two()
    const log = watched(other)
    await endSessionsOf(ada)
    const refused = { ok: false, reason: 'needs-sign-in' }
    expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual(refused)
    expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual(refused)
    expect(await active(one)).toBe('Grace')
    expect(await others(one)).toEqual(['Ada (sign in)'])
    expect(log.at(-1)).toBe('others Ada (sign in)')
    await signIn(one, ada)
    expect(await others(one)).toEqual(['Grace'])
  })

  it.each([
    [{ status: 503 }, 'REQUEST_FAILED'],
    [{ loseResponse: true }, 'NETWORK_ERROR'],
  ])('without an answer (%j) rejects, and changes nothing', async (fault, code) => {
    const { one, adaId, inTime, active, others, platform, clock } = await two()
    const end = platform.faults.every('POST /auth/oauth/token', fault)
    const switched = codeOf(switchAccount(one.app, { userId: adaId }))
    await clock.advance(60_000)
    expect(await inTime(switched)).toBe(code)
    end()
    expect(await active(one)).toBe('Grace')
    expect(await others(one)).toEqual(['Ada'])
  })

  it("refuses the tokens of another person in a gateway's answer", async () => {
    const { tab, adaId, inTime, active, platform } = await two()
    const { accessToken } = (await platform.tokensFor(bob.email)).read() as Tokens
    const answers = [Response.json({ access_token: accessToken })]
    const one = tab({ fetch: async (...args) => answers.pop() ?? platform.options.fetch(...args) })
    expect(await inTime(codeOf(switchAccount(one.app, { userId: adaId })))).toBe('INVALID_RESPONSE')
    expect(await active(one)).toBe('Grace')
    expect(await inTime(switchAccount(one.app, { userId: adaId }))).toEqual({ ok: true })
  })

  it("ends no session of another person by a gateway's answer", async () => {
    const { tab, one, adaId, inTime, platform, clock, sessionsOf } = await two()
    const { accessToken } = (await platform.tokensFor(bob.email)).read() as Tokens
    const slow = tab({
      async fetch() {
        await wait(clock, 700)
        return Response.json({ access_token: accessToken })
      },
    })
    const switched = codeOf(switchAccount(slow.app, { userId: adaId }))
    await clock.advance(100)
    await inTime(one.app.signOut({ accounts: { userId: adaId } }))
    expect(await inTime(switched)).toBe('INVALID_RESPONSE')
    expect(await sessionsOf(bob)).toBe(1)
  })

  it('to a person whom the browser does not know, and on a server, is unknown', async () => {
    const { one, inTime } = await two()
    expect(await inTime(switchAccount(one.app, { userId: 'not-here' }))).toEqual({ ok: false, reason: 'unknown' })
    const { app, newApp, settled } = await world()
    expect(await settled(switchAccount(app, { userId: 'not-here' }))).toEqual({ ok: false, reason: 'unknown' })
    expect(await settled(otherAccounts$(app).get())).toEqual([])
    // On a server, where cookieTokens() cannot be read.
    const shown: unknown[] = []
    otherAccounts$(newApp({ tokens: accountTokens(cookieTokens()) })).subscribe(accounts => shown.push(accounts))
    await settled(Promise.resolve())
    expect(shown).toEqual([[]])
  })

  it('in a page with another token store says what it takes', async () => {
    const { newApp, settled } = await world()
    showPage({ location: { href: 'https://app.example.com/' } })
    const app = newApp({ tokens: memoryTokens() })
    const misuse = { code: 'INVALID_INPUT', details: { field: 'tokens' } }
    await expect(settled(switchAccount(app, { userId: 'not-here' }))).rejects.toMatchObject(misuse)
    await expect(settled(otherAccounts$(app).get())).rejects.toMatchObject(misuse)
  })
})

// Promise: accounts
describe('otherAccounts$', () => {
  it('follows the other tabs when it alone is watched', async () => {
    const { one, other, adaId, inTime, clock } = await two()
    const shown: string[] = []
    otherAccounts$(other.app).subscribe(accounts => shown.push(accounts.map(account => account.displayName).join()))
    await clock.advance(1000)
    await inTime(switchAccount(one.app, { userId: adaId }))
    expect(shown).toEqual(['Ada', 'Grace'])
  })

  it('follows the storage, which another process may see later than the cookies', async () => {
    const { one, adaId, inTime, local, others } = await two()
    expect(await others(one)).toEqual(['Ada'])
    showPage({ location: { href: 'https://app.example.com/' } })
    const shown: string[] = []
    const subscription = otherAccounts$(one.app).subscribe(accounts => shown.push(namesOf(accounts).join()))
    await inTime(Promise.resolve())
    const [key, text] = [...local.items].find(([key]) => key.endsWith(adaId))!
    for (const change of [() => local.removeItem(key), () => local.setItem(key, text)]) {
      change()
      window.dispatchEvent(new Event('storage'))
    }
    subscription.unsubscribe()
    window.dispatchEvent(new Event('storage'))
    // Nor the user, whom it has watched.
    expect([shown, one.app.inspect().subscriptions]).toEqual([['Ada', '', 'Ada'], 0])
  })

  it('takes no list from a server, which knows of no other person', async () => {
    const { app, settled } = await world()
    const state = await settled(dehydrate(app, [otherAccounts$(app)]))
    const { tab, inTime } = await two()
    showPage({ location: { href: 'https://app.example.com/' } })
    const page = tab()
    hydrate(page.app, state)
    const shown: string[] = []
    otherAccounts$(page.app).subscribe(accounts => shown.push(namesOf(accounts).join()))
    await inTime(Promise.resolve())
    expect(shown).toEqual(['Ada'])
  })

  it('shows each person as the page has shown the person last, the last one first', async () => {
    const { tab, signedIn, signIn, inTime, others, clock } = people()
    const one = tab()
    watched(one)
    await signedIn(one, ada)
    await inTime(one.app.updateUser({ displayName: 'Countess' }))
    await signIn(one, grace)
    await clock.advance(1000)
    await signIn(one, bob)
    expect(await others(one)).toEqual(['Grace', 'Countess'])
    const [, account] = await inTime(otherAccounts$(one.app).get())
    expect(account).toEqual({
      id: expect.any(String) as string,
      displayName: 'Countess',
      primaryEmail: ada.email,
      profileImageUrl: null,
      needsSignIn: false,
    })
  })

  it('keeps no picture that would fill the storage', async () => {
    const { tab, signedIn, signIn, inTime, local } = people()
    const one = tab()
    watched(one)
    await signedIn(one, ada)
    await inTime(one.app.updateUser({ profileImageUrl: `data:image/png;base64,${'A'.repeat(3000)}` }))
    await signIn(one, grace)
    for (const text of local.items.values()) expect(text.length).toBeLessThan(2000)
    expect(await inTime(otherAccounts$(one.app).get())).toMatchObject([{ profileImageUrl: null }])
  })

  it('of another page takes the names from the platform where no page has shown the person', async () => {
    const { tab, inTime, others, local } = people()
    const one = tab()
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    await inTime(one.app.updateUser({ profileImageUrl: `data:image/png;base64,${'A'.repeat(3000)}` }))
    await inTime(one.app.signInWithPassword(credentialsOf(grace)))
    await inTime(otherAccounts$(one.app).get())
    expect(await others(one)).toEqual(['Ada'])
    for (const text of local.items.values()) expect(text.length).toBeLessThan(2000)
  })

  it('lists a person whom another one has followed before a page had the name', async () => {
    const { tab, clock, platform, inTime } = people()
    const { app } = tab()
    const shown: string[][] = []
    otherAccounts$(app).subscribe(accounts => shown.push(namesOf(accounts)))
    await clock.advance(100)
    platform.faults.next('GET /users/me', { delayMillis: 5000 })
    const first = app.signInWithPassword(credentialsOf(ada))
    first.catch(() => undefined)
    await clock.advance(100)
    await inTime(app.signInWithPassword(credentialsOf(grace)))
    expect(shown.at(-1)).toEqual(['Ada'])
  })

  it('keeps a person who has been active while it waited to ask for the name', async () => {
    const { tab, signIn, signedIn, clock, platform, inTime, others } = people()
    const [one, other, third] = [tab(), tab(), tab()]
    const [bobId] = await signedIn(one, bob)
    const adaId = await signIn(one, ada)
    await signIn(one, grace)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
    const toAda = switchAccount(other.app, { userId: adaId })
    await clock.advance(10)
    const list = otherAccounts$(one.app).get()
    await clock.advance(10)
    const toBob = switchAccount(third.app, { userId: bobId! })
    expect(await inTime(Promise.all([toAda, toBob]))).toEqual([{ ok: true }, { ok: true }])
    await list
    expect((await others(one)).sort()).toEqual(['Ada', 'Grace'])
  })
})
