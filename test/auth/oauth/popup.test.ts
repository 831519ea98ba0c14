import { memoryTokens } from 'rxauth'
import type { ClientOptions, Host, OpenedWindow } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { coreOf } from '../../../src/store/core'
import { listening } from '../../listening'
import { callbackPage, home, mary, parameter, signInPage, virtualWeb } from '../../oauth-web'
import type { Tab, VirtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada } from '../../world'

let web: VirtualWeb
beforeEach(() => {
  web = virtualWeb()
})
afterEach(() => web.close())

const nothing = { subscriptions: 0, timers: 0, loads: 0, cells: 0 }
const exchanges = () => web.sent.filter(({ line }) => line === 'POST /auth/oauth/token')

interface Popup extends OpenedWindow {
  closed: boolean
  readonly opened: readonly string[]
  /** Where it has been sent. */
  readonly gone: Promise<string>
}

/** A window as the page that has opened it sees it. */
function popupWindow(): Popup {
  let go: (url: string) => void = () => undefined
  const gone = new Promise<string>(resolve => {
    go = resolve
  })
  return { closed: false, opened: [], gone, location: { replace: url => go(url) }, close: () => undefined }
}

interface Opened {
  readonly page: Tab
  readonly popup: Popup
  readonly calls: string[][]
}

/** A page that may open one window. */
function opener(options: Partial<ClientOptions> = {}, href = signInPage): Opened {
  const popup = popupWindow()
  const calls: string[][] = []
  const page = web.open(href, {
    ...options,
    host: {
      openWindow: (...given) => {
        calls.push(given)
        return popup
      },
      ...options.host,
    },
  })
  popup.close = () => {
    popup.closed = true
  }
  return { page, popup, calls }
}

/** The window comes back to the app; the page that has opened it is in front again. */
async function comeBack({ page, popup }: Opened, person: Parameters<VirtualWeb['walk']>[1] = mary) {
  const back = await web.walk(await popup.gone, person)
  const inPopup = web.open(back)
  const callback = inPopup.app.handleOAuthCallback()
  page.focus()
  return { inPopup, callback, back }
}

/** The outcome as a value, so that it can be waited for later. */
function outcome<T>(promise: Promise<T>): Promise<unknown> {
  return promise.then(
    result => result,
    (error: unknown) => error,
  )
}

