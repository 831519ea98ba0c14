import { createClientApp, isAuthError, memoryTokens, type TraceEvent } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { callbackPage, home, mary, parameter, signInPage, type Tab } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada } from '../../world'
import { away, comeBack, flowCookies } from './callback-world'
import { web } from './web'

const exchangeLine = 'POST /auth/oauth/token'

function traced(tab: Tab): TraceEvent[] {
  const events: TraceEvent[] = []
  tab.app.trace$.subscribe(event => events.push(event))
  return events
}

const exchanges = () => web.sent.filter(({ line }) => line === exchangeLine)

describe('the code', () => {
  it('is exchanged as a form, with none of the headers of the kit', async () => {
    const { tab, back } = await away({ extraHeaders: { 'x-extra': 'not here' } })
    const [cookie] = flowCookies()
    const [verifier] = JSON.parse(decodeURIComponent(cookie!.value)) as string[]
    await comeBack(tab, back)
    const [{ headers, body }] = exchanges() as [(typeof web.sent)[number]]
    const { projectId, publishableClientKey } = web.platform.options
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'authorization_code',
      code: parameter(back, 'code'),
      redirect_uri: callbackPage,
      code_verifier: verifier,
      client_id: projectId,
      client_secret: publishableClientKey,
    })
    expect([...headers.keys()].sort()).toEqual(['accept', 'content-type'])
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded;charset=UTF-8')
    // What leads elsewhere is not followed with the verifier and the key.
    expect(exchanges()[0]!.redirect).toBe('manual')
  })

  it('goes with the redirect URI as it was sent, whatever became of the address since', async () => {
    const { tab, back } = await away({ from: `${signInPage}?after_auth_return_to=%2Fd%20e` })
    const changed = new URL(back)
    changed.searchParams.set('after_auth_return_to', '/elsewhere')
    changed.searchParams.set('utm_source', 'x')
    expect(await comeBack(tab, changed.href)).toMatchObject({ result: { ok: true } })
    expect(new URLSearchParams(exchanges()[0]!.body).get('redirect_uri')).toBe(
      `${callbackPage}?after_auth_return_to=%2Fd+e`,
    )
  })

  it('is in no trace, and in no error', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const events = traced(tab)
    web.platform.faults.next(exchangeLine, { status: 500 })
    const error: unknown = await app.handleOAuthCallback().catch((thrown: unknown) => thrown)
    expect(events.map(({ type }) => type)).toContain('request')
    const texts = [...events.map(event => JSON.stringify(event)), String(error), JSON.stringify(error)]
    for (const name of ['code', 'state']) expect(texts.join()).not.toContain(parameter(back, name))
  })

  it('is redeemed without any time passing where nothing goes wrong', async () => {
    const { tab, back } = await away()
    const before = web.clock.now()
    await comeBack(tab, back)
    expect(web.clock.now()).toBe(before)
  })
})

describe('before anything takes time', () => {
  it('the state is used up, and code and state are gone from the address bar', async () => {
    const { tab, back } = await away({ from: `${signInPage}?after_auth_return_to=%2Fdeep` })
    const app = tab.load(`${back}&other=1#hash`)
    const promise = app.handleOAuthCallback()
    expect(flowCookies()).toEqual([])
    expect(tab.href).toBe(`${callbackPage}?after_auth_return_to=%2Fdeep&other=1#hash`)
    expect(tab.history).toEqual([`{"router":"its own"} ${tab.href}`])
    expect(web.sent).toEqual([])
    await promise
  })

  it('is used up although the page may not change its address', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const refuse = () => {
      throw new Error('SecurityError')
    }
    Object.assign((globalThis as unknown as { window: { history: object } }).window.history, { replaceState: refuse })
    const first = app.handleOAuthCallback()
    expect(app.handleOAuthCallback()).toBe(first)
    expect(await first).toMatchObject({ result: { ok: true } })
    expect(exchanges()).toHaveLength(1)
  })
})

