import { requireUser } from '../model/restriction'
import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { connectedAccountToken, providerAccountTokenEndpoint } from '../../sign-in/oauth/endpoints'
import * as client from '../../entities/connected-accounts/client'
import * as server from '../../entities/connected-accounts/server'
import { endpoint } from '../../transport/endpoint'
import { requireOwnUser, type Caller } from '../http/authenticate'
import {
  allowsConnectedAccounts,
  tokensWith,
  tokenWith,
  enabledProvider,
  accountOf,
  allowsSignIn,
  linkAccount,
  linkOf,
} from '../directory/oauth'
import { clientIdOf, splitScopes } from '../provider/token'
import { known, plain, refuse } from '../model/refusal'
import { serve, type Call } from '../http/serve'
import { items } from '../../core/wire'
import type { Engine } from '../model/engine'
import { userIdOrMe } from '../model/limits'
import type { OAuthAccountRow } from '../model/oauth'
import { providerConfig } from '../model/projects'

const older = endpoint('POST /auth/oauth/connected-accounts/{provider}/access-token', {
  access: 'client',
  body: { scope: v.optional(v.string()) },
  returns: v.object({ accessToken: v.string() }),
})

type ConnectCall = Call<{ readonly provider: string; readonly scope?: string | undefined }>

const status = 201

export const routes = [
  serve(older, { status }, call => tokenFor(call, requireOwnUser(call.caller).id)),
  serve([connectedAccountToken, server.connectedAccountTokenById], { status }, call =>
    tokenFor(call, call.input.userId),
  ),
]