describe('signing in in a window of its own', () => {
  it('opens it in the click, sends it off, and signs in here', async () => {
    const one = opener({ tokens: memoryTokens() })
    const result = one.page.app.signInWithOAuthPopup({ provider: 'GitHub', scopes: ['repo'] })
    expect(one.calls).toEqual([['about:blank', 'popup,width=500,height=700']])
    const url = await one.popup.gone
    expect(new URL(url).pathname).toBe('/api/v1/auth/oauth/authorize/github')
    expect(parameter(url, 'provider_scope')).toBe('repo')
    const state = parameter(url, 'state')!
    expect(parameter(url, 'redirect_uri')).toBe(`${callbackPage}?rxauth_flow=${state}`)
    expect(parameter(url, 'error_redirect_url')).toBe(`${callbackPage}?rxauth_flow=${state}&state=${state}`)
    const { inPopup, callback } = await comeBack(one)
    expect(await result).toEqual({
      ok: true,
      value: { userId: expect.any(String), isNewUser: true, next: '/' },
    })
    expect(await callback).toEqual({ status: 'ignored', reason: expect.stringContaining('close') })
    expect(inPopup.isClosed).toBe(true)
    expect(inPopup.href).toBe(callbackPage)
    expect((await one.page.app.user$.get())?.primaryEmail).toBe(mary.email)
    expect(exchanges()).toHaveLength(1)
    expect(one.page.app.flow$.value.status).toBe('done')
    expect(inPopup.app.flow$.value.status).toBe('idle')
    expect(web.jar.all).toEqual([])
    await web.clock.advance(5000)
    expect(inPopup.app.inspect()).toEqual(nothing)
    expect(one.page.app.inspect()).toEqual(nothing)
    expect(web.channels.openCount).toBe(0)
  })

  it('leaves neither a listener nor a timer in the window', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const inPopup = web.open(await web.walk(await one.popup.gone, mary))
    const listeners = listening(coreOf(inPopup.app).session.ended)
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    await Promise.all([result, callback])
    expect([listeners.size, inPopup.app.inspect().timers]).toEqual([0, 0])
  })

  it('keeps the verifier to itself', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    await one.popup.gone
    const [verifier] = JSON.parse(decodeURIComponent(web.jar.all[0]!.value)) as string[]
    await comeBack(one)
    await result
    expect(JSON.stringify(web.channels.said)).not.toContain(verifier)
    expect(new URLSearchParams(exchanges()[0]!.body).get('code_verifier')).toBe(verifier)
  })

  it('is refused before a window is opened where it cannot work', async () => {
    const one = opener()
    await expect(one.page.app.signInWithOAuthPopup({ provider: '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const aborted = { signal: AbortSignal.abort() }
    await expect(one.page.app.signInWithOAuthPopup({ provider: 'github' }, aborted)).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(one.calls).toEqual([])
  })

  it('is POPUP_BLOCKED where the browser opens none, and leaves nothing behind', async () => {
    const { page } = opener({ host: { openWindow: () => null } })
    await expect(page.app.signInWithOAuthPopup({ provider: 'github' })).rejects.toMatchObject({ code: 'POPUP_BLOCKED' })
    expect(web.jar.all).toEqual([])
    expect(web.channels.openCount).toBe(0)
    expect(page.app.inspect()).toEqual(nothing)
  })

  it('opens a window of the browser, if there is one', async () => {
    const calls: unknown[] = []
    const page = web.open()
    Object.assign((globalThis as unknown as { window: object }).window, {
      open: (...args: unknown[]) => {
        calls.push(args)
        return null
      },
    })
    const attempt = () => page.app.signInWithOAuthPopup({ provider: 'github' })
    await expect(attempt()).rejects.toMatchObject({ code: 'POPUP_BLOCKED' })
    expect(calls).toEqual([['about:blank', '_blank', 'popup,width=500,height=700']])
  })

  it('closes the window when it cannot be sent off', async () => {
    const one = opener({}, home)
    await expect(one.page.app.connectAccountPopup({ provider: 'github' })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(one.popup.closed).toBe(true)
  })

  it('returns the user’s refusal on this page', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const { inPopup, callback, back } = await comeBack(one, 'refuses')
    expect(back.startsWith(callbackPage)).toBe(true)
    expect(await result).toMatchObject({ ok: false, error: { code: 'OAUTH_PROVIDER_ACCESS_DENIED' } })
    expect(await callback).toMatchObject({ status: 'ignored' })
    expect(inPopup.isClosed).toBe(true)
    expect(inPopup.href).toBe(callbackPage)
    expect(one.page.app.flow$.value.status).toBe('failed')
  })

  it('gives the second factor here', async () => {
    const secret = Uint8Array.from('12345678901234567890', character => character.charCodeAt(0))
    const totpSecret = btoa(String.fromCharCode(...secret))
    await web.platform.seed({ users: [{ email: mary.email, verified: true, totpSecret }] })
    const one = opener({}, `${signInPage}?after_auth_return_to=%2Fdeep`)
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    await comeBack(one)
    expect(await result).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
    expect(one.page.app.flow$.value.status).toBe('second-factor')
    const totp = await totpCode(secret, web.clock.now())
    expect(await one.page.app.continueSignIn({ totp })).toMatchObject({ ok: true, value: { next: '/deep' } })
  })

  it('fails here when the platform does, and the window is closed', async () => {
    const one = opener()
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    web.platform.faults.next('POST /auth/oauth/token', { status: 503 })
    const { inPopup, callback } = await comeBack(one)
    expect(await result).toMatchObject({ code: 'REQUEST_FAILED' })
    await callback
    expect(inPopup.isClosed).toBe(true)
    expect(exchanges()).toHaveLength(1)
  })

  it('hands over once, however often the page in the window is mounted', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const inPopup = web.open(await web.walk(await one.popup.gone))
    const first = inPopup.app.handleOAuthCallback()
    expect(inPopup.app.handleOAuthCallback()).toBe(first)
    one.page.focus()
    expect(await result).toMatchObject({ ok: true })
    expect(exchanges()).toHaveLength(1)
  })

  it('goes on in two windows at once, each for its own page', async () => {
    const [left, right] = [opener({ tokens: memoryTokens() }), opener({ tokens: memoryTokens() })]
    left.page.focus()
    const leftResult = left.page.app.signInWithOAuthPopup({ provider: 'github' })
    right.page.focus()
    const rightResult = right.page.app.signInWithOAuthPopup({ provider: 'google' })
    await comeBack(right, { email: 'right@example.com' })
    await comeBack(left, { email: 'left@example.com' })
    expect(await leftResult).toMatchObject({ ok: true })
    expect(await rightResult).toMatchObject({ ok: true })
    expect((await left.page.app.user$.get())?.primaryEmail).toBe('left@example.com')
    expect((await right.page.app.user$.get())?.primaryEmail).toBe('right@example.com')
  })
})

