import type { ClientOptions } from 'rxauth'
import { callbackPage, home, mary, parameter, signInPage } from '../../oauth-web'
import { ada } from '../../world'
import { authorize, kept } from './tab-world'
import { challengeOf } from '../../../src/sign-in/oauth/cookie'
import { begin, web } from './web'

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

  // Promise: anonymous-sign-up
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

describe('the address of the platform', () => {
  it('has every parameter of the specification, and no other', async () => {
    const url = new URL(await authorize({ provider: 'github' }))
    const { projectId, publishableClientKey, baseUrl } = web.platform.options
    expect(url.origin + url.pathname).toBe(`${baseUrl}/api/v1/auth/oauth/authorize/github`)
    const [cookie] = kept()
    const [verifier] = cookie!.value
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: projectId,
      client_secret: publishableClientKey,
      redirect_uri: callbackPage,
      scope: 'legacy',
      state: cookie!.name.slice('stack-oauth-outer-'.length),
      grant_type: 'authorization_code',
      code_challenge: await challengeOf(verifier as string),
      code_challenge_method: 'S256',
      response_type: 'code',
      type: 'authenticate',
      error_redirect_url: `${home}/handler/error`,
    })
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{43}$/)
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(url.href).not.toContain(verifier)
    expect(web.sent).toEqual([])
  })

  it('has the access token and the kind for a link, and comes back to the page that it began on', async () => {
    const tab = web.open(`${home}/settings?a=1#b`)
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    const url = await tab.left(tab.app.connectAccount({ provider: 'github' }))
    expect(parameter(url, 'type')).toBe('link')
    expect(parameter(url, 'token')).toBe(await tab.app.accessToken())
    expect(kept()[0]!.value[3]).toBe('/settings?a=1#b')
    expect(parameter(url, 'after_callback_redirect_url')).toBeNull()
  })

  it.each([
    ['GitHub', 'github'],
    ['GOOGLE', 'google'],
    ['my provider/7?', 'my%20provider%2F7%3F'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['My-Okta', 'My-Okta'],
  ])('names %s as the platform does, and encoded', async (provider, expected) => {
    const { pathname } = new URL(await authorize({ provider }))
    expect(pathname).toBe(`/api/v1/auth/oauth/authorize/${expected}`)
  })

  it.each<
    [
      what: string,
      asked: string[] | undefined,
      always: NonNullable<ClientOptions['oauthScopes']>,
      expected: string | null,
    ]
  >([
    ['nothing', undefined, {}, null],
    ['an empty list', [], {}, null],
    ['what is asked for', ['repo', 'gist'], {}, 'repo gist'],
    ['a scope of every flow of the kit', undefined, { github: ['user'] }, 'user'],
    ['a scope of the kit for another spelling of the provider', undefined, { GitHub: ['user'] }, 'user'],
    ['both, each once, in order', ['repo', 'user'], { github: ['user', 'gist'] }, 'repo user gist'],
    ['several in one text', [' repo  gist ', 'repo'], {}, 'repo gist'],
    ['nothing of another provider', undefined, { google: ['calendar'] }, null],
    ['nothing but blanks', [' ', ''], {}, null],
  ])('asks the provider for %s', async (...[, scopes, oauthScopes, expected]) => {
    const url = await authorize({ provider: 'github', ...(scopes && { scopes }) }, { oauthScopes })
    expect(parameter(url, 'provider_scope')).toBe(expected)
  })

  it('asks for scopes when an account is linked, too', async () => {
    const tab = web.open(home, { oauthScopes: { github: ['user'] } })
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    const url = await tab.left(tab.app.connectAccount({ provider: 'github', scopes: ['repo'] }))
    expect(parameter(url, 'provider_scope')).toBe('repo user')
  })

  // A newer platform shows its refusal of such an address in the place of the app.
  it.each(['/deep?a=1#b', `${home}/deep`, 'https://b.example/x'])(
    'keeps to itself where to come back to: %s',
    async returnTo => {
      const url = await authorize({ provider: 'github', returnTo }, { trustedDomains: ['https://b.example'] })
      expect(parameter(url, 'after_callback_redirect_url')).toBeNull()
      expect(kept()[0]!.value[3]).toBe(returnTo)
    },
  )

  it('keeps where the page comes from, in the redirect URI to the letter', async () => {
    const url = await authorize({ provider: 'github' }, { href: `${signInPage}?after_auth_return_to=%2Fd%20e%3F#x` })
    const redirectUri = `${callbackPage}?after_auth_return_to=%2Fd+e%3F`
    expect(parameter(url, 'redirect_uri')).toBe(redirectUri)
    expect(parameter(url, 'after_callback_redirect_url')).toBeNull()
    expect(kept()[0]!.value.slice(2, 4)).toEqual([redirectUri, '/d e?'])
  })

  it('has one place to come back to, and the caller decides', async () => {
    const href = `${signInPage}?after_auth_return_to=%2Fpage`
    const url = await authorize({ provider: 'github', returnTo: '/caller' }, { href })
    expect(parameter(url, 'redirect_uri')).toBe(callbackPage)
    expect(kept()[0]!.value[3]).toBe('/caller')
  })

  it('is nothing that the page comes back to if that is not trusted', async () => {
    await authorize({ provider: 'github' }, { href: `${signInPage}?after_auth_return_to=https%3A%2F%2Fevil.example` })
    expect(kept()[0]!.value[3]).toBeNull()
  })

  it('uses the pages of the app', async () => {
    const urls = { oauthCallback: '/back?kept=1#gone', error: `${home}/oops` }
    const url = await authorize({ provider: 'github' }, { urls })
    expect(parameter(url, 'redirect_uri')).toBe(`${home}/back?kept=1`)
    expect(parameter(url, 'error_redirect_url')).toBe(`${home}/oops`)
  })

  it('keeps the route of a hash in the page for errors, and drops it in the redirect URI as the platform does', async () => {
    const urls = { handler: '/app#/auth' }
    const href = `${home}/app#/auth/sign-in?after_auth_return_to=%2Fapp%23%2Fdeep`
    const url = await authorize({ provider: 'github' }, { urls, href })
    expect(parameter(url, 'redirect_uri')).toBe(`${home}/app`)
    expect(parameter(url, 'error_redirect_url')).toBe(`${home}/app#/auth/error?after_auth_return_to=%2Fapp%23%2Fdeep`)
    expect(kept()[0]!.value[3]).toBe('/app#/deep')
  })

  it.each([
    ['/back?code=1&kept=2', 'code'],
    ['/back?state=1&kept=2', 'state'],
    ['/back?code=1&state=2&code=3&kept=2', 'code and state'],
  ])('has no code and state in the redirect URI %s, and warns that they were there', async (oauthCallback, named) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const url = await authorize({ provider: 'github' }, { urls: { oauthCallback } })
    expect(parameter(url, 'redirect_uri')).toBe(`${home}/back?kept=2`)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`urls.oauthCallback has ${named} in its query`)]])
    warn.mockRestore()
  })

  it('is a new one each time', async () => {
    const [first, second] = [await authorize({ provider: 'github' }), await authorize({ provider: 'github' })]
    for (const name of ['state', 'code_challenge']) expect(parameter(first, name)).not.toBe(parameter(second, name))
  })
})
