import * as v from 'valibot'
import { newer } from '../../core/wire'
import { tokenRefusals } from '../../entities/connected-accounts/shape'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { NewSignInAnswer, signUpRefusals } from '../answers'

/** Where a browser goes to sign in at a provider: a navigation, not a call. */
export const authorizeOAuth = endpoint('GET /auth/oauth/authorize/{provider}', {
  access: 'client',
  query: {
    clientId: v.string(),
    clientSecret: v.string(),
    redirectUri: v.string(),
    scope: v.literal('legacy'),
    state: v.string(),
    grantType: v.literal('authorization_code'),
    codeChallenge: v.string(),
    codeChallengeMethod: v.picklist(['S256', 'plain']),
    responseType: v.literal('code'),
    type: v.optional(v.picklist(['authenticate', 'link'])),
    token: v.optional(v.string()),
    providerScope: v.optional(v.string()),
    errorRedirectUrl: v.optional(v.string()),
    afterCallbackRedirectUrl: v.optional(v.string()),
    botChallengeToken: newer(v.optional(v.string())),
    botChallengePhase: newer(v.optional(v.picklist(['invisible', 'visible']))),
  },
  ownedBy: 'app',
})

/** The code exchange: form-encoded, without the kit's headers. The same address refreshes tokens. */
export const exchangeOAuthCode = endpoint('POST /auth/oauth/token', {
  access: 'client',
  body: {
    grantType: v.literal('authorization_code'),
    code: v.string(),
    redirectUri: v.string(),
    codeVerifier: v.string(),
    clientId: v.string(),
    clientSecret: v.string(),
  },
  returns: v.object({
    accessToken: v.string(),
    refreshToken: v.string(),
    isNewUser: v.boolean(),
    afterCallbackRedirectUrl: v.optional(v.nullable(v.string()), null),
  }),
  fails: ['MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
  ownedBy: 'app',
  sentAs: 'form',
})

/** A provider's token for an account that the user has connected. */
export const connectedAccountToken = endpoint('POST /connected-accounts/me/{provider}/access-token', {
  access: 'client',
  body: { scope: v.optional(v.string()) },
  returns: v.object({ accessToken: v.string() }),
  fails: ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE'],
})

/** A provider's token for one of the accounts that the user has connected. */
export const providerAccountTokenEndpoint = endpoint(
  'POST /connected-accounts/me/{provider}/{providerAccountId}/access-token',
  {
    access: 'client',
    body: { scope: v.optional(v.string()) },
    returns: v.object({ accessToken: v.string() }),
    fails: tokenRefusals,
    notOnPlatform: lacking(404),
  },
)

/** Refusals of the token, of the project's settings, and of the user behind it. */
export const appleTokenRefusals = [
  'INVALID_APPLE_CREDENTIALS',
  'APPLE_BUNDLE_ID_NOT_CONFIGURED',
  'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
  'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
  'SIGN_UP_NOT_ENABLED',
  'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  ...signUpRefusals,
] as const

/** Signs in with the identity token that iOS or macOS gives an app. */
export const appleTokenSignIn = endpoint('POST /auth/oauth/callback/apple/native', {
  access: 'client',
  body: { idToken: v.string() },
  returns: NewSignInAnswer,
  fails: appleTokenRefusals,
  ownedBy: 'app',
  notOnPlatform: lacking(404),
})
