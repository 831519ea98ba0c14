import type { Row } from '../data/table'

/** A user's link to a provider's account. Several users may have one to the same account, but only one signs in with it. */
export interface OAuthAccountRow extends Row {
  readonly userId: string
  readonly provider: string
  readonly accountId: string
  readonly email: string | null
  // Changed on the newer wire only; absent: true.
  readonly allowSignIn?: boolean
  readonly allowConnectedAccounts?: boolean
}

/** A provider's tokens for an account. */
export interface OAuthTokenRow extends Row {
  readonly oauthAccountId: string
  readonly scopes: readonly string[]
  readonly refreshToken: string | null
  readonly accessToken: string
  readonly expiresAt: number
}

/** A sign-in between authorize and the provider's callback; its id is the inner state. */
export interface OAuthFlowRow extends Row {
  readonly projectId: string
  readonly provider: string
  readonly innerVerifier: string
  /** The user that links an account; null for a sign-in. */
  readonly linksUserId: string | null
  /** The anonymous user that becomes the new user, if this sign-in creates one. */
  readonly upgradesUserId: string | null
  /** The app's answer to a bot challenge, checked if this sign-in creates a user. */
  readonly challenge: { readonly token: string | null; readonly isInvisible: boolean }
  readonly redirectUri: string
  readonly state: string
  readonly codeChallenge: string
  /** Stored as sent, like the scope and the response type: only the callback checks them. */
  readonly codeChallengeMethod: string
  readonly scope: string
  readonly responseType: string
  readonly errorRedirectUrl: string | null
  readonly afterCallbackRedirectUrl: string | null
  readonly expiresAt: number
}

/** Its id is the code. */
export interface AuthorizationCodeRow extends Row {
  readonly userId: string
  readonly isNewUser: boolean
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly codeChallengeMethod: 'S256' | 'plain'
  readonly afterCallbackRedirectUrl: string | null
  readonly expiresAt: number
}

/** A person's account at the local provider; its id is `provider account`. */
export interface ProviderAccountRow extends Row {
  readonly provider: string
  readonly accountId: string
  readonly email: string
  readonly isVerified: boolean
  readonly displayName: string | null
}

/** A code or token that the local provider issued; its id is the code or token itself. */
export interface ProviderGrantRow extends Row {
  readonly kind: 'code' | 'access' | 'refresh'
  readonly accountRowId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly scopes: readonly string[]
  readonly expiresAt: number
}
