import * as v from 'valibot'
import { connectedAccountToken } from '../../auth/oauth/endpoints'
import { connectedAccountTokenById } from '../../definitions/server/connected-accounts'
import { platformOnly } from '../http/platform-only'
import { userIdOf } from '../http/authenticate'
import { tokenWith } from '../directory/oauth-tokens'
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

async function tokenFor({ engine, caller, input, origin }: Asked, userIdOrMe: string) {
  const userId = userIdOf(caller, userIdOrMe)
  const { project, access, user } = caller
  if (access === 'client' && userId !== user?.id) throw plain(403, 'A client uses accounts of its own user only.')
  const configured = enabledProvider(project.config, input.provider)
  if (configured.type === 'shared')
    throw known(
      'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
      "Acting at the provider needs the project's own keys there.",
    )
  const account = engine.tables.oauthAccounts.first('ofProvider', [userId, configured.id])
  if (!account)
    throw known('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'The user has not connected an account of this provider.')
  const provider = new ProviderSignIn(engine, origin, configured.id, clientFor(configured))
  const accessToken = await tokenWith(engine, account, splitScopes(input.scope ?? ''), provider)
  if (accessToken !== null) return { accessToken }
  throw known(
    'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
    'No token of the connected account has all of the scopes.',
  )
}
