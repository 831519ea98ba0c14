import * as v from 'valibot'
import { connectedAccountToken } from '../../sign-in/oauth/endpoints'
import { connectedAccountTokenById } from '../../entities/connected-accounts/server'
import { platformOnly } from '../http/platform-only'
import { userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import { allowsConnectedAccounts } from '../directory/oauth-accounts'
import { hasTokenWith, tokenWith } from '../directory/oauth-tokens'
import { enabledProvider } from '../directory/enabled-provider'
import { splitScopes } from '../provider/authorize'
import { clientFor } from '../provider/clients'
import { ProviderSignIn } from '../provider/sign-in'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import type { Call } from '../http/serve'

const older = platformOnly('POST /auth/oauth/connected-accounts/{provider}/access-token', {
  access: 'client',
  body: { scope: v.optional(v.string()) },
  returns: v.object({ accessToken: v.string() }),
})

type Asked = Call<{ readonly provider: string; readonly scope?: string | undefined }>

const status = 201

export const connectedAccountRoutes = [
  serve(older, { status }, call => tokenFor(call, 'me')),
  serve([connectedAccountToken, connectedAccountTokenById], { status }, call => tokenFor(call, call.input.userId)),
]

/** A token of the user's first account with the scopes, or only of the one with this id at the provider. */
export async function tokenFor({ engine, caller, input, origin }: Asked, userIdOrMe: string, accountId?: string) {
  const userId = ownUserId(caller, userIdOrMe)
  const configured = enabledProvider(caller.project.config, input.provider, 'allowConnectedAccounts')
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
  const provider = new ProviderSignIn(engine, origin, configured.id, clientFor(configured))
  const scopes = splitScopes(input.scope ?? '')
  for (const account of accounts) {
    const accessToken = await tokenWith(engine, account, scopes, provider)
    if (accessToken !== null) return { accessToken }
  }
  if (engine.rules.hasNewerAnswers && accounts.some(account => hasTokenWith(engine, account, scopes)))
    throw known('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE', 'The provider gives no new token for the connected account.', {
      provider: configured.id,
      details: 'The provider refused the refresh token.',
    })
  throw known(
    'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
    'No token of the connected account has all of the scopes.',
  )
}

/** The user whose accounts the request uses; a client's own user only. */
export function ownUserId(caller: Caller, userIdOrMe: string): string {
  const userId = userIdOf(caller, userIdOrMe)
  if (caller.access === 'client' && userId !== caller.user?.id)
    throw plain(403, 'A client uses accounts of its own user only.')
  return userId
}
