import { memoryTokens, type Clock, type Tokens, type TokenStore } from 'rxauth'
import { Subject } from 'rxjs'
import { readAccessToken } from '../../src/transport/access-token'
import { coreOf, type Core } from '../../src/store/kit-parts'
import { ada, world, type World } from '../world'
import { credentialsOf } from '../tabs'
import { accessTokenText, ownerOf } from './access-token-text'
import { answered, intercept, isRefresh, knownError, userAnswer } from './intercept'
import { slowTokens } from './slow-tokens'
import { minute, refresh, refreshes } from './token-session-world'

const day = 86_400_000

/** Ada's tokens, as stored outside the kit. */
async function adasTokens({ platform }: Pick<World, 'platform'>): Promise<Tokens> {
  return (await platform.tokensFor(ada.email)).read()!
}

describe('an access token', () => {
  // Promise: access-token-valid
  it.each([
    [20_000, 0],
    [19_999, 1],
  ])('with %i ms left costs %i refreshes', async (left, expected) => {
    const given = await world()
    const { app, clock, settled } = given
    await clock.advance(10 * minute - left)
    await settled(app.user$.get())
    expect(refreshes(given)).toBe(expected)
  })

  // Promise: access-token-valid
  it.each([
    [0, 1, 0],
    [59_999, 59_999, 0],
    [59_999, 59_998, 1],
  ])('asked to last %i ms with %i ms left costs %i refreshes', async (minMillis, left, expected) => {
    const given = await world()
    const { app, clock, settled } = given
    await clock.advance(10 * minute - left)
    expect(await settled(app.accessToken({ minMillis }))).toEqual(expect.any(String))
    expect(refreshes(given)).toBe(expected)
  })

  // Promise: access-token-valid
  it.each([60_000, -1, NaN, Infinity])('is refused for %d ms', async minMillis => {
    const { app, settled, requests } = await world()
    await expect(settled(app.accessToken({ minMillis }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'minMillis' },
    })
    expect(requests).toEqual([])
  })

  it('is not used in the millisecond in which it expires', async () => {
    const given = await world()
    const { app, clock, settled } = given
    await clock.advance(10 * minute)
    await settled(app.accessToken({ minMillis: 0 }))
    expect(refreshes(given)).toBe(1)
  })

  it('that was issued within a second is not used in the last one either, although iat has whole seconds only', async () => {
    const given = await world()
    const { app, clock, settled } = given
    await clock.advance(10 * minute + 900)
    const token = await settled(app.accessToken())
    await clock.advance(10 * minute - 900)
    expect(await settled(app.accessToken({ minMillis: 0 }))).not.toBe(token)
    expect(refreshes(given)).toBe(2)
  })

  // Promise: access-token-valid
  it.each([
    ['a call of the platform', ({ session }: Core) => session.tokensFor(session.identity.owner, undefined)],
    ['the app itself', ({ session }: Core) => session.current()],
  ])('that a write drops at any moment after the refresh is never missing: for %s', async (_, ask) => {
    const missing: number[] = []
    for (let turns = 0; turns < 30; turns++) {
      const { app, clock, settled } = await world()
      await settled(app.user$.get())
      await clock.advance(10 * minute)
      const core = coreOf(app)
      const { session } = core
      const stop = session.changed.add(() => {
        stop()
        const { accessToken } = session.tokens!
        const drop = async () => {
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          session.refused(accessToken!)
        }
        void drop()
      })
      if ((await settled(ask(core)))?.accessToken == null) missing.push(turns)
    }
    expect(missing).toEqual([])
  })

  // Promise: token-without-exp
  it('without exp never expires', async () => {
    const given = await world()
    const accessToken = accessTokenText()
    const app = given.newApp({ tokens: memoryTokens({ accessToken, refreshToken: 'refresh-1' }) })
    await given.clock.advance(400 * day)
    expect(await given.settled(app.accessToken())).toBe(accessToken)
    expect(refreshes(given)).toBe(0)
  })

  it('with exp 0 has expired', async () => {
    const given = await world()
    const { accessToken, refreshToken } = await adasTokens(given)
    const old = accessTokenText({ ...ownerOf(accessToken), exp: 0 })
    const app = given.newApp({ tokens: memoryTokens({ accessToken: old, refreshToken }) })
    expect(await given.settled(app.accessToken())).toEqual(expect.any(String))
    expect(refreshes(given)).toBe(1)
  })

  // Promise: malformed-tokens
  it.each(['undefined', 'a.b.c', '', '[object Object]'])('that is the text "%s" counts as none', async text => {
    const given = await world()
    const { refreshToken } = await adasTokens(given)
    const stored = { accessToken: text, refreshToken }
    const app = given.newApp({ tokens: { read: () => stored, replace: () => true } })
    expect((await given.settled(app.user$.get()))?.displayName).toBe('Ada')
    expect(refreshes(given)).toBe(1)
  })
})

