import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../core/register'
import type {
  AuthorizationCodeRow,
  OAuthAccountRow,
  OAuthFlowRow,
  OAuthTokenRow,
  ProviderAccountRow,
  ProviderGrantRow,
} from './oauth-tables'
import type { ProjectConfig } from './project-config'
import { Table } from './table'
import type { Row } from './table'

export interface ProjectRow extends Row {
  readonly displayName: string
  readonly description: string
  readonly isProductionMode: boolean
  readonly createdAt: number
  readonly config: ProjectConfig
}

/** A key that was not asked for is null. */
export interface KeySetRow extends Row {
  readonly projectId: string
  readonly description: string
  readonly createdAt: number
  readonly publishableClientKey: string | null
  readonly secretServerKey: string | null
  readonly superSecretAdminKey: string | null
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/** Public half of a signing key, as in a JSON Web Key Set. */
export interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly alg: 'ES256'
  readonly kid: string
  readonly x: string
  readonly y: string
}

/** What a project's access tokens are signed with; its id is the project's. */
export interface SigningKeyRow extends Row {
  readonly publicKey: PublicKey
  readonly privateKey: PublicKey & { readonly d: string }
}

export interface UserRow extends Row {
  readonly projectId: string
  readonly displayName: string | null
  readonly profileImageUrl: string | null
  readonly signedUpAt: number
  readonly lastActiveAt: number
  readonly clientMetadata: ClientMetadata
  readonly clientReadOnlyMetadata: ClientReadOnlyMetadata
  readonly serverMetadata: ServerMetadata
  /** Salted hash; null: no password. */
  readonly password: string | null
  readonly otpAuthEnabled: boolean
  readonly totpSecretBase64: string | null
  /** A secret alone does not demand the second factor. */
  readonly requiresTotpMfa: boolean
  readonly isAnonymous: boolean
  readonly selectedTeamId: string | null
}

export interface ContactChannelRow extends Row {
  readonly userId: string
  readonly projectId: string
  readonly value: string
  readonly isPrimary: boolean
  readonly isVerified: boolean
  readonly usedForAuth: boolean
}

/** Its id is the `refreshTokenId` of its access tokens. */
export interface SessionRow extends Row {
  readonly projectId: string
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
  readonly isImpersonation: boolean
}

/** Its id is the token itself. */
export interface RefreshTokenRow extends Row {
  readonly sessionId: string
  /** Rotation: what replaced it, and when. */
  readonly successor: string | null
  readonly retiredAt: number | null
}

export interface TeamRow extends Row {
  readonly projectId: string
  readonly displayName: string
  readonly profileImageUrl: string | null
  readonly createdAt: number
  readonly clientMetadata: ClientMetadata
  readonly clientReadOnlyMetadata: ClientReadOnlyMetadata
  readonly serverMetadata: ServerMetadata
}

export interface MembershipRow extends Row {
  readonly teamId: string
  readonly userId: string
}

/** What a code is for; it opens nothing else. */
export type CodePurpose =
  | 'email-verification'
  | 'magic-link'
  | 'password-reset'
  | 'mfa-attempt'
  | 'passkey-registration'
  | 'passkey-authentication'

/** Whom or what a code speaks of; which fields there are depends on its purpose. */
export interface CodeTopic {
  readonly userId?: string
  /** The address that the code was mailed to, where it matters later: it may be nobody's yet, or not the user's any more. */
  readonly email?: string
  /** What a passkey has to sign. */
  readonly challenge?: string
}

export interface VerificationCodeRow extends Row {
  readonly projectId: string
  readonly purpose: CodePurpose
  readonly code: string
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly attempts: number
  readonly subject: CodeTopic
}

/** A login of a program without a browser; its id is the polling code. */
export interface CliLoginRow extends Row {
  readonly projectId: string
  readonly loginCode: string
  readonly expiresAt: number
  /** Handed over by the browser; null until then. */
  readonly refreshToken: string | null
  readonly usedAt: number | null
}

/** Its id is the user's: there is one passkey each. */
export interface PasskeyRow extends Row {
  readonly projectId: string
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

export interface MailRow extends Row {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
  readonly code: string | null
  readonly sentAt: number
  /** Whether a mailbox's `next()` has handed it out. */
  readonly taken: boolean
}

/** Everything that a platform knows, as plain JSON. */
export function createTables() {
  return {
    projects: new Table<ProjectRow>(),
    keySets: new Table<KeySetRow>(),
    signingKeys: new Table<SigningKeyRow>(),
    users: new Table<UserRow>(),
    contactChannels: new Table<ContactChannelRow>(),
    sessions: new Table<SessionRow>(),
    refreshTokens: new Table<RefreshTokenRow>(),
    teams: new Table<TeamRow>(),
    memberships: new Table<MembershipRow>(),
    verificationCodes: new Table<VerificationCodeRow>(),
    cliLogins: new Table<CliLoginRow>(),
    passkeys: new Table<PasskeyRow>(),
    oauthAccounts: new Table<OAuthAccountRow>(),
    oauthTokens: new Table<OAuthTokenRow>(),
    oauthFlows: new Table<OAuthFlowRow>(),
    authorizationCodes: new Table<AuthorizationCodeRow>(),
    providerAccounts: new Table<ProviderAccountRow>(),
    providerGrants: new Table<ProviderGrantRow>(),
    providerKeys: new Table<SigningKeyRow>(),
    mails: new Table<MailRow>(),
  }
}
export type Tables = ReturnType<typeof createTables>
