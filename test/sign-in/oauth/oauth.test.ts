import { createClientApp, memoryTokens, noTokens, type ClientOptions, type Host } from 'rxauth'
import { home, parameter, signInPage } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada } from '../../world'
import { authorize, kept, type Input } from './tab-world'
import { web } from './web'

const forbidden = (): never => {
  throw new DOMException('the document is sandboxed', 'SecurityError')
}

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