describe('clocks that differ', () => {
  const skewed = (clock: Clock, millis: number): Clock => ({ ...clock, now: () => clock.now() + millis })

  // Promise: wrong-clock
  it.each([
    ['10 min ahead', 10 * minute],
    ['a day ahead', day],
  ])('cost one refresh, not one per request: this one is %s', async (_, millis) => {
    const given = await world()
    const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), clock: skewed(given.clock, millis) })
    for (let call = 0; call < 5; call++) {
      expect((await given.settled(app.user$.refresh().catch(() => null)))?.displayName ?? 'Ada').toBe('Ada')
      await given.clock.advance(300)
    }
    expect(refreshes(given)).toBe(1)
    await given.clock.advance(10 * minute)
    await given.settled(app.user$.get())
    expect(refreshes(given)).toBe(2)
  })

  // Promise: wrong-clock
  it.each([
    ['10 min behind', -10 * minute],
    ['a day behind', -day],
  ])('cost nothing before and one refresh after the token has expired: this one is %s', async (_, millis) => {
    const given = await world()
    const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), clock: skewed(given.clock, millis) })
    await given.settled(app.user$.get())
    expect(refreshes(given)).toBe(0)
    await given.clock.advance(10 * minute)
    for (let call = 0; call < 5; call++) {
      await given.settled(app.user$.get())
      await given.clock.advance(6000)
    }
    expect(refreshes(given)).toBe(1)
  })

  it('are learnt from a sign-in too', async () => {
    const given = await world()
    const app = given.newApp({ clock: skewed(given.clock, day) })
    expect(await given.settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
    await given.settled(app.accessToken())
    expect(refreshes(given)).toBe(0)
  })
})

describe('an access token that the platform refuses', () => {
  it('is dropped, and the call goes once more with a fresh one', async () => {
    const given = await world()
    const { app, platform, settled } = given
    const sent: (string | null)[] = []
    const fetch = intercept(platform.options.fetch, request => {
      if (isRefresh(request)) return undefined
      sent.push(request.headers.get('x-stack-access-token'))
      return sent.length === 1 ? knownError(401, 'ACCESS_TOKEN_EXPIRED') : undefined
    })
    const tokens = await platform.tokensFor(ada.email)
    const refused = tokens.read()!.accessToken
    const other = given.newApp({ tokens, fetch })
    expect((await settled(other.user$.get()))?.displayName).toBe('Ada')
    expect(sent).toEqual([refused, tokens.read()!.accessToken])
    expect(refreshes(given)).toBe(1)
    app.dispose()
  })

  it.each(['ACCESS_TOKEN_EXPIRED', 'UNPARSABLE_ACCESS_TOKEN', 'INVALID_PROJECT_FOR_ACCESS_TOKEN'])(
    'time and again (%s) costs two requests and one refresh per call, not a loop',
    async code => {
      const given = await world()
      let sent = 0
      const fetch = intercept(given.platform.options.fetch, request => {
        if (isRefresh(request)) return undefined
        sent++
        return knownError(401, code)
      })
      const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), fetch })
      await expect(given.settled(app.user$.get())).rejects.toMatchObject({ code })
      expect([sent, refreshes(given)]).toEqual([2, 1])
      expect(app.auth$.value).toMatchObject({ status: 'unknown', error: { code } })
    },
  )

  it('costs one refresh for 20 calls that were under way', async () => {
    const given = await world()
    const tokens = await given.platform.tokensFor(ada.email)
    const refused = tokens.read()!.accessToken
    const fetch = intercept(given.platform.options.fetch, request =>
      request.headers.get('x-stack-access-token') === refused ? knownError(401, 'ACCESS_TOKEN_EXPIRED') : undefined,
    )
    const app = given.newApp({ tokens, fetch })
    await given.settled(Promise.all(Array.from({ length: 20 }, (_, i) => app.updateUser({ displayName: `Ada ${i}` }))))
    expect(refreshes(given)).toBe(1)
  })

  it('is not sent again after the answer to a load that was under way names a restriction', async () => {
    const { platform, settled, clock, newApp } = await world({
      platform: { seed: { users: [ada], project: { config: { clientTeamCreationEnabled: true } } } },
    })
    let finishLoad = (): void => undefined
    const loaded = new Promise<void>(resolve => (finishLoad = resolve))
    const fetch = intercept(platform.options.fetch, async request => {
      if (!request.url.endsWith('/users/me')) return undefined
      await loaded
      return userAnswer({ id: userId, is_restricted: true, restricted_reason: { type: 'email_not_verified' } })
    })
    const tokens = await platform.tokensFor(ada.email)
    const refused = tokens.read()!.accessToken
    const { userId } = readAccessToken(refused ?? '')!
    const app = newApp({ tokens, fetch })
    const loading = app.anyUser$.get()
    // The new team's permissions may be missing in the token, which is dropped.
    await settled(app.createTeam({ displayName: 'Ops' }))
    finishLoad()
    await settled(loading)
    await clock.advance(1000)
    expect(await settled(app.accessToken())).not.toBe(refused)
  })

  it('ends a session that has no refresh token as expired', async () => {
    const given = await world()
    const { accessToken } = await adasTokens(given)
    const fetch = intercept(given.platform.options.fetch, () => knownError(401, 'ACCESS_TOKEN_EXPIRED'))
    const app = given.newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }), fetch })
    const auth: unknown[] = []
    app.auth$.subscribe(state => auth.push(state))
    await given.clock.advance(0)
    expect(auth).toEqual([{ status: 'unknown' }, { status: 'signed-out', reason: 'expired' }])
  })
})

