import { createServerApp } from 'rxauth/server'
import { github, home, mary, virtualWeb } from '../../oauth-web'
import type { VirtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada, grace } from '../../world'

const provider = github.id
let web: VirtualWeb
beforeEach(() => (web = virtualWeb()))
afterEach(() => web.close())

/** Ada's kit with an account of the provider linked. */
async function linked(scopes: readonly string[] = []) {
  const tab = web.open(`${home}/settings`)
  await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
  const app = tab.load(await web.walk(await tab.left(tab.app.connectAccount({ provider, scopes }))))
  const shown: (readonly string[])[] = []
  app.connectedAccounts$.subscribe(all => shown.push(all.map(each => each.provider)))
  const users: unknown[] = []
  app.user$.subscribe(user => users.push(user))
  await web.clock.advance(1000)
  expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
  await web.clock.advance(1000)
  return { app, shown, users }
}

describe('the connected accounts of the signed-in user', () => {
  it('are those of the user, without a request of their own', async () => {
    const { app, shown } = await linked()
    expect(shown.at(-1)).toEqual([provider])
    expect(web.sent.filter(({ line }) => /connected|oauth-providers/.test(line))).toEqual([])
    expect(await app.connectedAccounts$.get()).toEqual([
      { provider, accountId: expect.any(String) as string, email: mary.email },
    ])
  })

  it('keep their reference while they are equal', async () => {
    const { app, shown, users } = await linked()
    const [count, before] = [shown.length, app.connectedAccounts$.snapshot]
    const update = app.updateUser({ displayName: 'Countess' })
    await web.clock.advance(1000)
    await update
    expect(users.length).toBeGreaterThan(count)
    expect(shown).toHaveLength(count)
    expect(app.connectedAccounts$.snapshot).toMatchObject({ value: (before as { value: unknown }).value })
  })

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

  it('is had at a server by the id of the user; its refusals are values there', async () => {
    await linked(['repo'])
    leavePages()
    const server = createServerApp(web.platform.serverOptions)
    const [adas, graces] = (await server.users$().get()).items
    expect(await server.connectedAccountsOf$({ userId: adas!.id }).get()).toMatchObject([{ provider }])
    expect(await server.connectedAccountsOf$({ userId: graces!.id }).get()).toEqual([])
    const ask = async (userId: string, scope: string) =>
      server
        .connectedAccountTokenById({ userId, provider, scope })
        .then(result => (result.ok ? typeof result.value.accessToken : result.error.code))
    expect(await ask(adas!.id, 'repo')).toBe('string')
    expect(await ask(adas!.id, 'gist')).toBe('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE')
    expect(await ask(graces!.id, 'repo')).toBe('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER')
    expect(grace.email).toBe(graces!.primaryEmail)
    server.dispose()
  })
})
