import type { ClientApp } from 'rxauth'
import { home, mary, realWeb } from '../oauth-web'
import type { Tab, Web } from '../oauth-web'
import { ada, grace } from '../world'

const route = 'POST /connected-accounts/{userId}/{provider}/access-token'
const provider = 'github'

describe.each([
  ['in process', false],
  ['over HTTP', true],
])('a user who links an account of a provider, %s,', (_, isOverHttp) => {
  let web: Web
  let tab: Tab
  beforeEach(async () => {
    web = await realWeb(isOverHttp)
    tab = web.open(`${home}/settings`)
    expect(await tab.app.signInWithPassword({ email: ada.email, password: ada.password })).toMatchObject({ ok: true })
  })
  afterEach(() => web.close())

  async function link(scopes: readonly string[] = []): Promise<ClientApp> {
    const app = tab.load(await web.walk(await tab.left(tab.app.connectAccount({ provider, scopes })), mary))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    return app
  }

  const asked = () => web.sent.filter(({ line }) => line === `POST /connected-accounts/me/${provider}/access-token`)
  const providers = async (app: ClientApp) => (await app.connectedAccounts$.get()).map(each => each.provider)

  it('has no account before, and sees it once it is linked, in another kit with the next refresh', async () => {
    expect([await providers(tab.app), await tab.app.connectedAccountToken({ provider })]).toEqual([[], null])
    const other = web.open(`${home}/settings`).app
    expect(await providers(other)).toEqual([])
    tab.focus()
    const app = await link()
    expect(await app.connectedAccounts$.get()).toEqual([{ provider, accountId: expect.any(String), email: mary.email }])
    expect(await other.connectedAccounts$.refresh()).toHaveLength(1)
  })

  it('gets tokens of the provider for the granted scopes, and for no others', async () => {
    const app = await link(['repo'])
    const token = await app.connectedAccountToken({ provider, scopes: ['repo'] })
    expect(token).toEqual(expect.any(String))
    expect(await app.connectedAccountToken({ provider, scopes: ['repo', 'gist'] })).toBeNull()
    expect(await (await link(['repo', 'gist'])).connectedAccountToken({ provider, scopes: ['gist'] })).not.toBeNull()
    const { body } = asked()[0]!
    expect(JSON.parse(body)).toEqual({ scope: 'repo' })
  })

  it.each([
    ['waits for a token when it is asked to', { status: 429, retryAfter: '0' }, null],
    ['is told of a platform that fails', { status: 500 }, 'REQUEST_FAILED'],
    ['is told of an answer that is lost', { loseResponse: true }, 'NETWORK_ERROR'],
    ['is told of an answer that is no answer', { body: 'wrong-code' }, 'INVALID_RESPONSE'],
  ] as const)('%s, and gets one then', async (_, fault, code) => {
    const app = await link()
    web.platform.faults.next(route, fault)
    const call = app.connectedAccountToken({ provider })
    if (code === null) expect(await call).toEqual(expect.any(String))
    else await expect(call).rejects.toMatchObject({ code })
    expect(await app.connectedAccountToken({ provider })).toEqual(expect.any(String))
  })

  it('sees no account while signed out, and a call rejects before a request', async () => {
    const app = await link()
    await app.signOut()
    await expect(app.connectedAccountToken({ provider })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect([await providers(app), asked().length]).toEqual([[], 0])
  })

  it('gets no token of another user’s account', async () => {
    const app = await link()
    await app.connectedAccountToken({ provider })
    await app.signInWithPassword({ email: grace.email, password: grace.password })
    expect([await providers(app), await app.connectedAccountToken({ provider })]).toEqual([[], null])
  })
})
