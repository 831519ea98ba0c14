import { memoryTokens } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { coreOf } from '../../../src/store/kit-parts'
import { listening } from '../../listening'
import { callbackPage, home, mary, parameter, signInPage } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada } from '../../world'
import { comeBack, exchanges, nothing, opener, outcome } from './popup-world'
import { web } from './web'

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

it('is POPUP_BLOCKED in React Native, whose window opens none and hears no messages', async () => {
  const { app } = web.open(signInPage, { urls: { oauthCallback: 'https://app.example/handler/oauth-callback' } })
  leavePages()
  Object.assign(globalThis, { window: {} })
  await expect(app.signInWithOAuthPopup({ provider: 'github' })).rejects.toMatchObject({ code: 'POPUP_BLOCKED' })
})

it('needs a window: on a server it is refused', async () => {
  const { page } = opener()
  leavePages()
  await expect(page.app.signInWithOAuthPopup({ provider: 'github' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
})
