import { oauthProviders$, providerAccounts$, providerAccountToken } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { home, mary, realWeb, type Web } from '../oauth-web'
import { ada } from '../world'

// Capitals too: its owner chooses the id.
const provider = 'My-Okta'

/** A provider of the project's own. The local platform plays it, and never asks its issuer. */
const okta = {
  id: provider,
  type: 'custom_oidc',
  issuerUrl: 'https://okta.example',
  displayName: 'My Okta',
  clientId: 'okta-client',
  clientSecret: 'okta-secret',
} as const

describe.each([
  ['in process', false],
  ['over HTTP', true],
])('an OIDC provider of the project’s own, %s,', (_, isOverHttp) => {
  let web: Web
  beforeEach(async () => {
    web = await realWeb(isOverHttp, { oauthProviders: [okta] }, '2026')
  })
  afterEach(() => web.close())

  // Promise: custom-providers
  it('is listed, signs a user in, and asks in the name that its owner has given', async () => {
    const tab = web.open()
    expect((await tab.app.project$.get()).config.enabledOauthProviders).toEqual([{ id: provider }])
    const way = await tab.left(tab.app.signInWithOAuth({ provider }))
    const page = await (await web.follow(way)).answer!.text()
    expect(page).toContain('<h1>Sign in with My Okta</h1>')
    const app = tab.load(await web.walk(way, mary))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true, value: { isNewUser: true } } })
    expect((await app.user$.get())?.primaryEmail).toBe(mary.email)
    expect(await oauthProviders$(app).get()).toMatchObject([{ providerConfigId: provider, type: 'custom_oidc' }])
  })

  // Promise: custom-providers
  it('is linked, and gives tokens with scopes of its own', async () => {
    const tab = web.open(`${home}/settings`)
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    const way = await tab.left(tab.app.connectAccount({ provider, scopes: ['groups'] }))
    const app = tab.load(await web.walk(way, mary))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    const [account] = await providerAccounts$(app).get()
    expect(account).toMatchObject({ provider, providerAccountId: mary.email })
    expect(await app.connectedAccountToken({ provider, scopes: ['groups'] })).toEqual(expect.any(String))
    expect(await providerAccountToken(app, { ...account!, scopes: ['groups'] })).toEqual(expect.any(String))
    expect(await providerAccountToken(app, { ...account!, scopes: ['admin'] })).toBeNull()
  })

  // Promise: custom-providers
  it('signs a user in in a window of its own', async () => {
    const gone = new Promise<string>(resolve => {
      const popup = { closed: false, location: { replace: resolve }, close: () => undefined }
      const page = web.open(undefined, { host: { openWindow: () => popup } })
      void page.app.signInWithOAuthPopup({ provider }).catch(() => undefined)
    })
    expect(new URL(await gone).pathname).toBe(`/api/v1/auth/oauth/authorize/${provider}`)
    expect(new URL(await web.walk(await gone, mary)).searchParams.get('code')).toEqual(expect.any(String))
  })
})

// Promise: custom-providers
it('a provider that no project has configured is none of the local platform', async () => {
  const platform = createPlatform({ wire: '2026', seed: { project: { config: { oauthProviders: [okta] } } } })
  const ask = async (id: string) => {
    const url = `${platform.options.baseUrl}/oauth-provider/${id}/authorize`
    return (await platform.fetch(new Request(url))).status
  }
  expect([await ask(provider), await ask('google'), await ask('other-okta')]).toEqual([400, 400, 404])
  platform.dispose()
})