describe('a window that does not come back', () => {
  it('for five minutes is TIMED_OUT', async () => {
    const one = opener()
    let result: unknown
    void outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' })).then(value => (result = value))
    await one.popup.gone
    await web.clock.advance(299_999)
    expect(result).toBeUndefined()
    await web.clock.advance(1)
    expect(result).toMatchObject({ code: 'TIMED_OUT', message: expect.stringContaining('300 s') })
    expect(one.popup.closed).toBe(false)
  })

  it('within the time that the caller gives is TIMED_OUT; without a limit it is waited for', async () => {
    const [hasty, patient] = [opener(), opener()]
    const early = outcome(hasty.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: 1000 }))
    let late: unknown
    void outcome(patient.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: Infinity })).then(
      value => (late = value),
    )
    await Promise.all([hasty.popup.gone, patient.popup.gone])
    await web.clock.advance(1000)
    expect(await early).toMatchObject({ code: 'TIMED_OUT' })
    await web.clock.advance(86_400_000)
    expect(late).toBeUndefined()
  })

  it.each([0, -1, NaN, 2 ** 31])('within %p ms is refused before a window is opened', async popupTimeoutMillis => {
    const one = opener()
    const call = one.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis })
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'popupTimeoutMillis' } })
    expect(one.calls).toEqual([])
  })

  it('seems closed at once where the platform cuts it off, and signs in all the same', async () => {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    await one.popup.gone
    one.popup.closed = true
    await web.clock.advance(120_000)
    const { callback } = await comeBack(one)
    expect(await result).toMatchObject({ ok: true })
    await callback
  })

  const ways = ['TIMED_OUT', 'ABORTED'] as const
  /** A call that was given up, and where its window may still come back to. */
  async function givenUp(code: (typeof ways)[number], options: Partial<ClientOptions> = {}) {
    const one = opener(options)
    const controller = new AbortController()
    const { signal } = controller
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal }))
    await one.popup.gone
    if (code === 'ABORTED') controller.abort()
    else await web.clock.advance(300_000)
    expect(await result).toMatchObject({ code })
    return one
  }

  it.each(ways)('until the call is %s signs in here when it does', async code => {
    const one = await givenUp(code, { tokens: memoryTokens() })
    const { inPopup, callback } = await comeBack(one)
    expect(await callback).toMatchObject({
      status: 'ignored',
      reason: expect.stringContaining('continues the sign-in'),
    })
    expect(inPopup.isClosed).toBe(true)
    await web.clock.advance(1000)
    expect(one.page.app.flow$.value.status).toBe('done')
    expect((await one.page.app.user$.get())?.primaryEmail).toBe(mary.email)
    expect(exchanges()).toHaveLength(1)
    await web.clock.advance(5000)
    expect(one.page.app.inspect()).toEqual(nothing)
    expect(web.channels.openCount).toBe(0)
  })

  it.each(ways)('until the call is %s reports no refusal any more', async code => {
    const one = await givenUp(code)
    await (
      await comeBack(one, 'refuses')
    ).callback
    expect(one.page.app.flow$.value.status).toBe('idle')
    expect(web.channels.openCount).toBe(0)
  })

  it.each(ways)('until the call is %s, and not until the platform waits no longer, is forgotten', async code => {
    const one = await givenUp(code)
    expect(web.channels.openCount).toBe(1)
    await web.clock.advance(600_000)
    expect(one.page.app.inspect()).toEqual(nothing)
    expect(web.channels.openCount).toBe(0)
  })

  it('until the call is given up reports an unawaited failure to the app', async () => {
    const told: unknown[] = []
    const one = await givenUp('ABORTED', { onUnhandled: error => told.push(error) })
    web.platform.faults.next('POST /auth/oauth/token', { status: 503 })
    await (
      await comeBack(one)
    ).callback
    await web.clock.advance(0)
    expect(told).toMatchObject([{ code: 'REQUEST_FAILED' }])
  })

  it('but hands over in the moment in which the caller gives up, signs in', async () => {
    const one = opener({ tokens: memoryTokens() })
    const controller = new AbortController()
    const { signal } = controller
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal }))
    const back = await web.walk(await one.popup.gone)
    const name = `rxauth-oauth-${parameter(back, 'state')!}`
    const line = web.channels.of({})(name)
    line.postMessage({ line: name, message: { step: 'arrived', arrived: { code: parameter(back, 'code')! } } })
    const got = new Promise<void>(resolve => {
      line.onmessage = () => resolve()
    })
    one.page.focus()
    await got
    controller.abort()
    expect(await result).toMatchObject({ code: 'ABORTED' })
    await web.clock.advance(1000)
    expect((await one.page.app.user$.get())?.primaryEmail).toBe(mary.email)
    line.close()
  })

  it('to the page that waits, since it was reloaded, signs in by itself', async () => {
    const one = opener()
    void outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    one.page.load(signInPage)
    const inPopup = web.open(back)
    const callback = inPopup.app.handleOAuthCallback()
    await web.clock.advance(1999)
    expect(exchanges()).toEqual([])
    await web.clock.advance(1)
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(inPopup.isClosed).toBe(false)
    expect(inPopup.app.inspect()).toEqual(nothing)
  })

  it('because the caller gives up is ABORTED, and closed where it can be', async () => {
    const one = await givenUp('ABORTED')
    expect(one.popup.closed).toBe(true)
  })

  it('because the kit is disposed of is DISPOSED, and signs in by itself if it does', async () => {
    const one = opener()
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    one.page.app.dispose()
    expect(await result).toMatchObject({ code: 'DISPOSED' })
    expect(one.popup.closed).toBe(true)
    expect(web.channels.openCount).toBe(0)
    const callback = web.open(back).app.handleOAuthCallback()
    await web.clock.advance(2000)
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
  })

  it('before it was sent off, because the caller gives up, leaves no cookie', async () => {
    const one = opener()
    const controller = new AbortController()
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }, { signal: controller.signal }))
    controller.abort()
    expect(await result).toMatchObject({ code: 'ABORTED' })
    expect(one.popup.closed).toBe(true)
    for (let turn = 0; turn < 20; turn++) await web.clock.advance(0)
    expect(web.jar.all).toEqual([])
  })

  it('to a page that answers too late, is not handed over as well', async () => {
    // Everything that is said to the page arrives when the window has stopped waiting.
    const late: (() => void)[] = []
    const channel: Host['channel'] = name => {
      const open = web.channels.of({})(name)
      const slow: typeof open = {
        onmessage: null,
        postMessage: message => open.postMessage(message),
        close: () => open.close(),
      }
      open.onmessage = event => {
        late.push(() => {
          slow.onmessage?.call(slow as BroadcastChannel, event)
        })
      }
      return slow
    }
    const one = opener({ host: { channel } })
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github' }))
    const back = await web.walk(await one.popup.gone)
    const inPopup = web.open(back)
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    await web.clock.advance(2000)
    for (const deliver of late) deliver()
    expect(await callback).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(await result).toMatchObject({
      code: 'ABORTED',
      message: expect.stringContaining('continues in the popup'),
    })
    expect(one.popup.closed).toBe(false)
    expect(exchanges()).toHaveLength(1)
  })
})

