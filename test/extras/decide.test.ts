import { decide, onIdentityChange, requestTokens, type ClientApp, type Need } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { eve, labId, opsId, projectPermissions, teamWorld } from '../entities/teams/team-world'
import { hostileTexts } from '../navigation/hostile-texts'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'

const signedIn: Need = { signedIn: true }
const page = { url: '/invoices' }
const signIn = '/handler/sign-in'
const userRoute = 'GET /users/me'

/** The return address of a decision's URL. */
function returnOf(to: string): string | null {
  return new URL(to, 'https://relative.invalid').searchParams.get('after_auth_return_to')
}

describe('decide()', () => {
  it('allows a signed-in user, and sends others to sign in', async () => {
    const { app, newApp, settled } = await world()
    const user = await settled(app.user$.get())
    expect(await settled(decide(app, signedIn, page))).toEqual({ decision: 'allow', user })
    const to = `${signIn}?after_auth_return_to=%2Finvoices`
    const other = newApp()
    expect(await settled(decide(other, signedIn, page))).toEqual({ decision: 'sign-in', to })
    await settled(other.signUpAnonymously())
    expect(await settled(decide(other, signedIn, page))).toEqual({ decision: 'sign-in', to })
  })

  // Promise: decide-where
  it.each([
    ['/inbox/7?folder=a%20b#last', '/inbox/7?folder=a%20b#last'],
    ['https://app.example.com/inbox?x=1', '/inbox?x=1'],
    ['http://localhost:3000', '/'],
    ['inbox', '/inbox'],
    ['#/inbox?a=1', '/#/inbox?a=1'],
    ['', '/'],
    ['//evil.example/x', '/x'],
    ['https://app.example.com//evil.example/x', null],
    ['https://app.example.com/%2F/evil.example', '/%2F/evil.example'],
    ['/there?after_auth_return_to=%2Fdeep%3Fa%3Db%23c', '/deep?a=b#c'],
    [
      '/there?after_auth_return_to=https%3A%2F%2Fevil.example',
      '/there?after_auth_return_to=https%3A%2F%2Fevil.example',
    ],
    [
      'https://app.example.com/there?after_auth_return_to=https%3A%2F%2Fapp.example.com%2Fdeep',
      '/there?after_auth_return_to=https%3A%2F%2Fapp.example.com%2Fdeep',
    ],
    ['/handler/sign-up?after_auth_return_to=%2Fdeep', '/deep'],
    ['/handler/sign-up?after_auth_return_to=%2F%2Fevil.example', null],
    ['/handler/email-verification?code=1', null],
  ])('of %s returns to %s', async (url, expected) => {
    const { newApp, settled } = await world()
    const decision = await settled(decide(newApp(), signedIn, { url }))
    expect(decision.decision === 'sign-in' && returnOf(decision.to)).toBe(expected)
  })

  it.each<unknown>([undefined, null, 7, {}])('refuses %p as the address', async url => {
    const { newApp, settled } = await world()
    await expect(settled(decide(newApp(), signedIn, { url: url as string }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'url' },
    })
  })

  // Promise: decide-where
  it('never leads away: 2,000 hostile addresses', async () => {
    const { newApp, settled } = await world()
    const app = newApp()
    for (const text of hostileTexts(2000)) {
      const url = `https://app.example.com/a?after_auth_return_to=${encodeURIComponent(text)}`
      for (const from of [text, url]) {
        const decision = await settled(decide(app, signedIn, { url: from }))
        if (decision.decision !== 'sign-in') throw new Error(`${from}: ${decision.decision}`)
        const address = new URL(decision.to, 'https://app.example.com')
        const back = returnOf(decision.to)
        expect([address.origin, address.pathname]).toEqual(['https://app.example.com', signIn])
        for (const scheme of ['https', 'http'])
          if (back !== null) expect(new URL(back, `${scheme}://app.example.com`).hostname).toBe('app.example.com')
      }
    }
  })

  // Promise: decide-where
  it('keeps one return address through a chain of guarded pages', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ urls: { signUp: '/join' } })
    const one = await settled(decide(app, signedIn, page))
    const other = await settled(decide(app, signedIn, { url: 'to' in one ? one.to.replace(signIn, '/join') : '' }))
    expect(other).toEqual(one)
  })

  // Promise: decide-where
  it.each([
    ['sign-in', '/handler/sign-in?after_auth_return_to=%2Finvoices', { signedIn: true }],
    ['verification', 'https://app.example.com/handler/email-verification', { signedIn: true, verified: true }],
  ] as const)('of the %s page itself is REDIRECT_LOOP and no redirect', async (name, url, need) => {
    const { app, newApp, settled } = await world()
    const deciding = decide(name === 'sign-in' ? newApp() : app, need, { url })
    await expect(settled(deciding)).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
  })

  it('takes the pages from urls, of another origin only if it is trusted, and then without a return address', async () => {
    const { newApp, settled } = await world()
    const urls = { signIn: 'https://accounts.example.com/in?a=b' }
    await expect(settled(decide(newApp({ urls }), signedIn, page))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const trusting = newApp({ urls, trustedDomains: ['https://*.example.com'] })
    expect(await settled(decide(trusting, signedIn, page))).toEqual({ decision: 'sign-in', to: urls.signIn })
    const other = newApp({ urls: { signIn: '/login?b=c' } })
    expect(await settled(decide(other, signedIn, page))).toMatchObject({
      to: '/login?b=c&after_auth_return_to=%2Finvoices',
    })
  })

  describe.each([
    ['a path', '/login', '/inbox', ['/login/', '/login?x=1', '/login#form']],
    ['a path with a slash', '/login/', '/inbox', ['/login', '/login/#form']],
    ['a route behind a #', '/#/login', '/#/inbox?a=1', ['/#/login/', '/?code=1#/login?x=1', '/#/login#form']],
    ['a route behind a #!', '/app/#!/login', '/app/#!/inbox', ['/app#!/login', '/app/#!/login/']],
    ['a query', '/?page=login', '/?page=inbox', ['/?page=login', '/?x=1&page=login#form']],
    ['all of them', '/de/?app=1#/login?step=1', '/de/?app=1#/login', ['/de?app=1#/login/?x=1&step=1']],
  ])('of a sign-in page with %s', (_, own, other, places) => {
    // Promise: page-is-path-and-route
    it('is REDIRECT_LOOP there, and redirects elsewhere', async () => {
      const { newApp, settled } = await world()
      const app = newApp({ urls: { signIn: own } })
      for (const url of [own, ...places])
        await expect(settled(decide(app, signedIn, { url }))).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
      for (const url of [other, '/', '/de/login', `https://app.example.com${other}`]) {
        const decision = await settled(decide(app, signedIn, { url }))
        const to = new URL('to' in decision ? decision.to : '', 'https://app.example.com')
        const query = to.hash ? new URLSearchParams(to.hash.replace(/^[^?]*/, '')) : to.searchParams
        expect(query.get('after_auth_return_to')).toBe(url.replace('https://app.example.com', ''))
        query.delete('after_auth_return_to')
        expect('to' in decision && decision.to.split(/[?&]after_auth_return_to/)[0]).toBe(own)
      }
    })
  })

  it('passes a return address on that is behind the # already', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ urls: { handler: '/#/auth' } })
    const one = await settled(decide(app, signedIn, { url: '/#/invoices?page=2' }))
    const to = '/#/auth/sign-in?after_auth_return_to=%2F%23%2Finvoices%3Fpage%3D2'
    expect(one).toEqual({ decision: 'sign-in', to })
    const other = await settled(decide(app, signedIn, { url: to.replace('sign-in', 'sign-up') }))
    expect(other).toEqual(one)
  })

  // Promise: urls-function
  it('asks a function of urls with the address that it judges, on a server with its origin', async () => {
    const { newApp, settled } = await world()
    const seen: string[] = []
    const signIn = (url: URL) => {
      seen.push(url.href)
      return url.pathname.startsWith('/de/') ? '/de/anmelden/' : undefined
    }
    const app = newApp({ urls: { signIn } })
    const toOf = async (url: string) => {
      const decision = await settled(decide(app, signedIn, { url }))
      return 'to' in decision && decision.to
    }
    expect(await toOf('/de/rechnungen?a=1#b')).toBe('/de/anmelden/?after_auth_return_to=%2Fde%2Frechnungen%3Fa%3D1%23b')
    expect(await toOf('https://app.example.com/de/x')).toBe('/de/anmelden/?after_auth_return_to=%2Fde%2Fx')
    expect(await toOf('/invoices')).toBe('/handler/sign-in?after_auth_return_to=%2Finvoices')
    await expect(toOf('/de/anmelden')).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
    expect([...new Set(seen)]).toEqual([
      'https://relative.invalid/de/rechnungen?a=1#b',
      'https://app.example.com/de/x',
      'https://relative.invalid/invoices',
      'https://relative.invalid/de/anmelden',
    ])
  })

  // Promise: urls-function
  it.each([
    ['https://evil.example/in', '/x', 'INVALID_INPUT'],
    ['https://evil.example/in', 'https://evil.example/x', 'INVALID_INPUT'],
    ['//evil.example/in', '/x', 'INVALID_INPUT'],
    ['javascript:alert(1)', '/x', 'INVALID_INPUT'],
  ])('trusts a function of urls no more than a text: %s for %s', async (value, url, code) => {
    const { newApp, settled } = await world()
    for (const signIn of [value, () => value])
      await expect(settled(decide(newApp({ urls: { signIn } }), signedIn, { url }))).rejects.toMatchObject({ code })
  })

  it('stays at the origin if a function of urls returns a path with two slashes', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ urls: { signIn: () => '/.//evil.example/in' } })
    const decision = await settled(decide(app, signedIn, page))
    expect('to' in decision && new URL(decision.to, 'https://app.example.com').href).toBe(
      'https://app.example.com//evil.example/in?after_auth_return_to=%2Finvoices',
    )
  })

  it('rejects with CALLBACK_FAILED if a function of urls throws', async () => {
    const { newApp, settled } = await world()
    const cause = new Error('no locale')
    const signIn = () => {
      throw cause
    }
    const deciding = decide(newApp({ urls: { signIn } }), signedIn, page)
    await expect(settled(deciding)).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause })
  })

  // Promise: misspelt-need
  it.each([
    ['need.teamId', { signedIn: true, teamId: undefined }],
    ['need.can', { signedIn: true, can: undefined }],
    ['input', undefined],
    ['need.permissionId', { signedIn: true, permissionId: '$update_team' }],
    ['need.signedIn', { can: '$update_team' }],
    ['need.signedIn', 5],
  ])('refuses %s that is undefined or misspelt', async (field, need) => {
    const { app, requests, settled } = await world()
    const deciding = decide(app, need as unknown as Need, page)
    await expect(settled(deciding)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(requests).toEqual([])
  })

  it('rejects when the user cannot be loaded, or the signal aborts', async () => {
    const { app, clock, platform, settled } = await world()
    const aborted = decide(app, signedIn, { ...page, signal: AbortSignal.abort() })
    await expect(settled(aborted)).rejects.toMatchObject({ code: 'ABORTED' })
    platform.faults.every('*', { loseResponse: true })
    const failing = decide(app, signedIn, page)
    failing.catch(() => undefined)
    await clock.advance(60_000)
    await expect(settled(failing)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('decide() with an unverified address', () => {
  const unverified = { users: [ada], project: { config: { requireEmailVerification: true } } }

  it.each([
    ['in a project that demands verification', { wire: '2026', seed: unverified }],
    ['in a project that does not', { seed: { users: [ada] } }],
  ] as const)('sends to the page of the verification only what needs it, %s', async (_, platform) => {
    const { app, settled } = await world({ platform })
    expect(await settled(decide(app, signedIn, page))).toMatchObject({ decision: 'allow' })
    expect(await settled(decide(app, { ...signedIn, verified: true }, page))).toEqual({
      decision: 'verify',
      to: '/handler/email-verification?after_auth_return_to=%2Finvoices',
    })
  })

  it('forbids what depends on a permission or a team, which the platform does not tell', async () => {
    const { app, requests, settled } = await world({ platform: { wire: '2026', seed: unverified } })
    await settled(app.user$.get())
    requests.length = 0
    for (const need of [{ can: 'publish' }, { teamId: opsId }])
      expect(await settled(decide(app, { ...signedIn, ...need }, page))).toEqual({ decision: 'forbidden' })
    expect(requests).toEqual([])
  })

  it('forbids everything to a user whom an administrator restricts', async () => {
    const { app, settled } = await world({
      platform: { wire: '2026', seed: { users: [{ ...ada, verified: true, restricted: true }] } },
    })
    for (const need of [signedIn, { ...signedIn, verified: true }])
      expect(await settled(decide(app, need, page))).toEqual({ decision: 'forbidden' })
  })

  it('allows as soon as the address is verified', async () => {
    const { app, settled } = await world({ platform: { seed: { users: [{ ...ada, verified: true }] } } })
    expect(await settled(decide(app, { ...signedIn, verified: true }, page))).toMatchObject({ decision: 'allow' })
  })
})

describe('decide() with a permission or a team', () => {
  it.each([
    [{ can: '$update_team', teamId: opsId }, 'allow'],
    [{ can: '$update_team', teamId: labId }, 'forbidden'],
    [{ can: '$update_team' }, 'forbidden'],
    [{ can: 'draft' }, 'allow'],
    [{ can: 'draft', teamId: opsId }, 'forbidden'],
    [{ can: 'nothing' }, 'forbidden'],
    [{ teamId: labId }, 'allow'],
    [{ teamId: 'd0c1d2e3-1111-4222-8333-444455556666' }, 'forbidden'],
    [{ teamId: '../../users' }, 'forbidden'],
    [{ teamId: '' }, 'forbidden'],
    [{ can: '$update_team', teamId: 'd0c1d2e3-1111-4222-8333-444455556666' }, 'forbidden'],
    [{ can: '$update_team', teamId: '../../users' }, 'forbidden'],
    [{ can: '$update_team', teamId: '' }, 'forbidden'],
  ])('%j is %s', async (need, decision) => {
    const { app, server, adaId, inTime } = await teamWorld(projectPermissions)
    await inTime(server.grantProjectPermission({ userId: adaId, permissionId: 'publish' }))
    expect(await inTime(decide(app, { ...signedIn, ...need }, page))).toMatchObject({ decision })
  })

  it('makes one request for all pages of a team, and none while it is watched', async () => {
    const { app, clock, requests, settled } = await teamWorld()
    const need: Need = { ...signedIn, can: '$update_team', teamId: opsId }
    await settled(decide(app, need, page))
    await settled(decide(app, { ...need, can: '$delete_team' }, page))
    expect(requests).toEqual([userRoute, 'GET /team-permissions'])
    app.auth$.subscribe()
    app.can$({ permissionId: '$update_team', teamId: opsId }).subscribe()
    await clock.advance(60_000)
    requests.length = 0
    expect(await settled(decide(app, need, page))).toMatchObject({ decision: 'allow' })
    expect(requests).toEqual([])
  })

  // Promise: decides-again
  it('sees a team that the user has joined elsewhere: no refusal is older than five seconds', async () => {
    const { clock, platform, newApp, server, settled, inTime } = await teamWorld()
    const app = newApp({ tokens: await platform.tokensFor(eve.email) })
    app.teams$.subscribe()
    await clock.advance(0)
    const { items } = await inTime(server.users$({ query: eve.email }).get())
    await inTime(server.addTeamMemberById({ teamId: opsId, userId: items[0]!.id }))
    expect(await settled(decide(app, { ...signedIn, teamId: opsId }, page))).toMatchObject({ decision: 'allow' })
  })

  const slow = { delayMillis: 1000 }
  const need: Need = { ...signedIn, can: '$update_team', teamId: opsId }

  // Promise: decides-again
  it.each<[string, (app: ClientApp) => Promise<unknown>, object]>([
    ['a sign-out', app => app.signOut(), { decision: 'sign-in' }],
    ['a sign-in as another user', app => app.signInWithPassword(credentialsOf(grace)), { decision: 'forbidden' }],
    ['a new session of the same user', app => app.signInWithPassword(credentialsOf(ada)), { decision: 'allow' }],
  ])('%s while the permission is loaded decides again', async (_, change, decision) => {
    const { app, clock, platform, settled } = await teamWorld()
    platform.faults.next('GET /team-permissions', slow)
    const deciding = decide(app, need, page)
    await clock.advance(500)
    const changing = change(app)
    await clock.advance(5000)
    await settled(changing)
    expect(await settled(deciding)).toMatchObject(decision)
  })

  it('rejects when the permissions cannot be loaded', async () => {
    const { app, clock, platform, settled } = await teamWorld()
    platform.faults.every('GET /team-permissions', { status: 503 })
    const deciding = decide(app, need, page)
    deciding.catch(() => undefined)
    await clock.advance(60_000)
    await expect(settled(deciding)).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 503 })
  })
})

describe('decide() on a server', () => {
  it('decides by the tokens of a request', async () => {
    const { platform, settled } = await world()
    const server = createServerApp(platform.serverOptions)
    const requestOf = (headers: Readonly<Record<string, string>> = {}) =>
      server.withTokens(requestTokens(new Request('https://app.example.com/invoices', { headers })))
    const { accessToken } = (await platform.tokensFor(ada.email)).read()!
    const url = 'https://app.example.com/invoices?page=2'
    const request = requestOf({ authorization: `Bearer ${accessToken ?? ''}` })
    expect(await settled(decide(request, signedIn, { url }))).toMatchObject({ decision: 'allow' })
    const to = `${signIn}?after_auth_return_to=%2Finvoices%3Fpage%3D2`
    expect(await settled(decide(requestOf(), signedIn, { url }))).toEqual({ decision: 'sign-in', to })
    expect(await settled(decide(server, signedIn, { url }))).toEqual({ decision: 'sign-in', to })
  })
})

describe('onIdentityChange()', () => {
  // Promise: guards-run-again
  it('tells of sign-in, sign-out and another user, and of nothing else', async () => {
    const { app, clock, settled } = await world()
    let changes = 0
    const stop = onIdentityChange(app, () => changes++)
    await clock.advance(0)
    expect(changes).toBe(0)
    await settled(app.updateUser({ displayName: 'Countess' }))
    await clock.advance(600_000)
    await settled(app.user$.refresh())
    await settled(app.accessToken())
    expect(changes).toBe(0)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    expect(changes).toBe(1)
    await settled(app.signOut())
    expect(changes).toBe(2)
    await settled(app.signInWithPassword(credentialsOf(ada)))
    expect(changes).toBe(3)
    stop()
    await settled(app.signOut())
    expect(changes).toBe(3)
  })

  it('reports what the app throws to onUnhandled, and goes on', async () => {
    const unhandled: unknown[] = []
    const { app, clock, settled } = await world({ app: { onUnhandled: error => void unhandled.push(error) } })
    onIdentityChange(app, () => {
      throw new Error('router')
    })
    await clock.advance(0)
    await settled(app.signOut())
    await settled(app.signInWithPassword(credentialsOf(ada)))
    expect(unhandled).toEqual(Array(2).fill(expect.objectContaining({ code: 'CALLBACK_FAILED' })))
  })
})
