import type { Host } from 'rxauth'
import { decodeDetails } from '../../../src/errors/details'
import { callbackPage, home, mary, parameter, signInPage, virtualWeb } from '../../oauth-web'
import type { VirtualWeb } from '../../oauth-web'
import { ada } from '../../world'

/** OAuth flows with a platform of 2026, whose answers differ from those of 2.8.18. */
let web: VirtualWeb
const begin = (config: Parameters<typeof virtualWeb>[0] = {}) => (web = virtualWeb(config, { wire: '2026' }))
afterEach(() => web.close())

const flowCookies = () => web.jar.all.filter(({ name }) => name.startsWith('stack-oauth-outer-'))
const forbidden = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const adas = { email: ada.email, password: ada.password }

describe('a sign-in', () => {
  it.each([
    ['/deep?a=1#b', '/deep?a=1#b'],
    [`${home}/deep`, `${home}/deep`],
    ['https://b.example/x', 'https://b.example/x'],
  ])('comes back to %s, which the platform does not get', async (returnTo, next) => {
    begin()
    const tab = web.open(signInPage, { trustedDomains: ['https://b.example'] })
    const url = await tab.left(tab.app.signInWithOAuth({ provider: 'github', returnTo }))
    expect(parameter(url, 'after_callback_redirect_url')).toBeNull()
    const app = tab.load(await web.walk(url))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true, value: { next } } })
  })

  it('links an account and comes back to the page that it began on', async () => {
    begin()
    const tab = web.open(`${home}/settings?a=1`)
    await tab.app.signInWithPassword(adas)
    const userId = (await tab.app.user$.get())!.id
    const app = tab.load(await web.walk(await tab.left(tab.app.connectAccount({ provider: 'github' }))))
    expect(await app.handleOAuthCallback()).toEqual({
      status: 'handled',
      result: { ok: true, value: { userId, isNewUser: false, next: '/settings?a=1' } },
    })
  })

  it('of an anonymous user keeps the id', async () => {
    begin()
    const tab = web.open()
    const { userId } = await tab.app.signUpAnonymously()
    const url = await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
    expect(parameter(url, 'type')).toBe('authenticate')
    expect(parameter(url, 'token')).toBe(await tab.app.accessToken())
    const app = tab.load(await web.walk(url))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true, value: { userId, isNewUser: true } } })
    expect(await app.user$.get()).toMatchObject({ id: userId, primaryEmail: mary.email })
  })

  it('of anybody else carries no token', async () => {
    begin()
    const tab = web.open()
    expect(parameter(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })), 'token')).toBeNull()
    await tab.app.signInWithPassword(adas)
    tab.load(signInPage)
    await tab.app.user$.get()
    expect(parameter(await tab.left(tab.app.signInWithOAuth({ provider: 'github' })), 'token')).toBeNull()
  })

  it('passes the result of a bot challenge, if there is one', async () => {
    begin()
    const tab = web.open()
    const botChallenge = { token: 'solved', phase: 'visible' } as const
    const url = await tab.left(tab.app.signInWithOAuth({ provider: 'github', botChallenge }))
    expect([parameter(url, 'bot_challenge_token'), parameter(url, 'bot_challenge_phase')]).toEqual([
      'solved',
      'visible',
    ])
    tab.load(signInPage)
    const plain = await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
    expect(plain).not.toContain('bot_challenge')
  })
})

it('a sign-in of an app without a publishable client key names the secret of public clients', async () => {
  begin()
  const tab = web.open(signInPage, { publishableClientKey: null })
  const url = await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
  expect(parameter(url, 'client_secret')).toBe('__stack_public_client__')
  const app = tab.load(await web.walk(url))
  expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true, value: { isNewUser: true } } })
  expect(await app.user$.get()).toMatchObject({ primaryEmail: mary.email })
  const exchanges = web.sent.filter(({ line }) => line === 'POST /auth/oauth/token')
  expect(exchanges.map(({ body }) => new URLSearchParams(body).get('client_secret'))).toEqual([
    '__stack_public_client__',
  ])
  expect(web.sent.filter(({ headers }) => headers.has('x-stack-publishable-client-key'))).toEqual([])
})

describe('a refusal, which comes back to the callback page without the state,', () => {
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
