import type { CliLoginRow } from './cli-tables'
import { nonceOf } from './code-tables'
import type { VerificationCodeRow } from './code-tables'
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import type {
  EmailDraftRow,
  EmailTemplateRow,
  OutboxRow,
  SentEmailRow,
  TsxTemplateRow,
  TsxThemeRow,
} from './email-tables'
import type { KeySetRow, SigningKeyRow } from './key-tables'
import type { ActivityRow, ApiKeyRow, NotificationPreferenceRow } from './owned-tables'
import type {
  AuthorizationCodeRow,
  OAuthAccountRow,
  OAuthFlowRow,
  OAuthTokenRow,
  ProviderAccountRow,
  ProviderGrantRow,
} from './oauth-tables'
import { normalizeEmail } from './normalize-email'
import type { ConfigOverrides, ConfigSource, SignUpRuleCountRow } from './config-tables'
import type { ProjectConfig } from './project-config'
import type { RefreshTokenRow, SessionRow } from './session-tables'
import type { MembershipRow, PermissionDefinitionRow, ProjectGrantRow, TeamGrantRow, TeamRow } from './team-tables'
import type { Journal } from '../data/journal'
import type { DatabaseOf, TablesOf } from '../data/schema'
import { table } from '../data/table'
import type { Row } from '../data/table'

export interface ProjectRow extends Row {
  readonly displayName: string
  readonly description: string
  readonly isProductionMode: boolean
  readonly createdAt: number
  readonly config: ProjectConfig
  // Fields of the newer release only; absent until an owner sets them.
  readonly ownerTeamId?: string
  readonly onboardingStatus?: string
  readonly logoUrl?: string | null
  readonly logoFullUrl?: string | null
  readonly logoDarkModeUrl?: string | null
  readonly logoFullDarkModeUrl?: string | null
  /** The colour of its mails, if a seed sets one; the hosted platform has no such field. */
  readonly color?: string | null
  /** As they were written. Where `config` differs, it was changed since by another call. */
  readonly configOverrides?: ConfigOverrides
  /** The origin of the override of the branch. Absent: unlinked. */
  readonly configSource?: ConfigSource
  /** The end of the last time in which mails may be sent faster. */
  readonly emailBoostEndsAt?: number
}

/** The probability that a sign-up is abuse: 0 to 100. */
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
  /** Saving a secret does not yet make the second factor required. */
  readonly requiresTotpMfa: boolean
  readonly isAnonymous: boolean
  readonly restrictedByAdmin: boolean
  /** Absent in rows of older versions. */
  readonly restrictedByAdminReason?: string | null
  readonly restrictedByAdminPrivateDetails?: string | null
  // Set by servers on the newer wire; absent until then.
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

/** Its id is the user's, since a user has at most one passkey. */
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
  /** Whether a mailbox's `next()` has returned it. */
  readonly taken: boolean
}

/**
 * All data of a platform, as plain JSON. Each project has its own tables, so their rows have no `projectId`, and a
 * handler cannot reach those of another project:
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
 * If a handler throws, everything that it wrote is undone, except its writes before `engine.keep()`. To add a table, add
 * one line here with its row type, the indexes for its look-ups, and the tables with whose rows its own go (`users: 'userId'`);
 * `table` shows how to query them.
 */