describe('a session with an access token only', () => {
  // Promise: access-token-only
  it('works until the token expires, its last 20 s included, then ends as expired', async () => {
    const given = await world()
    const { accessToken } = await adasTokens(given)
    const store = memoryTokens({ accessToken, refreshToken: null })
    const app = given.newApp({ tokens: store })
    const statuses: unknown[] = []
    app.auth$.subscribe(auth => statuses.push('reason' in auth ? auth.reason : auth.status))
    await given.clock.advance(10 * minute - 1)
    expect(await given.settled(app.accessToken())).toBe(accessToken)
    expect((await given.settled(app.user$.get()))?.displayName).toBe('Ada')
    await given.clock.advance(1)
    expect(await given.settled(app.accessToken())).toBeNull()
    expect(statuses).toEqual(['unknown', 'signed-in', 'expired'])
    expect(store.read()).toBeNull()
    expect(refreshes(given)).toBe(0)
  })

  it('does not take a sign-in at the moment of its end with it', async () => {
    const given = await world()
    const { accessToken } = await adasTokens(given)
    const next = await adasTokens(given)
    let stored: Tokens | null = { accessToken, refreshToken: null }
    // The other process writes between this kit's read and write.
    const store: TokenStore = {
      read: () => stored,
      replace(expected, to) {
        if (stored?.refreshToken === null && to === null) stored = next
        if (stored?.refreshToken !== expected?.refreshToken) return false
        stored = to
        return true
      },
    }
    const app = given.newApp({ tokens: store })
    await given.settled(app.accessToken())
    await given.clock.advance(10 * minute)
    const token = app.accessToken()
    await expect(given.settled(token)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(stored?.refreshToken).toBe(next.refreshToken)
  })

  it('does not hang on a store that neither ends it nor changes', async () => {
    const given = await world()
    const stored = { accessToken: accessTokenText({ exp: 1 }), refreshToken: null }
    const app = given.newApp({ tokens: { read: () => stored, replace: () => false } })
    await expect(given.settled(app.accessToken())).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
  })
})

describe('a token store', () => {
  it('that refuses a new session fails the sign-in by name', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ tokens: { read: () => null, replace: () => false } })
    await expect(settled(app.signInWithPassword(credentialsOf(ada)))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
    })
  })

  it('that cannot be read rejects calls that need it, and breaks no snapshot', async () => {
    const { newApp, settled, clock } = await world()
    const broken = new Error('locked')
    const app = newApp({
      tokens: {
        read() {
          throw broken
        },
        replace: () => true,
      },
    })
    const states: unknown[] = []
    app.auth$.subscribe(state => states.push(state))
    await clock.advance(0)
    expect(states).toEqual([
      { status: 'unknown' },
      { status: 'unknown', error: expect.objectContaining({ code: 'CALLBACK_FAILED', cause: broken }) },
    ])
    await expect(settled(app.accessToken())).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause: broken })
  })

  it.each([
    ['at the call', true],
    ['at the answer', false],
  ])('that is slow is not overwritten by a read from before a write: it reads %s', async (_, readsFirst) => {
    const { clock, newApp, platform, settled } = await world()
    const { store } = slowTokens(clock, 50, null, { readsFirst })
    const app = newApp({ tokens: store })
    const statuses: unknown[] = []
    app.auth$.subscribe(auth => statuses.push('reason' in auth ? auth.reason : auth.status))
    await clock.advance(50)
    const signingIn = app.signInWithPassword(credentialsOf(ada))
    for (let step = 0; step < 40; step++) {
      // Reads all the time, so that some overlap every write.
      app.accessToken().catch(() => null)
      await clock.advance(10)
    }
    expect(await settled(signingIn)).toMatchObject({ ok: true })
    const signingOut = app.signOut()
    for (let step = 0; step < 40; step++) {
      app.accessToken().catch(() => null)
      await clock.advance(10)
    }
    await settled(signingOut)
    expect(statuses).toEqual(['unknown', 'never', 'unknown', 'signed-in', 'signed-out'])
    expect(platform).toBeDefined()
  })

  // Promise: reads-at-once-differ
  it('that is slow has the session that one of two reads at once has found, though the other one has not', async () => {
    const given = await world()
    const { clock, newApp } = given
    const tokens = await adasTokens(given)
    const changes$ = new Subject<void>()
    const reads: ((tokens: Tokens | null) => void)[] = []
    const app = newApp({
      tokens: {
        changes$,
        read: () => new Promise(resolve => reads.push(resolve)),
        replace: () => Promise.resolve(false),
      },
    })
    const seen: string[] = []
    app.auth$.subscribe(auth => seen.push(auth.status))
    await clock.advance(0)
    reads.shift()!(null)
    await clock.advance(0)
    changes$.next()
    changes$.next()
    await clock.advance(0)
    const [early, late] = reads.splice(0)
    late!(tokens)
    await clock.advance(0)
    early!(null)
    await clock.advance(0)
    expect(seen).toEqual(['unknown', 'signed-out', 'unknown'])
  })

  it('that is slow does not say elsewhere of a session that has ended here, whose end a read has seen first', async () => {
    const { clock, newApp, platform } = await world()
    const { store } = slowTokens(clock, 50, await adasTokens({ platform }), { writesFirst: true })
    const fetch = intercept(platform.options.fetch, request =>
      isRefresh(request) ? knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED') : undefined,
    )
    const app = newApp({ tokens: store, fetch })
    app.auth$.subscribe()
    await clock.advance(10 * minute)
    for (let step = 0; step < 40; step++) {
      app.accessToken().catch(() => null)
      await clock.advance(10)
    }
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })
})

