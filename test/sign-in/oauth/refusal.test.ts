import type { Host } from 'rxauth'
import { decodeDetails } from '../../../src/errors/details'
import { callbackPage, home, parameter, signInPage } from '../../oauth-web'
import { away, comeBack } from './callback-world'
import { begin, web } from './web'

const flowCookies = () => web.jar.all.filter(({ name }) => name.startsWith('stack-oauth-outer-'))

const forbidden = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

describe('a refusal, which comes back to the callback page without the state,', () => {
  // Promise: oauth-refusal
  it('ends the flow of the tab: its message is in the error and removed from the address', async () => {
    begin({ signUpEnabled: false })
    const tab = web.open(`${signInPage}?after_auth_return_to=%2Fdeep`)
    const back = await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
    expect(back.startsWith(callbackPage)).toBe(true)
    expect([parameter(back, 'state'), parameter(back, 'error')]).toEqual([null, 'server_error'])
    const app = tab.load(back)
    const callback = await app.handleOAuthCallback()
    expect(callback).toMatchObject({
      status: 'handled',
      result: { ok: false, error: { code: 'SIGN_UP_NOT_ENABLED', message: parameter(back, 'message') } },
    })
    expect(app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'SIGN_UP_NOT_ENABLED' } })
    expect(tab.href).toBe(`${callbackPage}?after_auth_return_to=%2Fdeep`)
    expect(flowCookies()).toEqual([])
    // As React does in its strict mode, and as a reload does.
    expect(await app.handleOAuthCallback()).toBe(callback)
    expect(await tab.load(tab.href).handleOAuthCallback()).toMatchObject({ status: 'ignored' })
  })

  // Promise: oauth-refusal-address
  it.each<[string, Host]>([
    ['is blocked', { sessionStorage: undefined as never }],
    ['throws', { sessionStorage: { getItem: forbidden, setItem: forbidden, removeItem: forbidden } }],
  ])(
    'is removed from the address without its message if session storage %s: no tab is known to have begun it',
    async (_, host) => {
      begin({ signUpEnabled: false })
      const tab = web.open(`${signInPage}?after_auth_return_to=%2Fdeep`, { host })
      const back = await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
      const app = tab.load(`${back}&other=1#hash`)
      const callback = await app.handleOAuthCallback()
      expect(callback).toMatchObject({ result: { ok: false, error: { code: 'SIGN_UP_NOT_ENABLED' } } })
      expect(JSON.stringify(callback)).not.toContain(parameter(back, 'message'))
      expect(tab.href).toBe(`${callbackPage}?after_auth_return_to=%2Fdeep&other=1#hash`)
      expect(tab.history).toHaveLength(1)
      expect(await app.handleOAuthCallback()).toBe(callback)
      expect(await tab.load(tab.href).handleOAuthCallback()).toMatchObject({ status: 'ignored' })
    },
  )

  // Promise: anonymous-sign-up
  it('never loses the session of the anonymous user who wanted to sign up', async () => {
    begin({ signUpEnabled: false })
    const tab = web.open()
    const { userId } = await tab.app.signUpAnonymously()
    const app = tab.load(await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: false } })
    expect((await app.anyUser$.get())?.id).toBe(userId)
  })

  it.each([
    ['SIGN_UP_REJECTED', { message: 'Not from here.' }],
    ['BOT_CHALLENGE_REQUIRED', {}],
    ['BOT_CHALLENGE_FAILED', { message: 'Expired.' }],
    ['OAUTH_PROVIDER_TEMPORARILY_UNAVAILABLE', {}],
    ['OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN', {}],
  ])('is returned if the user can act on it: %s', async (code, details) => {
    begin()
    const tab = web.open()
    await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
    const query = { error: 'server_error', errorCode: code, message: 'Told.', details: JSON.stringify(details) }
    const app = tab.load(`${callbackPage}?${new URLSearchParams(query).toString()}`)
    expect(await app.handleOAuthCallback()).toMatchObject({
      status: 'handled',
      result: { ok: false, error: { code, message: 'Told.', details: decodeDetails(details) } },
    })
  })

  // Promise: oauth-refusal
  it('in a popup is passed to the page that waits for it, and the window closes', async () => {
    begin()
    const popup = { gone: undefined as string | undefined, isClosed: false }
    const page = web.open(signInPage, {
      host: {
        openWindow: () => ({
          location: { replace: url => void (popup.gone = url) },
          close: () => void (popup.isClosed = true),
        }),
      },
    })
    const result = page.app.signInWithOAuthPopup({ provider: 'github' })
    await web.clock.advance(0)
    const back = await web.walk(popup.gone!, 'refuses')
    expect(parameter(back, 'state')).toBeNull()
    const inPopup = web.open(back)
    // A window has a session storage of its own.
    expect(inPopup.storage.items.size).toBe(0)
    const callback = inPopup.app.handleOAuthCallback()
    page.focus()
    expect(await result).toMatchObject({ ok: false, error: { code: 'OAUTH_PROVIDER_ACCESS_DENIED' } })
    expect(await callback).toMatchObject({ status: 'ignored' })
    expect([inPopup.isClosed, popup.isClosed, inPopup.href]).toEqual([true, true, callbackPage])
    expect(flowCookies()).toEqual([])
  })

  it('of no flow of this browser is not quoted, whatever flow it names', async () => {
    begin()
    const evil = { error: 'server_error', errorCode: 'SIGN_UP_NOT_ENABLED', message: 'Call 555', rxauth_flow: 'x' }
    const tab = web.open(`${callbackPage}?${new URLSearchParams(evil).toString()}`)
    const callback = await tab.app.handleOAuthCallback()
    expect(callback).toMatchObject({ result: { ok: false, error: { code: 'SIGN_UP_NOT_ENABLED' } } })
    expect(JSON.stringify(callback)).not.toContain('555')
    expect(tab.app.flow$.value).toEqual({ status: 'idle' })
    expect(tab.href).toBe(callbackPage)
  })
})

