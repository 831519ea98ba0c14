import type { CliLoginRow } from './cli-tables'
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../core/register'
import type { GeoInfo } from '../resources/sessions'
import type { ActivityRow } from './activity'
import type { EmailTemplateRow, SentEmailRow } from './email-tables'
import type { ApiKeyRow, NotificationPreferenceRow } from './owned-tables'
import type {
  AuthorizationCodeRow,
  OAuthAccountRow,
  OAuthFlowRow,
  OAuthTokenRow,
  ProviderAccountRow,
  ProviderGrantRow,
} from './oauth-tables'
import { normalizeEmail } from './normalize-email'
import type { ProjectConfig } from './project-config'
import type { MembershipRow, PermissionDefinitionRow, ProjectGrantRow, TeamGrantRow, TeamRow } from './team-tables'
import type { Journal } from './data/journal'
import type { DatabaseOf, TablesOf } from './data/schema'
import { table } from './data/table'
import type { Row } from './data/table'

export interface ProjectRow extends Row {
  readonly displayName: string
  readonly description: string
  readonly isProductionMode: boolean
  readonly createdAt: number
  readonly config: ProjectConfig
  // What only the newer release knows of a project; absent where no owner has said it.
  readonly ownerTeamId?: string
  readonly onboardingStatus?: string
  readonly logoUrl?: string | null
  readonly logoFullUrl?: string | null
  readonly logoDarkModeUrl?: string | null
  readonly logoFullDarkModeUrl?: string | null
  /** Of its mails, where a seed has named one; no release of the hosted platform keeps it. */
  readonly color?: string | null
}