describe('expires_in', () => {
  // Promise: token-without-exp
  it.each([0, 3600, 1e9, -1, 'soon'])('%s is ignored: only exp counts', async expiresIn => {
    const given = await world()
    let granted = 0
    const fetch = intercept(given.platform.options.fetch, async request => {
      if (!isRefresh(request)) return undefined
      granted++
      const answer = await given.platform.options.fetch(request)
      return answered(200, { ...(await answer.json()), expires_in: expiresIn })
    })
    const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), fetch })
    await given.clock.advance(10 * minute)
    await given.settled(app.accessToken())
    await given.clock.advance(10 * minute - 20_000)
    await given.settled(app.accessToken())
    expect(granted).toBe(1)
    await given.clock.advance(1)
    await given.settled(app.accessToken())
    expect(granted).toBe(2)
  })
})

describe('the end of the kit', () => {
  it('rejects a token that is being refreshed with DISPOSED', async () => {
    const { app, clock, platform, settled } = await world()
    await clock.advance(10 * minute)
    platform.faults.next(refresh, { delayMillis: 5000 })
    const token = app.accessToken()
    await clock.advance(0)
    app.dispose()
    await expect(settled(token)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('rejects a token whose store is being read, and every later one, with DISPOSED', async () => {
    const { clock, newApp, settled } = await world()
    const app = newApp({ tokens: slowTokens(clock, 5000).store })
    const token = app.accessToken()
    app.dispose()
    await expect(settled(token)).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(settled(app.accessToken())).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})
