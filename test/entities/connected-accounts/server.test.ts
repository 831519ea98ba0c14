import { deleteOAuthProvider, oauthProviders$, orThrow, providerAccounts$, updateOAuthProvider } from 'rxauth'
import {
  createOAuthProviderById,
  createServerApp,
  deleteOAuthProviderById,
  oauthProvidersOf$,
  providerAccountTokenById,
  providerAccountsOf$,
  updateOAuthProviderById,
} from 'rxauth/server'
import { github, home, mary, virtualWeb, type VirtualWeb } from '../../oauth-web'
import { leavePages } from '../../page'
import { ada, grace, world } from '../../world'
import { exchangedAdmin } from '../exchanged-admin'
import { linkedWith, provider } from './connected-account-world'

let web: VirtualWeb
beforeEach(() => (web = virtualWeb()))
afterEach(() => web.close())

describe('a token of a connected account', () => {
  it('is had at a server by the id of the user; its refusals are values there', async () => {
    await linkedWith(web, ['repo'])
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

  // Promise: oauth-links
  it('of one of several accounts is had without an admin key', async () => {
    const several = virtualWeb({}, { wire: '2026' })
    const tab = several.open(`${home}/settings`)
    await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
    const way = await tab.left(tab.app.connectAccount({ provider, scopes: ['repo'] }))
    await tab.load(await several.walk(way, { ...mary, accountId: '1' })).handleOAuthCallback()
    const userId = (await tab.app.user$.get())!.id
    leavePages()
    const server = createServerApp(several.platform.serverOptions)
    const tokenOf = async (providerAccountId: string) => {
      const result = await providerAccountTokenById(server, { userId, provider, providerAccountId, scope: 'repo' })
      return result.ok ? result.value.accessToken : result.error.code
    }
    expect(await tokenOf('1')).toMatch(/./)
    expect(await tokenOf('1')).not.toMatch(/^OAUTH/)
    expect(await tokenOf('2')).toBe('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER')
    server.dispose()
    await several.close()
  })
})

const account = { providerConfigId: provider, allowSignIn: true, allowConnectedAccounts: true }

describe('the links of a user to accounts at providers', () => {
  /** A server, and Ada's kit with two links. */
  async function linked() {
    const config = { oauthProviders: [github] }
    const one = await world({ platform: { wire: '2026', seed: { users: [ada, grace], project: { config } } } })
    const server = createServerApp(one.platform.serverOptions)
    const [userId = '', graceId = ''] = (await one.inTime(server.users$().get())).items.map(({ id }) => id)
    const link = (accountId: string, of = userId) =>
      one.inTime(createOAuthProviderById(server, { ...account, userId: of, accountId, email: 'work@example.com' }))
    const ids = [orThrow(await link('1')).id, orThrow(await link('2')).id] as const
    return { ...one, server, userId, graceId, link, ids }
  }

  // Promise: oauth-links
  it('are listed, several of one provider too, for the user and for servers', async () => {
    const { app, server, userId, ids, inTime } = await linked()
    const expected = ids.map(id => ({ ...account, id, userId, type: provider, email: 'work@example.com' }))
    expect(await inTime(oauthProviders$(app).get())).toEqual(expected)
    expect(await inTime(oauthProvidersOf$(server, { userId }).get())).toEqual(
      expected.map((link, index) => ({ ...link, accountId: `${index + 1}` })),
    )
    const accounts = ['1', '2'].map(providerAccountId => ({ userId, provider, providerAccountId }))
    for (const store of [providerAccounts$(app), providerAccountsOf$(server, { userId })])
      expect(await inTime(store.get())).toEqual(accounts)
  })

  // Promise: oauth-links
  it('are changed in all that they have', async () => {
    const { server, userId, ids, inTime } = await linked()
    const changes = { accountId: '9', email: 'new@example.com', allowSignIn: false, allowConnectedAccounts: false }
    const changed = updateOAuthProviderById(server, { userId, oauthProviderId: ids[0], ...changes })
    expect(await inTime(changed)).toMatchObject({ ok: true })
    expect((await inTime(oauthProvidersOf$(server, { userId }).get()))[0]).toMatchObject(changes)
    expect(await inTime(providerAccountsOf$(server, { userId }).get())).toMatchObject([{ providerAccountId: '2' }])
  })

  // Promise: oauth-links
  it('are refused where another user signs in with the account, and for an unknown user', async () => {
    const { app, newApp, tokensOf, server, userId, graceId, ids, link, inTime } = await linked()
    const refused = (code: string) => ({ ok: false, error: { code } })
    const taken = refused('OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN')
    expect(await link('3', '00000000-0000-4000-8000-000000000000')).toMatchObject(refused('USER_NOT_FOUND'))
    expect(await link('1', graceId)).toMatchObject(taken)
    for (const oauthProviderId of ids)
      await inTime(updateOAuthProviderById(server, { userId, oauthProviderId, allowSignIn: false }))
    await link('1', graceId)
    const again = { oauthProviderId: ids[0], allowSignIn: true }
    expect(await inTime(updateOAuthProvider(app, again))).toMatchObject(taken)
    expect(await inTime(updateOAuthProviderById(server, { ...again, userId }))).toMatchObject(taken)
    // Grace can neither see nor delete Ada's link: there is none of hers with this id.
    await inTime(deleteOAuthProvider(newApp({ tokens: await tokensOf(grace) }), { oauthProviderId: ids[0] }))
    expect(await inTime(oauthProvidersOf$(server, { userId }).refresh())).toHaveLength(2)
  })

  // Promise: oauth-links
  it.each(['the user', 'a server'])('of which %s deletes one show the other at once, before they load', async by => {
    const { app, server, userId, platform, ids, clock } = await linked()
    const shown: string[][] = []
    const links$ = by === 'the user' ? oauthProviders$(app) : oauthProvidersOf$(server, { userId })
    links$.subscribe(links => shown.push(links.map(({ id }) => id)))
    await clock.advance(1000)
    platform.faults.every('GET /oauth-providers', { delayMillis: 20_000 })
    const oauthProviderId = ids[0]
    void (by === 'the user'
      ? deleteOAuthProvider(app, { oauthProviderId })
      : deleteOAuthProviderById(server, { userId, oauthProviderId }))
    await clock.advance(10_000)
    expect(shown).toEqual([[...ids], [ids[1]]])
    await clock.advance(20_000)
  })

  const unknownProvider = { status: 404, text: 'OAuth provider nope not found or not configured' }
  it.each([
    ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', { body: { items: [], is_paginated: false } }],
    ['NOT_ON_THIS_PLATFORM', { status: 404, text: '' }],
  ])(
    'are %s to a provider that is refused with a bare 404, where the list of links has the answer %j',
    async (code, list) => {
      const { admin, inTime, lines } = exchangedAdmin([unknownProvider, list])
      const creating = createOAuthProviderById(admin, {
        ...account,
        userId: 'u',
        accountId: '1',
        providerConfigId: 'nope',
      })
      await expect(inTime(creating)).rejects.toMatchObject({ code })
      expect(lines).toEqual(['POST /oauth-providers', 'GET /oauth-providers'])
    },
  )
})