/** A key that was not asked for is null. */
export interface KeySetRow extends Row {
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

/** How likely a sign-up was no honest one: 0 to 100. */
export interface RiskScores {
  readonly signUp: { readonly bot: number; readonly freeTrialAbuse: number }
}

export interface UserRow extends Row {
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
  readonly restrictedByAdmin: boolean
  /** Absent in rows that older versions have stored. */
  readonly restrictedByAdminReason?: string | null
  readonly restrictedByAdminPrivateDetails?: string | null
  // What servers have said of a user on the newer wire; absent where none has.
  readonly countryCode?: string | null
  readonly riskScores?: RiskScores
  readonly selectedTeamId: string | null
}

export interface ContactChannelRow extends Row {
  readonly userId: string
  readonly value: string
  readonly isPrimary: boolean
  readonly isVerified: boolean
  readonly usedForAuth: boolean
}

/** Its id is the `refreshTokenId` of its access tokens. */
export interface SessionRow extends Row {
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly lastUsedFrom?: GeoInfo | null
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

/** What a code is for; it opens nothing else. */
export type CodePurpose =
  | 'email-verification'
  | 'magic-link'
  | 'password-reset'
  | 'unsubscribe'
  | 'team-invitation'
  | 'mfa-attempt'
  | 'passkey-registration'
  | 'passkey-authentication'

/** Whom or what a code speaks of; which fields there are depends on its purpose. */
export interface CodeTopic {
  readonly userId?: string
  /** The address that the code was mailed to, where it matters later: it may be nobody's yet, or not the user's any more. */
  readonly email?: string
  /** What the mails are about that a user wants no more of. */
  readonly notificationCategoryId?: string
  /** What team it invites to. */
  readonly teamId?: string
  /** What a passkey has to sign. */
  readonly challenge?: string
}

export interface VerificationCodeRow extends Row {
  readonly purpose: CodePurpose
  readonly code: string
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly attempts: number
  readonly subject: CodeTopic
}

/** What a person types; the rest of a code is the nonce, which only the app has. */
export const typedLength = 6

export function nonceOf(code: string): string {
  return code.slice(typedLength)
}

/** Its id is the user's: there is one passkey each. */
export interface PasskeyRow extends Row {
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

/**
 * Everything that a platform knows, as plain JSON. The rows of a project stand in tables of its own, so they have no
 * `projectId`, and a handler reaches no other project's:
 *
 * ```ts
 * serve(revokeApiKey, {}, ({ engine, input }) => {
 *   const { apiKeys, users } = engine.tables
 *   const key = apiKeys.get(input.apiKeyId)
 *   if (!key || !users.get(key.userId)) throw known('API_KEY_NOT_FOUND', 'There is no such key.')
 *   apiKeys.patch(key.id, { revokedAt: engine.clock.now() })
 * })
 * ```
 *
 * What is thrown takes back everything that the handler wrote, but for what it wrote before `engine.keep()`. A new table is
 * one line here: its row type, and an index for whatever it is looked up by; `table` says how indexes are asked.
 */
export const schema = {
  shared: {
    projects: table<ProjectRow>()({}),
    signingKeys: table<SigningKeyRow>()({}),
    /** The state that a browser comes back with names no project. */
    oauthFlows: table<OAuthFlowRow>()({ projectId: row => row.projectId }),
    providerAccounts: table<ProviderAccountRow>()({ provider: row => row.provider }),
    providerGrants: table<ProviderGrantRow>()({}),
    providerKeys: table<SigningKeyRow>()({}),
    mails: table<MailRow>()({ to: row => row.to, waitingFor: row => (row.taken ? undefined : row.to) }),
  },
  ofProject: {
    keySets: table<KeySetRow>()({
      createdAt: row => row.createdAt,
      publishableClientKey: row => row.publishableClientKey ?? undefined,
      secretServerKey: row => row.secretServerKey ?? undefined,
      superSecretAdminKey: row => row.superSecretAdminKey ?? undefined,
    }),
    users: table<UserRow>()({ signedUpAt: row => row.signedUpAt }),
    contactChannels: table<ContactChannelRow>()({
      userId: row => row.userId,
      primaryOf: row => (row.isPrimary ? row.userId : undefined),
      value: row => row.value,
      authValue: row => (row.usedForAuth ? row.value : undefined),
    }),
    sessions: table<SessionRow>()({ userId: row => [row.userId, row.createdAt] }),
    refreshTokens: table<RefreshTokenRow>()({ sessionId: row => row.sessionId }),
    teams: table<TeamRow>()({}),
    memberships: table<MembershipRow>()({ teamId: row => row.teamId, userId: row => row.userId }),
    permissionDefinitions: table<PermissionDefinitionRow>()({ scope: row => row.scope }),
    teamGrants: table<TeamGrantRow>()({
      teamId: row => row.teamId,
      userId: row => row.userId,
      member: row => [row.teamId, row.userId],
      permissionId: row => row.permissionId,
    }),
    projectGrants: table<ProjectGrantRow>()({ userId: row => row.userId, permissionId: row => row.permissionId }),
    verificationCodes: table<VerificationCodeRow>()({
      code: row => row.code,
      nonce: row => nonceOf(row.code),
      userId: row => row.subject.userId,
      teamId: row => row.subject.teamId,
      invited: row => (row.purpose === 'team-invitation' ? normalizeEmail(row.subject.email ?? '') : undefined),
    }),
    cliLogins: table<CliLoginRow>()({ loginCode: row => row.loginCode }),
    passkeys: table<PasskeyRow>()({ credentialId: row => row.credentialId }),
    oauthAccounts: table<OAuthAccountRow>()({
      userId: row => row.userId,
      ofProvider: row => [row.userId, row.provider],
    }),
    oauthTokens: table<OAuthTokenRow>()({ oauthAccountId: row => row.oauthAccountId }),
    authorizationCodes: table<AuthorizationCodeRow>()({ userId: row => row.userId }),
    apiKeys: table<ApiKeyRow>()({ owner: row => [row.kind, row.ownerId, row.createdAt], value: row => row.value }),
    notificationPreferences: table<NotificationPreferenceRow>()({ userId: row => row.userId }),
    activity: table<ActivityRow>()({
      userId: row => [row.userId, row.lastAt],
      date: row => row.date,
      lastAt: row => row.lastAt,
    }),
    emailTemplates: table<EmailTemplateRow>()({}),
    sentEmails: table<SentEmailRow>()({ sentAt: row => row.sentAt }),
  },
}

/** The tables of one project. */
export type Tables = TablesOf<typeof schema.ofProject>

/** The tables that belong to no project, and by `of(projectId)` those of each. */
export type Database = DatabaseOf<typeof schema.shared, typeof schema.ofProject>

/** What a platform keeps its data in. */
export type PlatformJournal = Journal<typeof schema.shared, typeof schema.ofProject>
