import { providerAccountToken } from 'rxauth'
import { home, mary, virtualWeb, type VirtualWeb } from '../../oauth-web'
import { ada, grace } from '../../world'
import { linkedWith, provider } from './connected-account-world'

let web: VirtualWeb
beforeEach(() => (web = virtualWeb()))
afterEach(() => web.close())
const linked = (scopes?: readonly string[]) => linkedWith(web, scopes)

describe('the connected accounts of the signed-in user', () => {
  it('are none while signed out, and none of an anonymous user', async () => {
    const { app } = web.open()
    expect(await app.connectedAccounts$.get()).toEqual([])
    expect(web.sent).toEqual([])
  })
})

describe('a token of a connected account', () => {
  it('is asked for with the scopes, and null where they are too many', async () => {
    const { app } = await linked(['repo'])
    expect(await app.connectedAccountToken({ provider, scopes: ['repo'] })).toEqual(expect.any(String))
    expect(await app.connectedAccountToken({ provider, scopes: ['gist'] })).toBeNull()
    expect(web.sent.slice(-2).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { scope: 'repo' },
      { scope: 'gist' },
    ])
  })

  it('is null before it is linked, and for another user', async () => {
    const { app } = web.open()
    await app.signInWithPassword({ email: ada.email, password: ada.password })
    expect(await app.connectedAccountToken({ provider })).toBeNull()
    const { app: adas } = await linked()
    expect(await adas.connectedAccountToken({ provider })).toEqual(expect.any(String))
    await adas.signInWithPassword({ email: grace.email, password: grace.password })
    expect(await adas.connectedAccountToken({ provider })).toBeNull()
  })

  // Promise: oauth-links
  it('is that of one of several accounts, and null without the scopes', async () => {
    const several = virtualWeb({}, { wire: '2026' })
    const tab = several.open(`${home}/settings`)
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    for (const [accountId, scopes] of Object.entries({ 1: [], 2: ['repo'] })) {
      const way = await tab.left(tab.app.connectAccount({ provider, scopes }))
      const back = tab.load(await several.walk(way, { ...mary, accountId }))
      expect(await back.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
    }
    const tokenOf = (providerAccountId: string) =>
      providerAccountToken(tab.app, { provider, providerAccountId, scopes: ['repo'] })
    expect([await tokenOf('1'), await tokenOf('2'), await tokenOf('3')]).toEqual([null, expect.any(String), null])
    await several.close()
  })

  it('is in no store, no trace and no count', async () => {
    const { app } = await linked()
    const trace: unknown[] = []
    app.trace$.subscribe(event => trace.push(event))
    const token = (await app.connectedAccountToken({ provider }))!
    expect(trace).not.toEqual([])
    expect(JSON.stringify([trace, app.inspect(), app.user$.snapshot, app.connectedAccounts$.snapshot])).not.toContain(
      token,
    )
  })
})
