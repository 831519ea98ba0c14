import { createClientApp, memoryTokens, noTokens } from 'rxauth'
import type { ClientOptions, Host } from 'rxauth'
import { challengeOf } from '../../../src/auth/oauth/pkce'
import { callbackPage, home, parameter, signInPage, virtualWeb } from '../../oauth-web'
import type { VirtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada } from '../../world'

let web: VirtualWeb
beforeEach(() => {
  web = virtualWeb()
})
afterEach(() => web.close())

type Input = Parameters<ReturnType<VirtualWeb['open']>['app']['signInWithOAuth']>[0]

/** Where a click on this page leads. */
async function authorize(
  input: Input,
  { href = signInPage, ...options }: Partial<ClientOptions> & { href?: string } = {},
) {
  const tab = web.open(href, options)
  return tab.left(tab.app.signInWithOAuth(input))
}

/** The flow in the jar, as the kit has written it. */
function kept(): { name: string; value: unknown[] }[] {
  return web.jar.all
    .filter(({ name }) => name.startsWith('stack-oauth-outer-'))
    .map(({ name, value }) => ({ name, value: JSON.parse(decodeURIComponent(value)) as unknown[] }))
}

const forbidden = (): never => {
  throw new DOMException('the document is sandboxed', 'SecurityError')
}

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
  ])('names %s in lower case and encoded', async (provider, expected) => {
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

describe('signInWithOAuth', () => {
  it.each<[what: string, input: unknown, field: string]>([
    ['no provider', {}, 'provider'],
    ['an empty provider', { provider: '' }, 'provider'],
    ['a provider that is no text', { provider: 7 }, 'provider'],
    ['a provider that a path cannot carry', { provider: '..' }, 'provider'],
    ['an untrusted way back', { provider: 'github', returnTo: 'https://evil.example' }, 'returnTo'],
    ['a way back that runs code', { provider: 'github', returnTo: 'javascript:alert(1)' }, 'returnTo'],
    ['a way back to another host', { provider: 'github', returnTo: '//evil.example' }, 'returnTo'],
  ])('refuses %s, and leaves nothing behind', async (_, input, field) => {
    await expect(authorize(input as Input)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(web.jar.all).toEqual([])
    expect(web.sent).toEqual([])
  })

  it.each<[what: string, options: Partial<ClientOptions>, error: object]>([
    ["navigate: 'none'", { navigate: 'none' }, { code: 'INVALID_INPUT', details: { field: 'navigate' } }],
    ['a token store that keeps nothing', { tokens: noTokens() }, { code: 'TOKENS_UNAVAILABLE' }],
    [
      'a callback page on another host',
      { urls: { oauthCallback: 'https://other.example/back' } },
      { code: 'INVALID_INPUT', details: { field: 'urls.oauthCallback' } },
    ],
    [
      'cookies that the browser refuses',
      { host: { cookies: { get: () => '', set: () => undefined } } },
      { code: 'TOKENS_UNAVAILABLE', message: expect.stringContaining('no cookies') as string },
    ],
    [
      'cookies that cannot be read',
      { host: { cookies: { get: forbidden, set: () => undefined } } },
      { code: 'TOKENS_UNAVAILABLE', message: expect.stringContaining('cannot be read') as string },
    ],
    [
      'cookies that cannot be written',
      { host: { cookies: { get: () => '', set: forbidden } } },
      { code: 'TOKENS_UNAVAILABLE', message: expect.stringContaining('cannot be written') as string },
    ],
  ])('is refused with %s before the page goes away', async (_, options, error) => {
    await expect(authorize({ provider: 'github' }, options)).rejects.toMatchObject(error)
  })

  it('needs cookies outside a browser, and says so', async () => {
    leavePages()
    const app = createClientApp({ ...web.platform.options, tokens: memoryTokens(), navigate: () => undefined })
    await expect(app.signInWithOAuth({ provider: 'github' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'host.cookies' },
    })
  })

  it('works outside a browser with cookies, a way to navigate and absolute addresses', async () => {
    leavePages()
    const host: Host = { cookies: web.jar.on('https://app.example.com/') }
    const newApp = (oauthCallback: string, go: (url: string) => void) =>
      createClientApp({ ...web.platform.options, host, tokens: memoryTokens(), navigate: go, urls: { oauthCallback } })
    const gone = new Promise<string>((resolve, reject) => {
      const app = newApp('https://app.example.com/back', resolve)
      app.signInWithOAuth({ provider: 'github' }).catch(reject)
    })
    expect(parameter(await gone, 'redirect_uri')).toBe('https://app.example.com/back')
    expect(parameter(await gone, 'error_redirect_url')).toBe('https://app.example.com/handler/error')
    await expect(newApp('/back', () => undefined).signInWithOAuth({ provider: 'github' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'urls.oauthCallback' },
    })
  })

  it('navigates with the page’s own function, without replacing its entry', async () => {
    const went: unknown[] = []
    const gone = new Promise<void>(resolve => {
      const tab = web.open(signInPage, {
        navigate: (...args) => {
          went.push(args)
          resolve()
        },
      })
      tab.app.signInWithOAuth({ provider: 'github' }).catch(() => undefined)
    })
    await gone
    expect(went).toEqual([[expect.stringContaining('/auth/oauth/authorize/github?'), { replace: false }]])
  })

  it('never resolves, and runs nothing meanwhile', async () => {
    const tab = web.open()
    let settled = false
    const leaving = tab.app.signInWithOAuth({ provider: 'github' })
    leaving.finally(() => (settled = true)).catch(() => undefined)
    await tab.left(leaving)
    await web.clock.advance(3_600_000)
    expect(settled).toBe(false)
    expect(tab.app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it('rejects when the user comes back to the page as it was', async () => {
    const tab = web.open()
    const leaving = tab.app.signInWithOAuth({ provider: 'github' })
    await tab.left(leaving)
    tab.dispatch('pageshow', { persisted: false })
    tab.dispatch('pageshow', { persisted: true })
    await expect(leaving).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('can be given up, before it goes and after', async () => {
    const tab = web.open()
    await expect(
      tab.app.signInWithOAuth({ provider: 'github' }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'ABORTED' })
    expect(web.jar.all).toEqual([])
    const controller = new AbortController()
    const leaving = tab.app.signInWithOAuth({ provider: 'github' }, { signal: controller.signal })
    await tab.left(leaving)
    controller.abort()
    await expect(leaving).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('does not leave for a provider that the project is known not to have', async () => {
    const tab = web.open()
    const subscription = tab.app.project$.subscribe()
    await tab.app.project$.get()
    await expect(tab.app.signInWithOAuth({ provider: 'gitlab' })).rejects.toMatchObject({
      code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
      message: expect.stringContaining('github, google') as string,
    })
    await tab.left(tab.app.signInWithOAuth({ provider: 'GitHub' }))
    subscription.unsubscribe()
  })

  it('is DISPOSED of with its kit', async () => {
    const tab = web.open()
    tab.app.dispose()
    await expect(tab.app.signInWithOAuth({ provider: 'github' })).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

describe('connectAccount', () => {
  it('needs a signed-in user', async () => {
    const tab = web.open()
    await expect(tab.app.connectAccount({ provider: 'github' })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(web.jar.all).toEqual([])
  })

  it.each([
    [539_000, 0],
    [541_000, 1],
  ])('after %i ms refreshes the token that it puts into the address %i times', async (millis, refreshes) => {
    const tab = web.open(home)
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    await web.clock.advance(millis)
    web.sent.length = 0
    const url = await tab.left(tab.app.connectAccount({ provider: 'github' }))
    expect(web.sent.map(({ line }) => line)).toEqual(Array(refreshes).fill('POST /auth/oauth/token'))
    expect(parameter(url, 'token')).toBe(await tab.app.accessToken())
  })

  it('reveals the token to the platform only', async () => {
    const tab = web.open(home)
    const traced: string[] = []
    const written = jest.spyOn(console, 'log')
    tab.app.trace$.subscribe(event => traced.push(JSON.stringify(event)))
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    const token = await tab.app.accessToken()
    await tab.left(tab.app.connectAccount({ provider: 'github' }))
    expect(traced.length).toBeGreaterThan(0)
    expect(traced.filter(text => text.includes(token!))).toEqual([])
    expect([...tab.storage.items.values()].filter(text => text.includes(token!))).toEqual([])
    expect(kept().filter(({ value }) => value.includes(token))).toEqual([])
    expect(written).not.toHaveBeenCalled()
    written.mockRestore()
  })
})
