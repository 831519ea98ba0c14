import {
  connectedAccounts$,
  deleteOAuthProvider,
  oauthProviders$,
  providerAccounts$,
  providerAccountToken,
} from 'rxauth'
import { updateOAuthProvider } from 'rxauth'
import type { ClientApp } from 'rxauth'
import {
  createOAuthProviderById,
  deleteOAuthProviderById,
  oauthProvidersOf$,
  providerAccountsOf$,
  providerAccountTokenById,
  updateOAuthProviderById,
} from 'rxauth/server'
import type { Wire } from 'rxauth/platform'
import type { ServerApp } from 'rxauth/server'
import { github, home, mary, realWeb } from '../oauth-web'
import { ada, grace } from '../world'
import { newerWays } from './way'
import type { Way } from './way'

const provider = github.id
const seed = { users: [ada, grace], project: { config: { oauthProviders: [github] } } }
const unknownId = '00000000-0000-4000-8000-000000000000'
const item = '/oauth-providers/{userId}/{oauthProviderId}'

/** The value, or the code with which the call rejects or which it returns. */
const outcomeOf = <T>(promise: Promise<T>): Promise<unknown> =>
  promise.catch((error: unknown) => (error as { readonly code: string }).code)

describe.each(newerWays)('the accounts at providers of a user, %s,', (_, open, release) => {
  let way: Way
  let app: ClientApp
  let server: ServerApp
  let userId: string
  async function start(wire: Wire) {
    way = await open({ seed, wire })
    server = way.newServerApp()
    app = way.newApp()
    expect(await app.signInWithPassword({ email: ada.email, password: ada.password })).toMatchObject({ ok: true })
    userId = (await app.user$.get())!.id
  }
  afterEach(() => way.close())

  /** How often the links have been listed. */
  const lists = () => way.answersTo('GET /oauth-providers').length

  const account = { providerConfigId: provider, allowSignIn: true, allowConnectedAccounts: true }

  /** The id of a new link of Ada. */
  async function linked(accountId: string): Promise<string> {
    const made = await createOAuthProviderById(server, { ...account, userId, accountId, email: 'work@example.com' })
    if (!made.ok) throw made.error
    return made.value.id
  }

  /** What the stores of Ada's kit show by now; they are loaded and subscribed to. */
  async function watched() {
    const shown: { links?: readonly unknown[]; accounts?: readonly unknown[]; user?: readonly unknown[] } = {}
    oauthProviders$(app).subscribe(value => (shown.links = value.map(({ id, allowSignIn }) => [id, allowSignIn])))
    providerAccounts$(app).subscribe(value => (shown.accounts = value.map(each => each.providerAccountId)))
    connectedAccounts$(app).subscribe(value => (shown.user = value.map(each => each.accountId)))
    await Promise.all([oauthProviders$(app).get(), providerAccounts$(app).get(), app.user$.get()])
    return shown
  }

  describe('on the newer wire', () => {
    beforeEach(() => start(release))

    // Promise: oauth-links
    it('are listed, several of one provider too, for the user and for servers', async () => {
      const ids = [await linked('1'), await linked('2')]
      const expected = ids.map(id => ({ ...account, id, userId, type: provider, email: 'work@example.com' }))
      expect(await oauthProviders$(app).get()).toEqual(expected)
      expect(await oauthProvidersOf$(server, { userId }).get()).toEqual(
        expected.map((link, index) => ({ ...link, accountId: `${index + 1}` })),
      )
      for (const accounts of [providerAccounts$(app), providerAccountsOf$(server, { userId })])
        expect(await accounts.get()).toEqual(
          ['1', '2'].map(providerAccountId => ({ userId, provider, providerAccountId })),
        )
    })

    // Promise: oauth-links
    it('change and go, and every store shows it when the promise resolves', async () => {
      const [one, two] = [await linked('1'), await linked('2')]
      const shown = await watched()
      const asked = lists()
      await updateOAuthProvider(app, { oauthProviderId: one, allowSignIn: false, allowConnectedAccounts: false })
      expect(shown).toEqual({
        links: [
          [one, false],
          [two, true],
        ],
        accounts: ['2'],
        user: ['1', '2'],
      })
      await deleteOAuthProvider(app, { oauthProviderId: one })
      expect(shown).toEqual({ links: [[two, true]], accounts: ['2'], user: ['2'] })
      // The answers alone have told it.
      expect(lists()).toBe(asked)
      // Another kit has deleted it meanwhile: that counts as done.
      await deleteOAuthProvider(app, { oauthProviderId: one })
    })

    // Promise: oauth-links
    it('are changed by a server, whose stores show it', async () => {
      const links = oauthProvidersOf$(server, { userId })
      const accounts = providerAccountsOf$(server, { userId })
      const shown: unknown[] = []
      links.subscribe(value => (shown[0] = value.map(each => [each.accountId, each.email])))
      accounts.subscribe(value => (shown[1] = value.map(each => each.providerAccountId)))
      await Promise.all([links.get(), accounts.get()])
      const oauthProviderId = await linked('1')
      expect(shown).toEqual([[['1', 'work@example.com']], ['1']])
      const changed = { userId, oauthProviderId, accountId: '9', email: 'new@example.com' }
      expect(await updateOAuthProviderById(server, changed)).toMatchObject({ ok: true })
      expect(shown).toEqual([[['9', 'new@example.com']], ['9']])
      const asked = lists()
      await deleteOAuthProviderById(server, { userId, oauthProviderId })
      expect(shown).toEqual([[], []])
      expect(lists()).toBe(asked)
      await deleteOAuthProviderById(server, { userId, oauthProviderId })
    })

    // Promise: oauth-links
    it('are refused where another user signs in with the account, and for an unknown user', async () => {
      const id = await linked('1')
      const taken = 'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN'
      const codeOf = (result: unknown) => (result as { readonly error?: { readonly code: string } }).error?.code
      const unknown = { ...account, userId: unknownId, accountId: '2' }
      expect(codeOf(await createOAuthProviderById(server, unknown))).toBe('USER_NOT_FOUND')
      const other = way.newApp()
      await other.signInWithPassword({ email: grace.email, password: grace.password })
      const graceId = (await other.user$.get())!.id
      expect(codeOf(await createOAuthProviderById(server, { ...account, userId: graceId, accountId: '1' }))).toBe(taken)
      await updateOAuthProviderById(server, { userId, oauthProviderId: id, allowSignIn: false })
      await createOAuthProviderById(server, { ...account, userId: graceId, accountId: '1' })
      const again = { oauthProviderId: id, allowSignIn: true }
      expect(codeOf(await updateOAuthProvider(app, again))).toBe(taken)
      expect(codeOf(await updateOAuthProviderById(server, { ...again, userId }))).toBe(taken)
      // Grace can neither see nor delete Ada's link: there is none of hers with this id.
      await deleteOAuthProvider(other, { oauthProviderId: id })
      expect(await oauthProvidersOf$(server, { userId }).refresh()).toHaveLength(1)
    })

    // Promise: oauth-links
    it('an unknown link is no missing call, even in a kit that knows nothing yet', async () => {
      const change = updateOAuthProvider(app, { oauthProviderId: unknownId, allowSignIn: false })
      await expect(change).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 404 })
      const byServer = updateOAuthProviderById(server, { userId, oauthProviderId: unknownId, allowSignIn: false })
      await expect(byServer).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 404 })
    })

    it.each([
      ['waits as long as `retry-after` says', { status: 429, retryAfter: '1' }, 0, null],
      ['rejects after a failure of the server', { status: 500 }, 1, 'REQUEST_FAILED'],
      ['is done although the answer was lost', { loseResponse: true }, 0, null],
    ] as const)('a deletion %s', async (_, fault, left, code) => {
      const oauthProviderId = await linked('1')
      const shown = await watched()
      way.platform.faults.next(`DELETE ${item}`, fault)
      expect((await outcomeOf(deleteOAuthProvider(app, { oauthProviderId }))) ?? null).toBe(code)
      await oauthProviders$(app).refresh()
      expect(shown.links).toHaveLength(left)
    })

    it.each([400, 500])('a deletion by a server that is refused with %i rejects, and the link stays', async status => {
      const oauthProviderId = await linked('1')
      const links = oauthProvidersOf$(server, { userId })
      const shown: unknown[] = []
      links.subscribe(value => shown.push(value.map(({ id }) => id)))
      await links.get()
      way.platform.faults.next(`DELETE ${item}`, { status })
      const deletion = deleteOAuthProviderById(server, { userId, oauthProviderId })
      await expect(deletion).rejects.toMatchObject({ code: 'REQUEST_FAILED', status })
      await links.refresh()
      expect(shown).toEqual([[oauthProviderId]])
    })

    it('are nothing while signed out', async () => {
      await linked('1')
      const shown = await watched()
      await app.signOut()
      expect(shown).toEqual({ links: [], accounts: [], user: [] })
      const change = updateOAuthProvider(app, { oauthProviderId: unknownId })
      expect(await outcomeOf(change)).toBe('USER_AUTHENTICATION_REQUIRED')
    })
  })

  // Promise: oauth-links
  it('are NOT_ON_THIS_PLATFORM on the reference wire, which is asked once', async () => {
    await start('2.8.18')
    const missing = (call: string) => ({ code: 'NOT_ON_THIS_PLATFORM', details: { call } })
    const link = { oauthProviderId: unknownId }
    const of = { userId, provider, providerAccountId: '1' }
    for (const [call, run] of [
      ['PATCH /oauth-providers/me/{oauthProviderId}', () => updateOAuthProvider(app, link)],
      ['DELETE /oauth-providers/me/{oauthProviderId}', () => deleteOAuthProvider(app, link)],
      ['GET /oauth-providers', () => oauthProviders$(app).get()],
      ['GET /connected-accounts/me', () => providerAccounts$(app).get()],
      ['POST /connected-accounts/me/{provider}/{providerAccountId}/access-token', () => providerAccountToken(app, of)],
      ['POST /oauth-providers', () => createOAuthProviderById(server, { ...account, userId, accountId: '1' })],
      ['PATCH /oauth-providers/{userId}/{oauthProviderId}', () => updateOAuthProviderById(server, { ...link, userId })],
      [
        'DELETE /oauth-providers/{userId}/{oauthProviderId}',
        () => deleteOAuthProviderById(server, { ...link, userId }),
      ],
      ['GET /oauth-providers', () => oauthProvidersOf$(server, { userId }).get()],
      ['GET /connected-accounts/{userId}', () => providerAccountsOf$(server, { userId }).get()],
      [
        'POST /connected-accounts/{userId}/{provider}/{providerAccountId}/access-token',
        () => providerAccountTokenById(server, of),
      ],
    ] as const)
      await expect(run()).rejects.toMatchObject(missing(call))
    const count = way.answersTo('').length
    expect(await outcomeOf(updateOAuthProvider(app, link))).toBe('NOT_ON_THIS_PLATFORM')
    expect(way.answersTo('')).toHaveLength(count)
  })
})

// Promise: oauth-links
it('a token of one of several accounts is of that account, and null without the scopes', async () => {
  const web = await realWeb(false, {}, '2026')
  const tab = web.open(`${home}/settings`)
  await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
  for (const accountId of ['1', '2']) {
    const scopes = accountId === '2' ? ['repo'] : []
    const way = await tab.left(tab.app.connectAccount({ provider, scopes }))
    const app = tab.load(await web.walk(way, { ...mary, accountId }))
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
  }
  const tokenOf = (providerAccountId: string) =>
    providerAccountToken(tab.app, { provider, providerAccountId, scopes: ['repo'] })
  expect([await tokenOf('1'), await tokenOf('2'), await tokenOf('3')]).toEqual([null, expect.any(String), null])
  await web.close()
})