export const schema = {
  shared: {
    projects: table<ProjectRow>()({}),
    signingKeys: table<SigningKeyRow>()({}),
    /** The state in the provider's callback does not name the project. */
    oauthFlows: table<OAuthFlowRow>()({ projectId: row => row.projectId }, { projects: 'projectId' }),
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
    users: table<UserRow>()({ signedUpAt: row => row.signedUpAt, lastActiveAt: row => row.lastActiveAt }),
    contactChannels: table<ContactChannelRow>()(
      {
        userId: row => row.userId,
        primaryOf: row => (row.isPrimary ? row.userId : undefined),
        value: row => row.value,
        authValue: row => (row.usedForAuth ? row.value : undefined),
      },
      { users: 'userId' },
    ),
    sessions: table<SessionRow>()({ userId: row => [row.userId, row.createdAt] }, { users: 'userId' }),
    refreshTokens: table<RefreshTokenRow>()({ sessionId: row => row.sessionId }, { sessions: 'sessionId' }),
    teams: table<TeamRow>()({}),
    memberships: table<MembershipRow>()(
      { teamId: row => row.teamId, userId: row => row.userId },
      { teams: 'teamId', users: 'userId' },
    ),
    permissionDefinitions: table<PermissionDefinitionRow>()({ scope: row => row.scope }),
    teamGrants: table<TeamGrantRow>()(
      {
        teamId: row => row.teamId,
        userId: row => row.userId,
        membershipId: row => `${row.teamId} ${row.userId}`,
        permissionId: row => row.permissionId,
      },
      { memberships: 'membershipId' },
    ),
    projectGrants: table<ProjectGrantRow>()(
      { userId: row => row.userId, permissionId: row => row.permissionId },
      { users: 'userId' },
    ),
    verificationCodes: table<VerificationCodeRow>()(
      {
        code: row => row.code,
        nonce: row => nonceOf(row.code),
        // The code of a verification mail stays after the user: it then answers that there is no address to verify.
        endsWithUser: row => (row.purpose === 'email-verification' ? undefined : row.subject.userId),
        teamId: row => row.subject.teamId,
        invited: row => (row.purpose === 'team-invitation' ? normalizeEmail(row.subject.email ?? '') : undefined),
      },
      { users: 'endsWithUser', teams: 'teamId' },
    ),
    cliLogins: table<CliLoginRow>()({ loginCode: row => row.loginCode }),
    passkeys: table<PasskeyRow>()(
      { userId: row => row.id, credentialId: row => row.credentialId },
      { users: 'userId' },
    ),
    oauthAccounts: table<OAuthAccountRow>()(
      {
        userId: row => row.userId,
        ofProvider: row => [row.userId, row.provider],
        account: row => [row.provider, row.accountId],
      },
      { users: 'userId' },
    ),
    oauthTokens: table<OAuthTokenRow>()(
      { oauthAccountId: row => row.oauthAccountId },
      { oauthAccounts: 'oauthAccountId' },
    ),
    authorizationCodes: table<AuthorizationCodeRow>()({ userId: row => row.userId }, { users: 'userId' }),
    apiKeys: table<ApiKeyRow>()(
      {
        userId: row => (row.kind === 'user' ? [row.ownerId, row.createdAt] : undefined),
        teamId: row => (row.kind === 'team' ? [row.ownerId, row.createdAt] : undefined),
        value: row => row.value,
      },
      { users: 'userId', teams: 'teamId' },
    ),
    notificationPreferences: table<NotificationPreferenceRow>()({ userId: row => row.userId }, { users: 'userId' }),
    activity: table<ActivityRow>()({
      userId: row => [row.userId, row.lastAt],
      date: row => row.date,
      lastAt: row => row.lastAt,
    }),
    /** By the id of a sign-up rule: how often it has matched. */
    signUpRuleCounts: table<SignUpRuleCountRow>()({}),
    emailTemplates: table<EmailTemplateRow>()({}),
    tsxTemplates: table<TsxTemplateRow>()({}),
    tsxThemes: table<TsxThemeRow>()({}),
    emailDrafts: table<EmailDraftRow>()({}),
    emailOutbox: table<OutboxRow>()({
      createdAt: row => row.createdAt,
      dueAt: row => (row.outcome || row.isPaused ? undefined : row.scheduledAt),
      endedAt: row => row.outcome?.at,
    }),
    sentEmails: table<SentEmailRow>()({ sentAt: row => row.sentAt }),
  },
}

/** The tables of one project. */
export type Tables = TablesOf<typeof schema.ofProject>

/** The tables that belong to no project, and by `of(projectId)` those of each. */
export type Database = DatabaseOf<typeof schema.shared, typeof schema.ofProject>

/** The journal with the platform's data. */
export type PlatformJournal = Journal<typeof schema.shared, typeof schema.ofProject>
