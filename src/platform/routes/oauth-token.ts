import * as v from 'valibot'
import { token } from '../../session/endpoints'
import { mainBranch } from '../access-tokens'
import { projectOfClient } from '../authenticate'
import type { Engine } from '../engine'
import { known } from '../refusal'
import { servePublic } from '../serve'
import { useRefreshToken } from '../sessions'
import type { ProjectRow } from '../tables'

const answer = v.object({
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  tokenType: v.string(),
  expiresIn: v.number(),
  scope: v.string(),
})

export const oauthTokenRoutes = [
  servePublic(
    token,
    {
      body: {
        grantType: v.picklist(['refresh_token', 'authorization_code']),
        // What is missing here is not the request's form but the client's identity that is wrong.
        clientId: v.optional(v.string(), ''),
        clientSecret: v.optional(v.string(), ''),
        scope: v.optional(v.string()),
        code: v.optional(v.string()),
        codeVerifier: v.optional(v.string()),
        redirectUri: v.optional(v.string()),
      },
      answers: answer,
      headers: { pragma: 'no-cache' },
    },
    async ({ engine, input, origin }) => {
      const project = clientOf(engine, input.clientId, input.clientSecret)
      if (input.scope !== undefined && input.scope !== 'legacy')
        throw known('INVALID_SCOPE', 'The only scope here is "legacy".')
      if (input.grantType === 'authorization_code')
        throw known('INVALID_AUTHORIZATION_CODE', 'This authorization code is unknown, used up or expired.')
      if (input.refreshToken === undefined) {
        const message = 'body.refresh_token is required for this grant type'
        throw known('SCHEMA_ERROR', message, { message })
      }
      const used = useRefreshToken(engine, project.id, input.refreshToken, { rotate: true })
      return {
        accessToken: await engine.accessTokens.sign(used.session, origin),
        ...(used.refreshToken !== input.refreshToken && { refreshToken: used.refreshToken }),
        tokenType: 'Bearer',
        // The hosted platform says an hour, whatever the token says.
        expiresIn: 3600,
        scope: 'legacy',
      }
    },
  ),
]

/** `client_id` is the project, with or without its branch. */
function clientOf(engine: Engine, clientId: string, clientSecret: string): ProjectRow {
  const [projectId = '', branchId = mainBranch] = clientId.split('#')
  const project = branchId === mainBranch ? projectOfClient(engine, projectId, clientSecret) : null
  if (project) return project
  throw known('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'The OAuth client id or secret is wrong.', { clientId: null })
}
