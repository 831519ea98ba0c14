import { createLocalJWKSet, jwtVerify } from 'jose'
import * as v from 'valibot'
import { enabledProvider, decide, exchangeCode } from '../directory/oauth'
import { requireSecondFactor } from '../directory/verification-codes'
import { signIn, accessTokenOf, useRefreshToken } from '../directory/sessions'
import { asReply, serve, servePublic } from '../http/serve'
import type { Answered } from '../http/serve'
import type { Engine, OpenEngine } from '../model/engine'
import { known } from '../model/refusal'
import { appleIssuer, ProviderProfile, providerKey } from '../provider/token'
import { json } from '../../core/wire'
import { token } from '../../session/endpoints'
import { appleTokenSignIn } from '../../sign-in/oauth/endpoints'
import { mainBranch } from '../model/access-tokens'
import { projectOfClient } from '../http/authenticate'
import { inProject } from '../model/engine'
import { requireReadableDomains } from '../directory/trusted-url'
import { jsonType, platformReply } from '../http/reply'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'

/** The newer release's sign-in of apps for iOS and macOS. */
export const newerRoutes = [
  serve(appleTokenSignIn, {}, async ({ engine, caller: { project, user: current }, input: { idToken }, origin }) => {
    const { appleBundleIds = [] } = enabledProvider(configOf(project), 'apple', 'allowSignIn')
    if (appleBundleIds.length === 0)
      throw known('APPLE_BUNDLE_ID_NOT_CONFIGURED', 'The provider "apple" of this project has no appleBundleIds.')
    const profile = await profileIn(engine, idToken, appleBundleIds)
    const asked = {
      provider: 'apple',
      linksUserId: null,
      upgradesUserId: current?.id ?? null,
      challenge: { token: null, isInvisible: false },
    }
    const { user, isNewUser } = await decide(engine, project, asked, profile)
    requireSecondFactor(engine, user)
    return { ...(await signIn(engine, user, origin)), isNewUser }
  }),
]

/** The account that an identity token names. Refuses a token that the local Apple has not signed, or for another app. */
async function profileIn(engine: Engine, token: string, bundleIds: readonly string[]): Promise<ProviderProfile> {
  const { publicKey } = await providerKey(engine, 'apple')
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [publicKey] }), {
      issuer: appleIssuer,
      audience: [...bundleIds],
      currentDate: new Date(engine.clock.now()),
    })
    return v.parse(ProviderProfile, payload)
  } catch {
    throw known('INVALID_APPLE_CREDENTIALS', 'The identity token is not of Apple, is for another app, or has expired.')
  }
}

export const routes = [
  servePublic(
    token,
    {
      body: {
        grantType: v.picklist(['refresh_token', 'authorization_code']),
        // A missing id is answered as a wrong client, not as an invalid field.
        clientId: v.optional(v.string(), ''),
        clientSecret: v.optional(v.string(), ''),
        scope: v.optional(v.string()),
        code: v.optional(v.string()),
        codeVerifier: v.optional(v.string()),
        redirectUri: v.optional(v.string()),
      },
      answers: json<Readonly<Record<string, unknown>>>(),
      headers: { pragma: 'no-cache' },
    },
    async ({ engine: open, input, origin }) => {
      const project = clientOf(open, input.clientId, input.clientSecret)
      requireReadableDomains(open, project)
      const engine = inProject(open, project.id)
      if (input.scope !== undefined && input.scope !== 'legacy')
        throw known('INVALID_SCOPE', 'The only scope here is "legacy".')
      if (input.grantType === 'authorization_code') {
        const { code, redirectUri } = input
        if (code === undefined) return missing('code')
        if (redirectUri === undefined) return missing('redirect_uri')
        // A missing verifier is answered like a wrong one.
        return exchangeCode(engine, { code, redirectUri, codeVerifier: input.codeVerifier ?? '' }, origin)
      }
      const sent = input.refreshToken
      if (!sent) return missing('refresh_token')
      const { session, refreshToken } = useRefreshToken(engine, sent, { rotate: true })
      return {
        access_token: await accessTokenOf(engine, session, origin),
        ...(refreshToken !== sent && { refresh_token: refreshToken }),
        token_type: 'Bearer',
        // The hosted platform answers an hour for every token.
        expires_in: 3600,
        scope: 'legacy',
      }
    },
  ),
]

/** An error in OAuth's own form, without a known-error code. */
function missing(parameter: string): Answered<never> {
  const body = { error: 'invalid_request', error_description: `Missing parameter: ${parameter}` }
  return asReply(platformReply(400, jsonType, JSON.stringify(body)))
}

/** Checks the client: `client_id` is the project, with or without its branch. */
function clientOf(engine: OpenEngine, clientId: string, clientSecret: string): ProjectRow {
  const [projectId = '', branchId = mainBranch] = clientId.split('#')
  const project = branchId === mainBranch ? projectOfClient(engine, projectId, clientSecret) : null
  if (project) return project
  throw known('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'The OAuth client id or secret is wrong.', { clientId: null })
}
