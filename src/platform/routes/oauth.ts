import * as v from 'valibot'
import { authorizeOAuth, appleTokenSignIn } from '../../sign-in/oauth/endpoints'
import { mainBranch } from '../model/access-tokens'
import { accessTokenExpired, projectOfClient } from '../http/authenticate'
import { randomBase64Url } from '../../core/encoding'
import { enabledProvider, decide, exchangeCode } from '../directory/oauth'
import { inProject, type OpenEngine, type Engine } from '../model/engine'
import { absoluteUrl } from '../model/limits'
import { challengeOf } from '../model/oauth'
import { providerConfig } from '../model/projects'
import { callbackUrl, clientIdOf, appleIssuer, ProviderProfile, appleKey } from '../provider/token'
import { known, plain } from '../model/refusal'
import { bareReply, jsonType, platformReply } from '../http/reply'
import { asJson, asReply, servePublic, serve, type Answered } from '../http/serve'
import { challengeFields } from '../directory/sign-up'
import { requireTrustedUrl, requireReadableDomains } from '../directory/trusted-url'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { requireSecondFactor } from '../directory/verification-codes'
import { signIn, accessTokenOf, useRefreshToken } from '../directory/sessions'
import { json } from '../../core/wire'
import { token } from '../../session/endpoints'

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
    async ({ engine: open, input, origin }) => {
      const engine = clientOf(open, input.clientId, input.clientSecret)
      const isLink = input.type === 'link'
      const purpose = isLink ? 'allowConnectedAccounts' : 'allowSignIn'
      // Ids that the platform knows are written in any case.
      const { provider: id } = input
      const { settings, rules, projectId } = engine
      const configured = enabledProvider(settings, providerConfig(settings, id) ? id : id.toLowerCase(), purpose)
      const provider = configured.id
      const { checksAuthorize, keepsAnonymousUsers } = rules
      if (isLink && checksAuthorize && !input.token) throw plain(400, 'Linking an account needs the token of its user.')
      const named = isLink || (keepsAnonymousUsers && input.token) ? await userOf(engine, input.token ?? '') : null
      if ((isLink || checksAuthorize) && input.providerScope && configured.type === 'shared')
        throw known(
          'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
          "Extra scopes need the project's own keys at the provider.",
        )
      const { codeChallenge, codeChallengeMethod, scope, responseType, afterCallbackRedirectUrl = null } = input
      if (checksAuthorize && afterCallbackRedirectUrl !== null) requireTrustedUrl(engine, afterCallbackRedirectUrl)
      const isJson = (input.hexclaveResponseMode ?? input.stackResponseMode) === 'json'
      const innerVerifier = randomBase64Url()
      const state = engine.database.oauthFlows.put({
        id: randomBase64Url(),
        projectId,
        provider,
        innerVerifier,
        linksUserId: isLink ? named : null,
        upgradesUserId: isLink ? null : named,
        challenge: { token: input.botChallengeToken ?? null, isInvisible: input.botChallengePhase === 'invisible' },
        redirectUri: input.redirectUri.split('#')[0] ?? '',
        ...{ state: input.state, codeChallenge, codeChallengeMethod, scope, responseType },
        errorRedirectUrl: input.errorRedirectUri ?? input.errorRedirectUrl ?? null,
        afterCallbackRedirectUrl,
        ...(isJson && { isWithoutCookie: true }),
        expiresAt: engine.clock.now() + flowLifetimeMillis,
      }).id
      const parameters = new URLSearchParams({
        client_id: clientIdOf(configured),
        redirect_uri: callbackUrl(origin, provider),
        response_type: 'code',
        scope: [basicScopes, input.providerScope ?? ''].join(' ').trim(),
        state,
        code_challenge: await challengeOf(innerVerifier),
        code_challenge_method: 'S256',
        access_type: 'offline',
      })
      const location = `${origin}/oauth-provider/${provider}/authorize?${parameters.toString()}`
      // A page that called by fetch navigates to the provider itself. The browser may not keep the cookie of this answer.
      if (isJson) return asJson({ location })
      return asReply(bareReply(307, { location, 'set-cookie': innerCookie(state, engine.clock.now(), origin) }))
    },
  ),

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
      // The client id is the project, with or without its branch.
      const [projectId = '', branchId = mainBranch] = input.clientId.split('#')
      const project = branchId === mainBranch ? projectOfClient(open, projectId, input.clientSecret) : null
      if (!project)
        throw known('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'The OAuth client id or secret is wrong.', { clientId: null })
      const engine = inProject(open, project.id)
      requireReadableDomains(engine)
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

/** Checks the client id, which is the project with or without its branch, and then the secret. */
function clientOf(engine: OpenEngine, clientId: string, clientSecret: string): Engine {
  const [projectId = '', branchId = mainBranch] = clientId.split('#')
  if (branchId !== mainBranch || !engine.database.projects.get(projectId))
    throw known('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 'The OAuth client id is wrong.', { clientId })
  const message = `There is no project "${projectId}" with this publishable client key.`
  if (projectOfClient(engine, projectId, clientSecret)) return inProject(engine, projectId)
  throw known('INVALID_PUBLISHABLE_CLIENT_KEY', message, { projectId })
}

/** The user of the access token in the address, who links the account. */
async function userOf(engine: Engine, token: string): Promise<string> {
  const verified = await engine.accessTokens.verify(token)
  if (verified.status === 'unparsable')
    throw known('UNPARSABLE_ACCESS_TOKEN', 'Linking an account needs the access token of its user.')
  if (verified.status === 'expired') throw accessTokenExpired(engine, verified)
  const { projectId, branchId, userId } = verified.claims
  if (projectId !== engine.projectId || branchId !== mainBranch)
    throw plain(403, 'The access token belongs to another project or branch.')
  return userId
}

export const newerRoutes = [
  serve(appleTokenSignIn, {}, async ({ engine, caller: { user: current }, input: { idToken }, origin }) => {
    const { appleBundleIds = [] } = enabledProvider(engine.settings, 'apple', 'allowSignIn')
    if (appleBundleIds.length === 0)
      throw known('APPLE_BUNDLE_ID_NOT_CONFIGURED', 'The provider "apple" of this project has no appleBundleIds.')
    const profile = await profileIn(engine, idToken, appleBundleIds)
    const asked = {
      provider: 'apple',
      linksUserId: null,
      upgradesUserId: current?.id ?? null,
      challenge: { token: null, isInvisible: false },
    }
    const { user, isNewUser } = await decide(engine, asked, profile)
    requireSecondFactor(engine, user)
    return { ...(await signIn(engine, user, origin)), isNewUser }
  }),
]

/** The account that an identity token names. Refuses a token that the local Apple has not signed, or for another app. */
async function profileIn(engine: Engine, token: string, bundleIds: readonly string[]): Promise<ProviderProfile> {
  const { publicKey } = await appleKey(engine)
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

/** An error in OAuth's own form, without a known-error code. */
function missing(parameter: string): Answered<never> {
  const body = { error: 'invalid_request', error_description: `Missing parameter: ${parameter}` }
  return asReply(platformReply(400, jsonType, JSON.stringify(body)))
}