describe('called twice', () => {
  it('it gives the first promise, and exchanges once', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const [first, second] = [app.handleOAuthCallback(), app.handleOAuthCallback()]
    expect(second).toBe(first)
    expect(await first).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(app.handleOAuthCallback()).toBe(first)
    expect(exchanges()).toHaveLength(1)
  })

  it('it gives the first promise when a router has put the old address back', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const first = app.handleOAuthCallback()
    tab.href = back
    expect(app.handleOAuthCallback()).toBe(first)
    await first
  })

  it('it goes on for the second when the first is aborted, as a page that is mounted twice does', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const controller = new AbortController()
    const first = app.handleOAuthCallback({ signal: controller.signal })
    controller.abort()
    const second = app.handleOAuthCallback({ signal: new AbortController().signal })
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await second).toMatchObject({ result: { ok: true } })
    expect(exchanges()).toHaveLength(1)
  })

  it('with another kit of the same page, it is ignored', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const first = app.handleOAuthCallback()
    expect(await tab.load(tab.href).handleOAuthCallback()).toMatchObject({ status: 'ignored' })
    expect(await first).toMatchObject({ result: { ok: true } })
  })

  it('it takes the next sign-in for another one', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const first = await app.handleOAuthCallback()
    tab.href = signInPage
    const url = await tab.left(app.signInWithOAuth({ provider: 'github' }))
    tab.href = await web.walk(url)
    const second = await app.handleOAuthCallback()
    expect(second).toMatchObject({ result: { ok: true, value: { isNewUser: false } } })
    expect(second).not.toBe(first)
  })
})

describe('it is ignored, without a request and without a trace but its reason,', () => {
  it.each<[what: string, (back: URL) => void]>([
    ['when the address has no code', back => back.searchParams.delete('code')],
    ['when the code is empty', back => back.searchParams.set('code', '')],
    ['when the address has no state', back => back.searchParams.delete('state')],
    ['when the address has neither', back => (back.search = '')],
    ['when the state is unknown', back => back.searchParams.set('state', 'x'.repeat(43))],
    ['when the state is no state', back => back.searchParams.set('state', '__proto__')],
    ['when the state would write a cookie', back => back.searchParams.set('state', 'a=b; domain=example.com; path')],
    ['when the state is endless', back => back.searchParams.set('state', 'x'.repeat(5000))],
  ])('%s', async (_, change) => {
    const { tab, back } = await away()
    const changed = new URL(back)
    change(changed)
    const app = tab.load(changed.href)
    const events = traced(tab)
    const before = JSON.stringify(web.jar.all)
    const callback = await app.handleOAuthCallback()
    expect(callback).toEqual({ status: 'ignored', reason: expect.any(String) })
    expect(events).toEqual([
      {
        at: new Date(web.clock.now()),
        type: 'oauth-callback',
        outcome: 'ignored',
        reason: callback.status === 'ignored' && callback.reason,
      },
    ])
    expect(web.sent).toEqual([])
    expect(tab.href).toBe(changed.href)
    expect(tab.history).toEqual([])
    expect(app.flow$.value).toEqual({ status: 'idle' })
    expect(JSON.stringify(web.jar.all)).toBe(before)
    // And the sign-in that is under way still works.
    expect(await comeBack(tab, back)).toMatchObject({ result: { ok: true } })
  })

  it.each([
    [3_599_999, 'handled'],
    [3_600_000, 'ignored'],
  ])('%i ms after the click it is %s', async (millis, status) => {
    const { tab, back } = await away()
    await web.clock.advance(millis)
    const callback = await comeBack(tab, back).catch((error: unknown) => ({
      status: 'handled',
      code: isAuthError(error) && error.code,
    }))
    // The code itself lives for five minutes only.
    expect(callback).toMatchObject(status === 'handled' ? { status, code: 'INVALID_AUTHORIZATION_CODE' } : { status })
  })

  it('an hour after the click, by a host that keeps cookies for longer', async () => {
    const cookies = web.jar.on(home)
    const host = {
      cookies: { get: () => cookies.get(), set: (text: string) => cookies.set(text.replace('3600', '36000')) },
    }
    const { tab, back } = await away({ host })
    await web.clock.advance(3_600_000)
    expect(flowCookies()).toHaveLength(1)
    expect(await comeBack(tab, back)).toMatchObject({ status: 'ignored' })
  })

  it.each([
    '',
    'x',
    'a'.repeat(43),
    '%',
    '%E0%A4%A',
    'null',
    '[]',
    '{}',
    '[[[[',
    '["short",1,"https://app.example.com/",null,null,false]',
    JSON.stringify(['a'.repeat(43), 'now', callbackPage, null, null, false]),
    JSON.stringify(['a'.repeat(43), 1, null, null, null, false]),
    JSON.stringify(['a'.repeat(43), 1, callbackPage, 7, null, false]),
    JSON.stringify(['a'.repeat(43), 1, callbackPage, null, {}, false]),
    JSON.stringify(['a'.repeat(43), 1, callbackPage, null, null, 'yes']),
    '['.repeat(4000),
  ])('when the cookie holds %s, which stays', async value => {
    const { tab, back } = await away()
    const { name } = flowCookies()[0]!
    web.jar.on(home).set(`${name}=${value}; path=/`)
    const before = web.jar.all
    expect(await comeBack(tab, back)).toMatchObject({ status: 'ignored' })
    expect(web.jar.all).toEqual(before)
    expect(web.sent).toEqual([])
  })
})

