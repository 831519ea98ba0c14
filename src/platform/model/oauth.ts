import { toBase64Url } from '../../core/encoding'
import * as v from 'valibot'
import { table, type RowOf } from '../data/table'

export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

export async function isVerifierOf(verifier: string, challenge: string, method: 'S256' | 'plain'): Promise<boolean> {
  return challenge === (method === 'plain' ? verifier : await challengeOf(verifier))
}

/** Users' links to accounts at providers. Several users may have one to the same account, but only one signs in with it. */
export const oauthAccounts = table({
  columns: {
    userId: v.string(),
    provider: v.string(),
    accountId: v.string(),
    email: v.nullable(v.string()),
    // Changed on the newer wire only; absent: true.
    allowSignIn: v.exactOptional(v.boolean()),
    allowConnectedAccounts: v.exactOptional(v.boolean()),
  },
  indexes: {
    userId: row => row.userId,
    ofProvider: row => [row.userId, row.provider],
    account: row => [row.provider, row.accountId],
  },
  cascade: { users: 'userId' },
})
export interface OAuthAccountRow extends RowOf<typeof oauthAccounts> {}

export const oauthTokens = table({
  columns: {
    oauthAccountId: v.string(),
    scopes: v.array(v.string()),
    refreshToken: v.nullable(v.string()),
    accessToken: v.string(),
    expiresAt: v.number(),
  },
  indexes: { oauthAccountId: row => row.oauthAccountId },
  cascade: { oauthAccounts: 'oauthAccountId' },
})
export interface OAuthTokenRow extends RowOf<typeof oauthTokens> {}

/** Sign-ins between authorize and the provider's callback, whose state does not name the project; the id is the inner state. */
export const oauthFlows = table({
  columns: {
    projectId: v.string(),
    provider: v.string(),
    innerVerifier: v.string(),
    /** The user that links an account; null for a sign-in. */
    linksUserId: v.nullable(v.string()),
    /** The anonymous user that becomes the new user, if this sign-in creates one. */
    upgradesUserId: v.nullable(v.string()),
    /** The app's answer to a bot challenge, checked if this sign-in creates a user. */
    challenge: v.object({ token: v.nullable(v.string()), isInvisible: v.boolean() }),
    redirectUri: v.string(),
    state: v.string(),
    codeChallenge: v.string(),
    /** Stored as sent, like the scope and the response type: only the callback checks them. */
    codeChallengeMethod: v.string(),
    scope: v.string(),
    responseType: v.string(),
    errorRedirectUrl: v.nullable(v.string()),
    afterCallbackRedirectUrl: v.nullable(v.string()),
    /** The page asked for the provider's address, and got no cookie. */
    isWithoutCookie: v.exactOptional(v.boolean()),
    expiresAt: v.number(),
  },
  indexes: { projectId: row => row.projectId },
  cascade: { projects: 'projectId' },
})
export interface OAuthFlowRow extends RowOf<typeof oauthFlows> {}

/** The id is the code. */
export const authorizationCodes = table({
  columns: {
    userId: v.string(),
    isNewUser: v.boolean(),
    redirectUri: v.string(),
    codeChallenge: v.string(),
    codeChallengeMethod: v.picklist(['S256', 'plain']),
    afterCallbackRedirectUrl: v.nullable(v.string()),
    expiresAt: v.number(),
  },
  indexes: { userId: row => row.userId },
  cascade: { users: 'userId' },
})

/** Persons' accounts at the local provider; the id is `provider account`. */
export const providerAccounts = table({
  columns: {
    provider: v.string(),
    accountId: v.string(),
    email: v.string(),
    isVerified: v.boolean(),
    displayName: v.nullable(v.string()),
  },
  indexes: { provider: row => row.provider },
})
export interface ProviderAccountRow extends RowOf<typeof providerAccounts> {}

/** Codes and tokens that the local provider issued; the id is the code or token itself. */
export const providerGrants = table({
  columns: {
    kind: v.picklist(['code', 'access', 'refresh']),
    accountRowId: v.string(),
    clientId: v.string(),
    redirectUri: v.string(),
    codeChallenge: v.nullable(v.string()),
    scopes: v.array(v.string()),
    expiresAt: v.number(),
  },
})
export interface ProviderGrantRow extends RowOf<typeof providerGrants> {}

/** A user that signs in at the local provider. */
export interface ProviderUser {
  readonly email: string
  readonly displayName?: string
  /** The provider's id of the account. Default: made from the e-mail address, so that one address is one account. */
  readonly accountId?: string
  /** The scopes that the user grants. Default: all requested scopes. */
  readonly scopes?: readonly string[]
  /** Whether the provider reports the address as verified. Default true. */
  readonly verified?: boolean
}