/** A token of the user's first account with the scopes, or only of the one with this id at the provider. */
async function tokenFor({ engine, caller, input }: ConnectCall, userId: string, accountId?: string) {
  requireOwnAccounts(caller, userId)
  const configured = enabledProvider(engine.settings, input.provider, 'allowConnectedAccounts')
  if (configured.type === 'shared')
    throw known(
      'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
      "Acting at the provider needs the project's own keys there.",
    )
  const accounts = engine.tables.oauthAccounts
    .by('ofProvider', [userId, configured.id])
    .filter(account => allowsConnectedAccounts(account) && (accountId ?? account.accountId) === account.accountId)
  if (accounts.length === 0)
    throw known('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'The user has not connected an account of this provider.')
  const clientId = clientIdOf(configured)
  const scopes = splitScopes(input.scope ?? '')
  for (const account of accounts) {
    const accessToken = await tokenWith(engine, account, scopes, clientId)
    if (accessToken !== null) return { accessToken }
  }
  if (engine.rules.hasNewerAnswers && accounts.some(account => tokensWith(engine, account, scopes).length > 0))
    throw known('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE', 'The provider gives no new token for the connected account.', {
      provider: configured.id,
      details: 'The provider refused the refresh token.',
    })
  throw known(
    'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
    'No token of the connected account has all of the scopes.',
  )
}

function requireOwnAccounts({ access, user }: Caller, userId: string): void {
  if (access === 'client' && userId !== user?.id) throw plain(403, 'A client uses accounts of its own user only.')
}

/** Clients do not see the account's id at the provider. */
const link = {
  answers: v.object({
    userId: v.string(),
    id: v.string(),
    email: v.optional(v.string()),
    providerConfigId: v.string(),
    type: v.string(),
    allowSignIn: v.boolean(),
    allowConnectedAccounts: v.boolean(),
  }),
  newer: { answers: { accountId: v.string() }, serversOnly: ['accountId'] },
}

const path = '/oauth-providers/{userId}/{oauthProviderId}'
const read = [endpoint(`GET ${path}`, { access: 'client' }), endpoint(`GET ${path}`, { access: 'server' })] as const

export const newerRoutes = [
  serve(
    [client.oauthProviders$, server.oauthProvidersOf$],
    { answers: items(link.answers), newer: { query: { userId: v.optional(userIdOrMe) }, ...link.newer } },
    ({ engine, caller, input: { userId } }) => {
      const { oauthAccounts } = engine.tables
      if (caller.access === 'client' && userId !== caller.user?.id)
        throw plain(403, 'Client can only list OAuth providers for their own user.')
      const rows =
        userId === undefined ? oauthAccounts.rows() : oauthAccounts.by('userId', requireUser(engine, userId).id)
      return rows.map(row => toLink(engine, row))
    },
  ),

  serve(read, link, ({ engine, caller, input }) => toLink(engine, requireLink(engine, caller, input))),

  serve([client.updateOAuthProvider, server.updateOAuthProviderById], link, ({ engine, caller, input }) => {
    const { userId: _, oauthProviderId: __, ...changes } = input
    const row = requireLink(engine, caller, input)
    const ofProvider = engine.tables.oauthAccounts.by('ofProvider', [row.userId, row.provider])
    // The OAuth flow does not check this: it links several accounts.
    if (changes.allowSignIn && ofProvider.some(each => each.id !== row.id && allowsSignIn(each)))
      throw plain(400, 'The same provider type with sign-in enabled already exists for this user.')
    return toLink(engine, engine.tables.oauthAccounts.put(checked(engine, { ...row, ...presentIn(changes) })))
  }),

  serve([client.deleteOAuthProvider, server.deleteOAuthProviderById], {}, ({ engine, caller, input }) => {
    engine.tables.oauthAccounts.delete(requireLink(engine, caller, input).id)
  }),

  serve(server.createOAuthProviderById, { status: 201, ...link }, ({ engine, input }) => {
    const { userId, providerConfigId: provider, email = null, ...rest } = input
    const user = requireUser(engine, userId)
    if (!providerConfig(engine.settings, provider))
      throw plain(404, `OAuth provider ${provider} not found or not configured`)
    const account = { ...rest, provider, email }
    checked(engine, { id: '', userId: user.id, ...account })
    return toLink(engine, linkAccount(engine, user, account))
  }),

  serve([client.providerAccounts$, server.providerAccountsOf$], {}, ({ engine, caller, input: { userId } }) => {
    requireOwnAccounts(caller, userId)
    const accounts = engine.tables.oauthAccounts.by('userId', userId).filter(allowsConnectedAccounts)
    return accounts.map(({ provider, accountId }) => ({ userId, provider, providerAccountId: accountId }))
  }),

  serve([providerAccountTokenEndpoint, server.providerAccountTokenById], { status: 201 }, call =>
    tokenFor(call, call.input.userId, call.input.providerAccountId),
  ),
]

type AskedLink = Readonly<Record<'userId' | 'oauthProviderId', string>>

function requireLink({ tables }: Engine, caller: Caller, { userId, oauthProviderId }: AskedLink) {
  requireOwnAccounts(caller, userId)
  const row = tables.oauthAccounts.get(oauthProviderId)
  return row?.userId === userId
    ? row
    : refuse(plain(404, `OAuth provider ${oauthProviderId} for user ${userId} not found`))
}

/** The row itself. Refuses a second link of a user to one account, and a second user who signs in with it. */
function checked(engine: Engine, row: OAuthAccountRow): OAuthAccountRow {
  const own = linkOf(engine, row.userId, row)
  const other = accountOf(engine, row.provider, row.accountId)
  if (own && own.id !== row.id)
    throw plain(400, 'The same provider type with the same account ID already exists for this user.')
  if (allowsSignIn(row) && other && other.id !== row.id)
    throw known(
      'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN',
      'A user signs in with this account of the provider already.',
    )
  return row
}

function toLink({ settings }: Engine, row: OAuthAccountRow) {
  const { userId, id, email, provider, accountId } = row
  const { type, provider: kind = provider } = providerConfig(settings, provider) ?? {}
  return {
    userId,
    id,
    ...(email !== null && { email }),
    providerConfigId: provider,
    type: type === 'custom_oidc' ? type : kind,
    allowSignIn: allowsSignIn(row),
    allowConnectedAccounts: allowsConnectedAccounts(row),
    accountId,
  }
}
