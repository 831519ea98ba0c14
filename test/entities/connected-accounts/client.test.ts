import { mary, virtualWeb } from '../../oauth-web'
import type { VirtualWeb } from '../../oauth-web'
import { linkedWith, provider } from './connected-account-world'

let web: VirtualWeb
beforeEach(() => (web = virtualWeb()))
afterEach(() => web.close())
const linked = (scopes?: readonly string[]) => linkedWith(web, scopes)

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
})
