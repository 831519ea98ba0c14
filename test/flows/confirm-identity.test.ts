import { confirmIdentity } from 'rxauth'
import { confirmWorld, methods, seed, type ConfirmWorld, type Method, type Page } from './confirm-world'
import { signInWays, type Way } from './way'

describe.each(signInWays)('a user who confirms to be there, %s,', (_, open) => {
  let way: Way
  let one: ConfirmWorld
  beforeEach(async () => {
    way = await open({ seed })
    one = await confirmWorld(way)
  })
  afterEach(() => way.close())

  /** Everything that must not change. */
  const stateOf = ({ app, stored }: Page) =>
    JSON.stringify([app.auth$.value, app.flow$.value, app.tokens$.value, stored()])

  // Promise: confirm-identity
  it.each(methods)('by %s gets a confirmation that counts once, and keeps the session', async method => {
    const page = await one.open('ada')
    const { app, userId } = page
    await one.proof(page, method, 'ada')
    const [own] = await one.sessionsOf(userId)
    const before = stateOf(page)
    const seen: string[] = []
    app.auth$.subscribe(({ status }) => seen.push(status))
    const result = await one.confirm(page, method, 'ada')
    if (!result.ok) throw result.error
    const { confirmation } = result.value
    expect(await one.sessionsOf(userId)).toHaveLength(2)
    if (method !== 'magic-link') expect(stateOf(page)).toBe(before)
    expect(seen).toEqual(['signed-in'])
    expect(await one.isConfirmed(confirmation, { userId, notSession: own! })).toBe(true)
    expect(await one.isConfirmed(confirmation, { userId, notSession: own! })).toBe(false)
    expect(await one.sessionsOf(userId)).toEqual([own])
    expect((await app.sessions$.refresh()).map(({ id }) => id)).toEqual([own])
  })

  // Promise: confirm-identity
  it.each(methods)('by %s and a second factor, asked for and given in a second call', async method => {
    const page = await one.open('mia')
    const { userId } = page
    const [own] = await one.sessionsOf(userId)
    const input = await one.proof(page, method, 'mia')
    const before = stateOf(page)
    const first = confirmIdentity(page.app, input)
    if (method === 'oauth-popup') await one.atProvider(page, 'mia')
    expect(await first).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
    if (method !== 'magic-link') expect(stateOf(page)).toBe(before)
    expect(await confirmIdentity(page.app, { ...input, totp: '000000' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_TOTP_CODE' },
    })
    const result = await confirmIdentity(page.app, { ...input, totp: await one.totp() })
    if (!result.ok) throw result.error
    expect(page.windows).toHaveLength(method === 'oauth-popup' ? 1 : 0)
    expect(await one.isConfirmed(result.value.confirmation, { userId, notSession: own! })).toBe(true)
    expect(await one.sessionsOf(userId)).toEqual([own])
    expect(page.app.flow$.value).toEqual({ status: 'idle' })
  })

  it('by the whole link of the mail, after which its six characters are waited for no more', async () => {
    const page = await one.open('ada')
    const input = await one.proof(page, 'magic-link', 'ada')
    if (input.method !== 'magic-link') throw new Error('another method')
    const code = ` https://app.example.com/#/x?code=${input.code}&a=b\n`
    expect(page.app.flow$.value).toMatchObject({ status: 'code-sent' })
    expect(await confirmIdentity(page.app, { method: 'magic-link', code })).toMatchObject({ ok: true })
    expect(page.app.flow$.value).toEqual({ status: 'idle' })
  })

  it.each(methods)('by %s and a second factor in one call', async method => {
    const page = await one.open('mia')
    const { userId } = page
    const result = await one.confirm(page, method, 'mia', { totp: await one.totp() })
    if (!result.ok) throw result.error
    expect(await one.isConfirmed(result.value.confirmation, { userId })).toBe(true)
    expect(await one.sessionsOf(userId)).toHaveLength(1)
  })

  it.each(methods)('by %s is let in by the right digits after three wrong ones', async method => {
    const page = await one.open('mia')
    const { userId } = page
    const input = await one.proof(page, method, 'mia')
    const first = confirmIdentity(page.app, input)
    if (method === 'oauth-popup') await one.atProvider(page, 'mia')
    await first
    for (const totp of ['000000', '000001', '000002'])
      expect(await confirmIdentity(page.app, { ...input, totp })).toMatchObject({
        error: { code: 'INVALID_TOTP_CODE' },
      })
    expect(await one.sessionsOf(userId)).toHaveLength(1)
    const result = await confirmIdentity(page.app, { ...input, totp: await one.totp() })
    expect(await one.isConfirmed(result.ok ? result.value.confirmation : '', { userId })).toBe(true)
  })

  it('in a window that comes back after the caller has given up is signed in nowhere, and the next window counts', async () => {
    const page = await one.open('ada')
    const { app, userId } = page
    const before = stateOf(page)
    const caller = new AbortController()
    const result = confirmIdentity(app, { method: 'oauth-popup', provider: 'github' }, { signal: caller.signal })
    result.catch(() => undefined)
    await page.windows[0]!.gone
    caller.abort()
    await expect(result).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await one.atProvider(page, 'grace')).toMatchObject({ status: 'ignored' })
    expect(stateOf(page)).toBe(before)
    expect(await one.sessionsOf(userId)).toHaveLength(1)
    const next = await one.confirm(page, 'oauth-popup', 'ada')
    expect(await one.isConfirmed(next.ok ? next.value.confirmation : '', { userId })).toBe(true)
  })

  it('by the link of the mail in another tab, which signs in there, finds the code used', async () => {
    const page = await one.open('ada')
    const { app, userId } = page
    const { code } = (await one.proof(page, 'magic-link', 'ada')) as { code: string }
    const elsewhere = way.newApp({})
    expect(await elsewhere.signInWithMagicLink({ code })).toMatchObject({ ok: true })
    expect(await confirmIdentity(app, { method: 'magic-link', code })).toMatchObject({
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(await app.user$.get()).toMatchObject({ id: userId })
    // That of the page, and that of the other tab.
    expect(await one.sessionsOf(userId)).toHaveLength(2)
  })

  const foreign = methods.flatMap((method): [Method, 'ada' | 'mia', 'grace' | 'max'][] => [
    [method, 'ada', 'grace'],
    [method, 'ada', 'max'],
    [method, 'mia', 'grace'],
    [method, 'mia', 'max'],
  ])
  // Promise: confirm-identity
  it.each(foreign)(
    'by %s of another, %s’s page and %s’s proof, is refused, and that session ends',
    async (method, mine, other) => {
      const page = await one.open(mine)
      const theirs = await one.open(other)
      await one.proof(page, method, other)
      const before = [await one.sessionsOf(page.userId), await one.sessionsOf(theirs.userId)]
      const result = await one.confirm(page, method, other, { totp: await one.totp() })
      expect(result).toMatchObject({
        ok: false,
        error: { code: method === 'password' ? 'EMAIL_PASSWORD_MISMATCH' : 'ANOTHER_USER' },
      })
      await way.pass(5000)
      expect([await one.sessionsOf(page.userId), await one.sessionsOf(theirs.userId)]).toEqual(before)
      expect(await page.app.user$.get()).toMatchObject({ id: page.userId })
    },
  )

  it.each([
    ['is gone', (page: Page) => page.app.dispose(), 'DISPOSED'],
    ['has signed out', (page: Page) => page.app.signOut(), 'SESSION_CHANGED'],
  ] as const)('in a window that outlives its page, which %s, is signed in nowhere', async (_, leave, code) => {
    const page = await one.open('ada')
    const result = confirmIdentity(page.app, { method: 'oauth-popup', provider: 'github' })
    result.catch(() => undefined)
    const url = await page.windows[0]!.gone
    const stored = page.stored()[0]
    await leave(page)
    await expect(result).rejects.toMatchObject({ code })
    expect(page.windows[0]!.closed).toBe(true)
    expect(url).toContain('/auth/oauth/authorize/github')
    const sessions = await one.sessionsOf(page.userId)
    expect(await one.atProvider(page, 'ada')).toMatchObject({ status: 'ignored' })
    expect(await one.sessionsOf(page.userId)).toEqual(sessions)
    expect(stored).toContain('stack-oauth-outer-')
    expect(page.stored()[0]).not.toContain('stack-oauth-outer-')
  })
})