describe('the messages between the windows', () => {
  it.each([
    null,
    7,
    'arrived',
    {},
    { line: 'x', message: { step: 'arrived', arrived: { code: 'theirs' } } },
    { message: { step: 'arrived', arrived: { code: 'theirs' } } },
  ])('is understood or left alone: %j', async said => {
    await expectsOwn(() => said)
  })

  it.each([
    null,
    {},
    { step: 'stop' },
    { step: 'arrived' },
    { step: 'arrived', arrived: null },
    { step: 'arrived', arrived: { code: 7 } },
    { step: 'arrived', arrived: { error: 'x' } },
    { step: 'arrived', arrived: { error: { code: {} } } },
  ])('is understood or left alone on the right line: %j', async message => {
    await expectsOwn(line => ({ line, message }))
  })

  async function expectsOwn(said: (line: string) => unknown) {
    const one = opener()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const name = `rxauth-oauth-${parameter(await one.popup.gone, 'state')!}`
    const channel = web.channels.of({})(name)
    channel.postMessage(said(name))
    channel.close()
    await web.clock.advance(0)
    await comeBack(one)
    expect(await result).toMatchObject({ ok: true })
  }

  it('goes by the windows themselves where the browser has no channels', async () => {
    const one = opener({ host: { channel: undefined as never } })
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const back = await web.walk(await one.popup.gone)
    const inPopup = web.open(back, { host: { channel: undefined as never } })
    const said: unknown[] = []
    /** To a window, if its page is of that origin. */
    const to = (tab: () => Tab) => (data: unknown, origin: string) => {
      said.push(data)
      if (origin === home) void Promise.resolve().then(() => tab().dispatch('message', { origin: home, data }))
    }
    inPopup.set({ opener: { postMessage: to(() => one.page) } })
    one.popup.postMessage = to(() => inPopup)
    one.page.dispatch('message', { origin: 'https://evil.example', data: { line: 'x' } })
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    expect(await result).toMatchObject({ ok: true })
    expect(await callback).toMatchObject({ status: 'ignored' })
    expect(said.length).toBeGreaterThan(0)
  })

  it('goes by the windows, too, where the browser refuses a channel', async () => {
    const channel = () => {
      throw new Error('refused')
    }
    const one = opener({ host: { channel } })
    const result = outcome(one.page.app.signInWithOAuthPopup({ provider: 'github', popupTimeoutMillis: 1 }))
    await one.popup.gone
    await web.clock.advance(1)
    expect(await result).toMatchObject({ code: 'TIMED_OUT' })
  })

  it('is not believed from another origin', async () => {
    const one = opener({ host: { channel: undefined as never } })
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const line = `rxauth-oauth-${parameter(await one.popup.gone, 'state')!}`
    const data = { line, message: { step: 'arrived', arrived: { code: 'theirs' } } }
    one.page.dispatch('message', { origin: 'https://evil.example', data })
    await web.clock.advance(0)
    expect(exchanges()).toEqual([])
    one.page.dispatch('message', { origin: home, data })
    await expect(result).rejects.toMatchObject({ code: 'INVALID_AUTHORIZATION_CODE' })
  })
})

it('links an account in a window of its own', async () => {
  const one = opener({}, `${home}/settings`)
  await one.page.app.signInWithPassword({ email: ada.email, password: ada.password })
  const before = await one.page.app.user$.get()
  const result = one.page.app.connectAccountPopup({ provider: 'github' })
  expect(parameter(await one.popup.gone, 'type')).toBe('link')
  await comeBack(one)
  expect(await result).toEqual({
    ok: true,
    value: { userId: before?.id, isNewUser: false, next: '/settings' },
  })
  expect(await one.page.app.user$.get()).toMatchObject({ id: before?.id, oauthProviders: [{ id: 'github' }] })
  await web.clock.advance(0)
  expect(await one.page.app.sessions$.get()).toHaveLength(1)
})

it('needs a window: on a server it is refused', async () => {
  const { page } = opener()
  leavePages()
  await expect(page.app.signInWithOAuthPopup({ provider: 'github' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
})
