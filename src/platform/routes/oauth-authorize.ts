import * as v from 'valibot'
import { authorizeOAuth } from '../../sign-in/oauth/endpoints'
import { mainBranch } from '../model/access-tokens'
import { accessTokenExpired, projectOfClient } from '../http/authenticate'
import { randomBase64Url } from '../../core/encoding'
import { enabledProvider } from '../directory/oauth'
import type { OpenEngine } from '../model/engine'
import { absoluteUrl } from '../model/limits'
import { challengeOf } from '../model/oauth'
import { configOf } from '../model/project-config'
import { providerConfig, type ProjectConfig, type ProjectRow } from '../model/projects'
import { callbackUrl, clientFor, issuerOf } from '../provider/clients'
import { known, plain } from '../model/refusal'
import { bareReply, jsonType, platformReply } from '../http/reply'
import { asReply, servePublic } from '../http/serve'
import { challengeFields } from '../directory/sign-up'
import { requireTrustedUrl } from '../directory/trusted-url'

/** The time from here to the provider's callback. */
const flowLifetimeMillis = 600_000

/** The scopes that every provider is asked for, besides the app's own. */
const basicScopes = 'openid email profile'

const responseMode = v.optional(v.picklist(['json', 'redirect']))

/** The cookie that proves that the same browser returns. */
export function innerCookieName(state: string): string {
  return `stack-oauth-inner-${state}`
}

/** Secure only where the platform is reached by https. */
function innerCookie(state: string, now: number, origin: string): string {
  const expires = new Date(now + flowLifetimeMillis).toUTCString()
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${innerCookieName(state)}=true; Path=/; Expires=${expires}; Max-Age=${flowLifetimeMillis / 1000}${secure}; HttpOnly`
}

export const routes = [
  servePublic(
    authorizeOAuth,
    {
      query: {
        redirectUri: absoluteUrl,
        errorRedirectUrl: v.optional(absoluteUrl),
        errorRedirectUri: v.optional(absoluteUrl),
        // Any text is accepted here; the callback refuses invalid values.
        scope: v.string(),
        codeChallengeMethod: v.string(),
        responseType: v.string(),
      },
      newer: {
        query: {
          ...challengeFields,
          clientSecret: v.pipe(v.string(), v.nonEmpty('must not be empty')),
          afterCallbackRedirectUrl: v.optional(absoluteUrl),
          // One name for each brand of the platform.
          stackResponseMode: responseMode,
          hexclaveResponseMode: responseMode,
        },
        later: ['hexclaveResponseMode'],
        ignoresOthers: true,
      },
    },
    async ({ engine, input, origin }) => {
      const project = clientOf(engine, input.clientId, input.clientSecret)
      const isLink = input.type === 'link'
      const purpose = isLink ? 'allowConnectedAccounts' : 'allowSignIn'
      const configured = enabledProvider(configOf(project), idOf(configOf(project), input.provider), purpose)
      const provider = configured.id
      const { checksAuthorize, keepsAnonymousUsers } = engine.rules
      if (isLink && checksAuthorize && !input.token) throw plain(400, 'Linking an account needs the token of its user.')
      const named =
        isLink || (keepsAnonymousUsers && input.token) ? await userOf(engine, project, input.token ?? '') : null
      if ((isLink || checksAuthorize) && input.providerScope && configured.type === 'shared')
        throw known(
          'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
          "Extra scopes need the project's own keys at the provider.",
        )
      const { afterCallbackRedirectUrl = null } = input
      if (checksAuthorize && afterCallbackRedirectUrl !== null)
        requireTrustedUrl(engine, afterCallbackRedirectUrl, project)
      const isJson = (input.hexclaveResponseMode ?? input.stackResponseMode) === 'json'
      const innerVerifier = randomBase64Url()
      const state = engine.database.oauthFlows.put({
        id: randomBase64Url(),
        projectId: project.id,
        provider,
        innerVerifier,
        linksUserId: isLink ? named : null,
        upgradesUserId: isLink ? null : named,
        challenge: { token: input.botChallengeToken ?? null, isInvisible: input.botChallengePhase === 'invisible' },
        redirectUri: input.redirectUri.split('#')[0] ?? '',
        state: input.state,
        codeChallenge: input.codeChallenge,
        codeChallengeMethod: input.codeChallengeMethod,
        scope: input.scope,
        responseType: input.responseType,
        errorRedirectUrl: input.errorRedirectUri ?? input.errorRedirectUrl ?? null,
        afterCallbackRedirectUrl,
        ...(isJson && { isWithoutCookie: true }),
        expiresAt: engine.clock.now() + flowLifetimeMillis,
      }).id
      const parameters = new URLSearchParams({
        client_id: clientFor(configured).clientId,
        redirect_uri: callbackUrl(origin, provider),
        response_type: 'code',
        scope: [basicScopes, input.providerScope ?? ''].join(' ').trim(),
        state,
        code_challenge: await challengeOf(innerVerifier),
        code_challenge_method: 'S256',
        access_type: 'offline',
      })
      const location = `${issuerOf(origin, provider)}/authorize?${parameters.toString()}`
      // A page that called by fetch navigates to the provider itself. The browser may not keep the cookie of this answer.
      if (isJson) return asReply(platformReply(200, jsonType, JSON.stringify({ location })))
      return asReply(
        bareReply(307, {
          location,
          'set-cookie': innerCookie(state, engine.clock.now(), origin),
        }),
      )
    },
  ),
]

/** The id of a provider; those that the platform knows are written in any case. */
function idOf(config: ProjectConfig, provider: string): string {
  return providerConfig(config, provider) ? provider : provider.toLowerCase()
}

/** Checks the client id, which is the project with or without its branch, and then the secret. */
function clientOf(engine: OpenEngine, clientId: string, clientSecret: string): ProjectRow {
  const [projectId = '', branchId = mainBranch] = clientId.split('#')
  if (branchId !== mainBranch || !engine.database.projects.get(projectId))
    throw known('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'The OAuth client id is wrong.', { clientId })
  const project = projectOfClient(engine, projectId, clientSecret)
  if (project) return project
  throw known(
    'INVALID_PUBLISHABLE_CLIENT_KEY',
    `There is no project "${projectId}" with this publishable client key.`,
    {
      projectId,
    },
  )
}

/** The user of the access token in the address, who links the account. */
async function userOf(engine: OpenEngine, project: ProjectRow, token: string): Promise<string> {
  const verified = await engine.accessTokens.verify(token)
  if (verified.status === 'unparsable')
    throw known('UNPARSABLE_ACCESS_TOKEN', 'Linking an account needs the access token of its user.')
  if (verified.status === 'expired') throw accessTokenExpired(engine, verified)
  const { projectId, branchId, userId } = verified.claims
  if (projectId !== project.id || branchId !== mainBranch)
    throw plain(403, 'The access token belongs to another project or branch.')
  return userId
}
