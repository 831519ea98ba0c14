import type { Row } from './data/table'

/** A provider's account that somebody signs in with; its id is `provider account`. */
export interface OAuthAccountRow extends Row {
  readonly userId: string
  readonly provider: string
  readonly accountId: string
  readonly email: string | null
}

/** What a provider gave us to act for an account. */
export interface OAuthTokenRow extends Row {
  readonly oauthAccountId: string
  readonly scopes: readonly string[]
  readonly refreshToken: string | null
  readonly accessToken: string
  readonly expiresAt: number
}

/** A sign-in on its way to a provider and back; its id is the inner state. */
export interface OAuthFlowRow extends Row {
  readonly projectId: string
  readonly provider: string
  readonly innerVerifier: string
  /** The user who links an account; null: somebody signs in. */
  readonly linksUserId: string | null
  /** The anonymous user who becomes the named one, should this sign-in make one. */
  readonly upgradesUserId: string | null
  /** What the app said of a bot challenge; looked at if this sign-in makes a user. */
  readonly challenge: { readonly token: string | null; readonly isInvisible: boolean }
  readonly redirectUri: string
  readonly state: string
  readonly codeChallenge: string
  /** As they were sent, like the scope and the response type: only the callback looks at them. */
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

/** Somebody who has an account at the local provider; its id is `provider account`. */
export interface ProviderAccountRow extends Row {
  readonly provider: string
  readonly accountId: string
  readonly email: string
  readonly isVerified: boolean
  readonly displayName: string | null
}

/** What the local provider gave out; its id is the code or token itself. */
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