it('a cookie planted under another name is ignored', async () => {
  const tab = web.open()
  const value = encodeURIComponent(JSON.stringify(['a'.repeat(43), web.clock.now(), callbackPage, null, null, false]))
  web.jar.on(home).set(`stack-oauth-outer-x=${value}; path=/`)
  expect(await comeBack(tab, `${callbackPage}?code=c&state=x`)).toMatchObject({ status: 'ignored' })
  expect(flowCookies()).toHaveLength(1)
  expect(web.sent).toEqual([])
})

describe('outside a page', () => {
  it('it is refused without cookies, and without an address', async () => {
    leavePages()
    const { options } = web.platform
    const bare = createClientApp({ ...options, tokens: memoryTokens() })
    await expect(bare.handleOAuthCallback()).rejects.toMatchObject({ details: { field: 'host.cookies' } })
    const host = { cookies: web.jar.on('https://app.example.com/') }
    const app = createClientApp({ ...options, host, tokens: memoryTokens() })
    for (const input of [{}, { url: 'nowhere' }])
      await expect(app.handleOAuthCallback(input)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'url' },
      })
  })

  it('it takes the address that an app was opened with', async () => {
    const { back } = await away()
    leavePages()
    const host = { cookies: web.jar.on(home) }
    const app = createClientApp({ ...web.platform.options, host, tokens: memoryTokens() })
    const first = app.handleOAuthCallback({ url: back })
    expect(app.handleOAuthCallback({ url: back })).toBe(first)
    expect(await first).toMatchObject({ result: { ok: true } })
    expect((await app.user$.get())?.primaryEmail).toBe(mary.email)
  })

  it('it is DISPOSED of with its kit', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    app.dispose()
    await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

describe('where it leads', () => {
  const urls = { afterSignIn: '/in', afterSignUp: '/up' }

  it.each<[what: string, given: Parameters<typeof away>[0], next: string]>([
    ['a new user to the page after signing up', { urls }, '/up'],
    ['to where the caller said', { urls, returnTo: '/deep?a=1#b' }, '/deep?a=1#b'],
    ['to where the page came from', { urls, from: `${signInPage}?after_auth_return_to=%2Fdeep` }, '/deep'],
    [
      'to where the caller said before where the page came from',
      { urls, returnTo: '/caller', from: `${signInPage}?after_auth_return_to=%2Fpage` },
      '/caller',
    ],
    [
      'to a trusted domain',
      { urls, returnTo: 'https://b.example/x', trustedDomains: ['https://b.example'] },
      'https://b.example/x',
    ],
    [
      'nowhere that is not trusted',
      { urls, from: `${signInPage}?after_auth_return_to=https%3A%2F%2Fevil.example` },
      '/up',
    ],
  ])('leads %s', async (_, given, next) => {
    const { tab, back } = await away(given)
    expect(await comeBack(tab, back)).toMatchObject({ result: { ok: true, value: { isNewUser: true, next } } })
    expect(tab.app.flow$.value).toMatchObject({ status: 'done', signedIn: { next } })
  })

  it.each([
    ['#', '/#/deep?a=1'],
    ['#!', '/#!/deep'],
  ])('leads to a route behind %s, which the redirect URI does not have', async (hash, next) => {
    const { tab, back } = await away({
      urls: { handler: `/${hash}/auth` },
      from: `${home}/${hash}/auth/sign-in?after_auth_return_to=${encodeURIComponent(next)}`,
    })
    expect(new URL(back).hash).toBe('')
    expect(await comeBack(tab, `${back}${hash}/`)).toMatchObject({ result: { ok: true, value: { next } } })
    expect(tab.href).toBe(`${home}/${hash}/`)
    expect(new URLSearchParams(exchanges()[0]!.body).get('redirect_uri')).toBe(`${home}/`)
  })

  it('leads to the pages that functions of urls give for the page', async () => {
    const locale = (url: URL) => url.pathname.slice(0, 3)
    const { tab, back } = await away({
      urls: { oauthCallback: url => `${locale(url)}/callback`, afterSignUp: url => `${locale(url)}/welcome` },
      from: `${home}/de/login`,
    })
    expect(await comeBack(tab, back)).toMatchObject({ result: { ok: true, value: { next: '/de/welcome' } } })
    expect(tab.href).toBe(`${home}/de/callback`)
  })

  it('leads into REDIRECT_LOOP at the third time, as a page that begins sign-ins by itself does', async () => {
    const codes: unknown[] = []
    const tab = web.open()
    for (let round = 0; round < 3; round++) {
      tab.load(signInPage)
      const back = await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
      const callback = await comeBack(tab, back)
      if (callback.status !== 'handled') throw new Error(callback.reason)
      const going = tab.app.navigateAfterAuth(callback.result).catch((error: unknown) => {
        codes.push(isAuthError(error) && error.code)
      })
      await web.clock.advance(2000)
      await going
    }
    expect(codes).toEqual(['REDIRECT_LOOP'])
  })

  it('leads a known user to the page after signing in', async () => {
    const first = await away({ urls })
    await comeBack(first.tab, first.back)
    const { tab, back } = await away({ urls })
    expect(await comeBack(tab, back)).toMatchObject({ result: { ok: true, value: { isNewUser: false, next: '/in' } } })
  })

  it('leads to the caller’s target if the platform’s is not trusted', async () => {
    const { tab, back } = await away({ urls, returnTo: '/deep' })
    const fetch: typeof globalThis.fetch = async (...request) => {
      const answer = (await (await web.platform.options.fetch(...request)).json()) as object
      return Response.json({ ...answer, after_callback_redirect_url: 'https://evil.example/' })
    }
    expect(await tab.load(back, { fetch }).handleOAuthCallback()).toMatchObject({
      result: { ok: true, value: { next: '/deep' } },
    })
  })

  it('leads to the caller’s target if the platform names none in its answer', async () => {
    const { tab, back } = await away({ urls, returnTo: '/deep' })
    const fetch: typeof globalThis.fetch = async (...request) => {
      const answer = (await (await web.platform.options.fetch(...request)).json()) as object
      return Response.json({ ...answer, after_callback_redirect_url: undefined })
    }
    expect(await tab.load(back, { fetch }).handleOAuthCallback()).toMatchObject({
      result: { ok: true, value: { next: '/deep' } },
    })
  })

  it('leads to where the caller said after a second factor, too', async () => {
    const secret = Uint8Array.from('12345678901234567890', character => character.charCodeAt(0))
    const totpSecret = btoa(String.fromCharCode(...secret))
    await web.platform.seed({ users: [{ email: mary.email, verified: true, totpSecret }] })
    const { tab, back } = await away({ urls, returnTo: '/deep' })
    expect(await comeBack(tab, back)).toMatchObject({ result: { ok: false } })
    const app = tab.load(`${home}/handler/mfa`)
    const totp = await totpCode(secret, web.clock.now())
    expect(await app.continueSignIn({ totp })).toMatchObject({ ok: true, value: { next: '/deep' } })
  })

  it('leads where a way back fits into no cookie, to the default, and signs in all the same', async () => {
    const long = `/${'%C3%A4'.repeat(900)}`
    const from = `${signInPage}?after_auth_return_to=${encodeURIComponent(long)}`
    for (const given of [{ from }, { returnTo: long }]) {
      const { tab, back } = await away({ ...given, urls: { afterSignUp: '/up', afterSignIn: '/up' } })
      expect(await comeBack(tab, back)).toMatchObject({ result: { ok: true, value: { next: '/up' } } })
    }
  })
})

describe('a failure', () => {
  it.each([
    ['four minutes and 59 seconds', 299_000, true],
    ['five minutes', 300_000, false],
  ])('%s after the provider the code is good: %s', async (_, millis, isGood) => {
    const { tab, back } = await away()
    await web.clock.advance(millis)
    const callback = comeBack(tab, back)
    if (isGood) expect(await callback).toMatchObject({ result: { ok: true } })
    else await expect(callback).rejects.toMatchObject({ code: 'INVALID_AUTHORIZATION_CODE' })
    expect(exchanges()).toHaveLength(1)
  })

  it('after ten minutes at the provider is reported', async () => {
    const tab = web.open()
    const page = await web.follow(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
    await web.clock.advance(600_000)
    const form = new URLSearchParams({ who: '', email: mary.email, decision: 'allow' })
    const end = await web.follow(page.url, { method: 'POST', body: form })
    expect(await comeBack(tab, end.url)).toMatchObject({
      status: 'handled',
      result: { ok: false, error: { code: 'OUTER_OAUTH_TIMEOUT' } },
    })
  })

  it('by the network is none of the code: the next call asks again', async () => {
    const { tab, back } = await away()
    let isOffline = true
    const app = tab.load(back, {
      fetch: (...args) =>
        isOffline ? Promise.reject(new TypeError('Failed to fetch')) : web.platform.options.fetch(...args),
    })
    const first = app.handleOAuthCallback()
    expect(app.handleOAuthCallback()).toBe(first)
    await expect(first).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(app.flow$.value).toEqual({ status: 'idle' })
    isOffline = false
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
  })

  it('to slow down that lasts is RATE_LIMITED, and the next call asks again', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    const stop = web.platform.faults.every(exchangeLine, { status: 429, retryAfter: '3' })
    const failed = expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await web.clock.advance(60_000)
    await failed
    expect(exchanges()).toHaveLength(5)
    stop()
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
  })

  it('for good stays as it is: the same promise, and no other request', async () => {
    const { tab, back } = await away()
    await web.clock.advance(300_000)
    const app = tab.load(back)
    const first = app.handleOAuthCallback()
    await expect(first).rejects.toMatchObject({ code: 'INVALID_AUTHORIZATION_CODE' })
    expect(app.handleOAuthCallback()).toBe(first)
    expect(exchanges()).toHaveLength(1)
  })

  it('without a code, which is an answer, stays as it is', async () => {
    const { tab, back } = await away()
    const app = tab.load(back)
    web.platform.faults.next(exchangeLine, { status: 403 })
    const first = app.handleOAuthCallback()
    await expect(first).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 403 })
    expect(app.handleOAuthCallback()).toBe(first)
    expect(exchanges()).toHaveLength(1)
  })

  it.each(['truncated', 'garbage'] as const)(
    'by an answer that is %s does not sign in, and is not repeated',
    async body => {
      const { tab, back } = await away()
      const app = tab.load(back)
      web.platform.faults.next(exchangeLine, { body })
      const first = app.handleOAuthCallback()
      await expect(first).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
      expect(app.handleOAuthCallback()).toBe(first)
      expect(await app.user$.get()).toBeNull()
    },
  )

  it('by invalid tokens does not sign in', async () => {
    const { tab, back } = await away()
    const fetch = async () =>
      Response.json({ access_token: 'x', refresh_token: 'y', is_new_user: false, after_callback_redirect_url: null })
    const app = tab.load(back, { fetch })
    await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await app.accessToken()).toBeNull()
  })

  it('of a wrong second factor in the callback goes to onUnhandled', async () => {
    const unhandled: unknown[] = []
    const { tab, back } = await away()
    const fetch = async () =>
      new Response(JSON.stringify({ code: 'INVALID_TOTP_CODE', error: 'wrong' }), {
        status: 400,
        headers: { 'x-stack-known-error': 'INVALID_TOTP_CODE' },
      })
    const app = tab.load(back, { fetch, onUnhandled: error => unhandled.push(error) })
    expect(await app.handleOAuthCallback()).toMatchObject({ status: 'ignored' })
    expect(unhandled).toEqual([
      expect.objectContaining({
        code: 'INVALID_TOTP_CODE',
        message: 'the code of the second factor is invalid; sign in again',
      }),
    ])
  })
})

it('replaces the user signed in before', async () => {
  const tab = web.open()
  await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
  const back = await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
  await comeBack(tab, back)
  expect((await tab.app.user$.get())?.primaryEmail).toBe(mary.email)
})
