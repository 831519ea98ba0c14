import * as v from 'valibot'

/**
 * The project's settings.
 *
 * @example
 * const config: Partial<ProjectConfig> = { magicLinkEnabled: true, passkeyEnabled: true }
 * const platform = createPlatform({ seed: { project: { config } } })
 */
export interface ProjectConfig {
  readonly allowLocalhost: boolean
  readonly signUpEnabled: boolean
  readonly credentialEnabled: boolean
  readonly magicLinkEnabled: boolean
  readonly passkeyEnabled: boolean
  readonly clientTeamCreationEnabled: boolean
  readonly clientUserDeletionEnabled: boolean
  readonly createTeamOnSignUp: boolean
  readonly allowUserApiKeys: boolean
  readonly allowTeamApiKeys: boolean
  readonly anonymousSignUpEnabled: boolean
  readonly domains: readonly { readonly domain: string; readonly handlerPath: string }[]
  /** The enabled providers; any other is off. */
  readonly oauthProviders: readonly OAuthProviderConfig[]
  readonly oauthAccountMergeStrategy: 'link_method' | 'raise_error' | 'allow_duplicates'
  readonly emailConfig: EmailConfig
  readonly emailTheme: 'default-light' | 'default-dark'
  readonly teamCreatorDefaultPermissions: readonly { readonly id: string }[]
  readonly teamMemberDefaultPermissions: readonly { readonly id: string }[]
  readonly userDefaultPermissions: readonly { readonly id: string }[]
  // The settings below have an effect on the newer wire only.
  /** Off: apps need no publishable key. */
  readonly requirePublishableClientKey: boolean
  /** A user whose primary e-mail address is not verified is restricted. */
  readonly requireEmailVerification: boolean
  /** The first matching rule that does not only log decides about a sign-up. */
  readonly signUpRules: readonly SignUpRule[]
  /** Decides where no rule does. */
  readonly signUpRulesDefaultAction: 'allow' | 'reject'
  /** The bot challenge token that a sign-up has to send; null: none. */
  readonly botChallengeToken: string | null
}

/**
 * A rule for sign-ups: with one e-mail domain, under a condition, or all. 'restrict' marks the user as restricted by an
 * administrator; 'log' only counts the sign-up.
 *
 * @example
 * const rule: SignUpRule = { emailDomain: 'example.org', action: 'reject', message: 'Ask your administrator.' }
 * const other: SignUpRule = { condition: 'countryCode in ["AQ"]', action: 'restrict' }
 * const platform = createPlatform({ wire: '2026', seed: { project: { config: { signUpRules: [rule, other] } } } })
 */
export interface SignUpRule {
  /** Letters, digits, `_` and `-`; no two rules have the same. Default: by its place in the list. */
  readonly id?: string
  readonly displayName?: string
  /** Default true. */
  readonly enabled?: boolean
  /** Rules with a higher one are tried first. Default: the order of the list. */
  readonly priority?: number
  readonly emailDomain?: string
  /** CEL text, such as `emailDomain == "example.org" && authMethod != "oauth"`. Default: every sign-up. */
  readonly condition?: string
  readonly action: 'allow' | 'reject' | 'restrict' | 'log'
  /** The message to a rejected user. */
  readonly message?: string
}

/**
 * 'shared': uses the platform's own keys at the provider. 'standard': uses the project's keys. 'custom_oidc': the project's own
 * provider, with an id that its owner chooses; of the newer wire only. The local platform plays it, and never asks the issuer.
 */
export interface OAuthProviderConfig {
  readonly id: string
  readonly type: 'shared' | 'standard' | 'custom_oidc'
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly facebookConfigId?: string | undefined
  readonly microsoftTenantId?: string | undefined
  // The fields below are of the newer wire only.
  readonly appleBundleIds?: readonly string[] | undefined
  /** The provider, if the id is another name for it. */
  readonly provider?: string | undefined
  /** Whether the provider signs users in. Default true. */
  readonly allowSignIn?: boolean | undefined
  /** Whether users can connect accounts for the app to act with. Default true. */
  readonly allowConnectedAccounts?: boolean | undefined
  // Of type 'custom_oidc'.
  readonly issuerUrl?: string | undefined
  readonly scope?: string | undefined
  readonly displayName?: string | undefined
}

/** 'shared': the platform's own mail server. */
export interface EmailConfig {
  readonly type: 'shared' | 'standard'
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly senderName?: string | undefined
  readonly senderEmail?: string | undefined
}