describe('an error in the address', () => {
  const refused = (code: string) => ({ status: 'handled', result: { ok: false, error: { code } } })

  it.each([
    ['?error=access_denied', 'OAUTH_PROVIDER_ACCESS_DENIED'],
    ['?error=access_denied&error_description=No&state=x', 'OAUTH_PROVIDER_ACCESS_DENIED'],
    ['?error=access_denied&code=1&state=2', 'OAUTH_PROVIDER_ACCESS_DENIED'],
    ['?errorCode=SIGN_UP_NOT_ENABLED&message=No&details={}', 'SIGN_UP_NOT_ENABLED'],
    ['?errorCode=OUTER_OAUTH_TIMEOUT', 'OUTER_OAUTH_TIMEOUT'],
    [
      '?errorCode=OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER&details=nonsense',
      'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
    ],
    [
      '?errorCode=USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
      'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    ],
    [
      '?errorCode=CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
      'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    ],
  ])('%s is the value %s, before code and state are looked at', async (query, code) => {
    const tab = web.open(callbackPage + query)
    const first = tab.app.handleOAuthCallback()
    expect(tab.app.handleOAuthCallback()).toBe(first)
    expect(tab.href).toBe(callbackPage)
    expect(tab.app.handleOAuthCallback()).toBe(first)
    expect(await first).toMatchObject(refused(code))
    expect(web.sent).toEqual([])
  })

  it.each([
    ['/#/auth', '/?errorCode=SIGN_UP_NOT_ENABLED', '/'],
    ['/#/auth', '/?errorCode=SIGN_UP_NOT_ENABLED#/', '/#/'],
    ['/#/auth', '/?errorCode=SIGN_UP_NOT_ENABLED#/auth/error', null],
    ['/auth', '/auth/oauth-callback/?errorCode=SIGN_UP_NOT_ENABLED', '/auth/oauth-callback/'],
    ['/auth', '/auth/error?errorCode=SIGN_UP_NOT_ENABLED', null],
    ['/auth', '/?errorCode=SIGN_UP_NOT_ENABLED', null],
  ])('with pages below %s at %s is a value, and the address becomes %s', async (handler, page, left) => {
    const tab = web.open(home + page, { urls: { handler } })
    expect(await tab.app.handleOAuthCallback()).toMatchObject(refused('SIGN_UP_NOT_ENABLED'))
    expect(tab.href).toBe(home + (left ?? page))
  })

  it.each([
    ['?errorCode=OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', { code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' }],
    ['?errorCode=NEW_CODE', { code: 'UNSUPPORTED_ERROR', details: { originalErrorCode: 'NEW_CODE' } }],
    ['?error=server_error', { code: 'UNSUPPORTED_ERROR', details: { originalErrorCode: 'server_error' } }],
    [
      `?error=${encodeURIComponent('<b>call 555</b>')}`,
      { code: 'UNSUPPORTED_ERROR', details: { originalErrorCode: 'unreadable' } },
    ],
    ['?errorCode=toString', { code: 'UNSUPPORTED_ERROR' }],
    [
      '?errorCode=MULTI_FACTOR_AUTHENTICATION_REQUIRED&details={"attempt_code":"theirs"}',
      { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    ],
  ])('%s is thrown', async (query, error) => {
    const tab = web.open(callbackPage + query)
    await expect(tab.app.handleOAuthCallback()).rejects.toMatchObject(error)
    expect(tab.app.flow$.value).toEqual({ status: 'idle' })
    expect(tab.href).toBe(callbackPage)
  })

  it('of no flow of this browser is not quoted, and ends nothing', async () => {
    const other = await away()
    const evil = { errorCode: 'SIGN_UP_NOT_ENABLED', message: 'Call 555', details: '{"a_b":"Call 555"}' }
    const query = new URLSearchParams(evil).toString()
    const tab = web.open(`${home}/handler/error?${query}`)
    const callback = await tab.app.handleOAuthCallback()
    expect(callback).toMatchObject(refused('SIGN_UP_NOT_ENABLED'))
    expect(
      JSON.stringify([callback, callback.status === 'handled' && !callback.result.ok && callback.result.error.message]),
    ).not.toContain('555')
    expect(tab.app.flow$.value).toEqual({ status: 'idle' })
    // The app's error page keeps its parameters for a reload.
    expect(tab.history).toEqual([])
    expect(await comeBack(other.tab, other.back)).toMatchObject({ result: { ok: true } })
  })

  // Promise: oauth-refusal-address
  it('that ends no flow of this browser stays in a URL that was passed in, or that is not the callback page’s', async () => {
    const query = '?error=access_denied&error_description=No'
    const tab = web.open(callbackPage + query)
    await tab.app.handleOAuthCallback({ url: callbackPage + query })
    await tab.load(`${home}/elsewhere${query}&state=x`).handleOAuthCallback()
    expect(tab.history).toEqual([])
  })

  it('of the flow that this tab has begun is quoted, ends it, and stays in the address for a reload', async () => {
    const { tab, back } = await away()
    const query = new URLSearchParams({
      errorCode: 'SIGN_UP_NOT_ENABLED',
      message: 'Ask ada@example.com for an invitation.',
      details: '{"some_day_millis":0}',
    })
    const page = `${home}/handler/error?${query.toString()}`
    const app = tab.load(page)
    expect(await app.handleOAuthCallback()).toMatchObject({
      result: {
        ok: false,
        error: {
          code: 'SIGN_UP_NOT_ENABLED',
          message: 'Ask [email] for an invitation.',
          details: { someDay: new Date(0) },
        },
      },
    })
    expect(app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'SIGN_UP_NOT_ENABLED' } })
    expect(tab.href).toBe(page)
    expect(flowCookies()).toEqual([])
    expect(await comeBack(tab, back)).toMatchObject({ status: 'ignored' })
  })

  it('with the state of a flow ends that one, and leaves the address', async () => {
    const { tab, back } = await away({ from: `${signInPage}?after_auth_return_to=%2Fdeep` })
    const state = parameter(back, 'state')!
    const refusal = new URL(callbackPage)
    refusal.search = new URLSearchParams({
      after_auth_return_to: '/deep',
      error: 'access_denied',
      error_description: 'No',
      state,
    }).toString()
    const app = tab.load(refusal.href)
    expect(await app.handleOAuthCallback()).toMatchObject({
      result: { ok: false, error: { code: 'OAUTH_PROVIDER_ACCESS_DENIED', message: 'No' } },
    })
    expect(tab.href).toBe(`${callbackPage}?after_auth_return_to=%2Fdeep`)
    expect(app.flow$.value).toMatchObject({ status: 'failed' })
    expect(flowCookies()).toEqual([])
  })
})

it('a code exchange that is refused as text is thrown, and not tried again', async () => {
  begin()
  const tab = web.open()
  const back = await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })))
  const exchanges = () => web.sent.filter(({ line }) => line === 'POST /auth/oauth/token').length
  web.platform.faults.next('POST /auth/oauth/token', { status: 400 })
  const app = tab.load(back)
  const details = { status: 400 }
  await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'REQUEST_FAILED', details })
  await expect(app.handleOAuthCallback()).rejects.toMatchObject({ code: 'REQUEST_FAILED', details })
  expect(exchanges()).toBe(1)
  expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
})