/** Checks the settings in an imported file. The types above are not inferred from it, since they are public. */
export const projectConfig: v.GenericSchema<unknown, ProjectConfig> = v.object({
  allowLocalhost: v.boolean(),
  signUpEnabled: v.boolean(),
  credentialEnabled: v.boolean(),
  magicLinkEnabled: v.boolean(),
  passkeyEnabled: v.boolean(),
  clientTeamCreationEnabled: v.boolean(),
  clientUserDeletionEnabled: v.boolean(),
  createTeamOnSignUp: v.boolean(),
  allowUserApiKeys: v.boolean(),
  allowTeamApiKeys: v.boolean(),
  anonymousSignUpEnabled: v.boolean(),
  domains: v.array(v.object({ domain: v.string(), handlerPath: v.string() })),
  oauthProviders: v.array(
    v.object({
      id: v.string(),
      type: v.picklist(['shared', 'standard', 'custom_oidc']),
      clientId: v.optional(v.string()),
      clientSecret: v.optional(v.string()),
      facebookConfigId: v.optional(v.string()),
      microsoftTenantId: v.optional(v.string()),
      appleBundleIds: v.optional(v.array(v.string())),
      provider: v.optional(v.string()),
      allowSignIn: v.optional(v.boolean()),
      allowConnectedAccounts: v.optional(v.boolean()),
      issuerUrl: v.optional(v.string()),
      scope: v.optional(v.string()),
      displayName: v.optional(v.string()),
    }),
  ),
  oauthAccountMergeStrategy: v.picklist(['link_method', 'raise_error', 'allow_duplicates']),
  emailConfig: v.object({
    type: v.picklist(['shared', 'standard']),
    host: v.optional(v.string()),
    port: v.optional(v.number()),
    username: v.optional(v.string()),
    password: v.optional(v.string()),
    senderName: v.optional(v.string()),
    senderEmail: v.optional(v.string()),
  }),
  emailTheme: v.picklist(['default-light', 'default-dark']),
  teamCreatorDefaultPermissions: v.array(v.object({ id: v.string() })),
  teamMemberDefaultPermissions: v.array(v.object({ id: v.string() })),
  userDefaultPermissions: v.array(v.object({ id: v.string() })),
  requirePublishableClientKey: v.boolean(),
  requireEmailVerification: v.boolean(),
  signUpRules: v.array(
    v.object({
      id: v.exactOptional(v.string()),
      displayName: v.exactOptional(v.string()),
      enabled: v.exactOptional(v.boolean()),
      priority: v.exactOptional(v.number()),
      emailDomain: v.exactOptional(v.string()),
      condition: v.exactOptional(v.string()),
      action: v.picklist(['allow', 'reject', 'restrict', 'log']),
      message: v.exactOptional(v.string()),
    }),
  ),
  // Absent in exports of older versions.
  signUpRulesDefaultAction: v.optional(v.picklist(['allow', 'reject']), 'allow'),
  botChallengeToken: v.nullable(v.string()),
})

/** The settings of a new project. */
export const newProjectConfig: ProjectConfig = {
  allowLocalhost: true,
  signUpEnabled: true,
  credentialEnabled: true,
  magicLinkEnabled: false,
  passkeyEnabled: false,
  clientTeamCreationEnabled: false,
  clientUserDeletionEnabled: false,
  createTeamOnSignUp: false,
  allowUserApiKeys: false,
  allowTeamApiKeys: false,
  anonymousSignUpEnabled: false,
  domains: [],
  oauthProviders: [],
  oauthAccountMergeStrategy: 'link_method',
  emailConfig: { type: 'shared' },
  emailTheme: 'default-light',
  teamCreatorDefaultPermissions: [{ id: 'team_admin' }],
  teamMemberDefaultPermissions: [{ id: 'team_member' }],
  userDefaultPermissions: [],
  requirePublishableClientKey: false,
  requireEmailVerification: false,
  signUpRules: [],
  signUpRulesDefaultAction: 'allow',
  botChallengeToken: null,
}

/** Every supported provider. */
export const providerIds = [
  'google',
  'github',
  'microsoft',
  'spotify',
  'facebook',
  'discord',
  'gitlab',
  'bitbucket',
  'linkedin',
  'apple',
  'x',
] as const

/** The project's configuration of an enabled provider. */
export function providerConfig({ oauthProviders }: ProjectConfig, id: string): OAuthProviderConfig | undefined {
  return oauthProviders.find(provider => provider.id === id)
}

/** The kind of provider that the id names. */
export function providerTypeOf(config: ProjectConfig, id: string): string {
  const { type, provider = id } = providerConfig(config, id) ?? {}
  return type === 'custom_oidc' ? type : provider
}

/** The public list of the providers that sign users in, sorted. */
export function enabledProviders({ oauthProviders }: ProjectConfig): { id: string }[] {
  return oauthProviders
    .filter(({ allowSignIn = true }) => allowSignIn)
    .map(({ id }) => ({ id }))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}
