import * as v from 'valibot'
import { isRecord } from '../../core/values'
import type { ConfigLevel } from '../../entities/config/shape'
import { flatFields, newSettings } from '../../entities/config/shape-derive'
import { table, type RowOf } from '../data/table'

/** The project's settings. */
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
  // Fields of the type 'custom_oidc'.
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

/** The settings that the hosted platform does not have. */
const localFields = { anonymousSignUpEnabled: v.boolean(), botChallengeToken: v.nullable(v.string()) }

/** Every setting, by its schema. */
export const configFields = { ...flatFields(), ...localFields }

export const newProjectConfig: ProjectConfig = {
  ...newSettings(),
  anonymousSignUpEnabled: false,
  botChallengeToken: null,
}

type DefaultPermissions = ProjectConfig['userDefaultPermissions']

/** The settings with other default permissions. */
export function withDefaults(
  config: ProjectConfig,
  change: (defaults: DefaultPermissions, scope: 'team' | 'project') => DefaultPermissions,
): ProjectConfig {
  return {
    ...config,
    userDefaultPermissions: change(config.userDefaultPermissions, 'project'),
    teamCreatorDefaultPermissions: change(config.teamCreatorDefaultPermissions, 'team'),
    teamMemberDefaultPermissions: change(config.teamMemberDefaultPermissions, 'team'),
  }
}

const levels: Readonly<Record<ConfigLevel, true>> = { project: true, branch: true, environment: true }
export const configLevels = Object.keys(levels) as ConfigLevel[]

/**
 * Values by path: `{ 'auth.allowSignUp': false, 'auth.signUpRules.spam': { … } }`. A path leads to one setting, to an entry of
 * a record, or to a setting within that entry. Null hides what lower levels say.
 */
const configOverride = v.record(v.string(), v.unknown())
export type StoredOverride = Readonly<v.InferOutput<typeof configOverride>>

/** The configuration of a project: the override of each level as it was written, and the settings of the local platform alone. */
export type StoredConfig = Readonly<Record<ConfigLevel, StoredOverride>> & {
  readonly local: Readonly<v.InferOutput<v.ObjectSchema<typeof localFields, undefined>>>
}

const storedConfig = v.object({ ...v.entriesFromList(configLevels, configOverride), local: v.object(localFields) })
const olderConfig = v.partial(v.object(configFields))

/** Whether the configuration is the flat form that older versions stored, which `upgraded` translates. */
export function isOlder(config: unknown): config is Partial<ProjectConfig> {
  return isRecord(config) && !('local' in config)
}

/** The fields of an override of the branch that was pushed from a repository. */
export const pushedFields = ['owner', 'repo', 'branch', 'commitHash', 'configFilePath'] as const

export const projects = table({
  columns: {
    displayName: v.string(),
    description: v.string(),
    isProductionMode: v.boolean(),
    createdAt: v.number(),
    config: v.lazy(given => (isOlder(given) ? olderConfig : storedConfig) as v.GenericSchema<unknown, StoredConfig>),
    // Fields of the newer release only; absent until an owner sets them.
    ownerTeamId: v.exactOptional(v.string()),
    onboardingStatus: v.exactOptional(v.string()),
    isDevelopmentEnvironment: v.exactOptional(v.boolean()),
    logoUrl: v.exactOptional(v.nullable(v.string())),
    logoFullUrl: v.exactOptional(v.nullable(v.string())),
    logoDarkModeUrl: v.exactOptional(v.nullable(v.string())),
    logoFullDarkModeUrl: v.exactOptional(v.nullable(v.string())),
    /** The colour of its mails, if a seed sets one; the hosted platform has no such field. */
    color: v.exactOptional(v.nullable(v.string())),
    /** The origin of the override of the branch. Absent: unlinked. */
    configSource: v.exactOptional(
      v.object({
        type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
        ...v.entriesFromList([...pushedFields, 'workflowPath'], v.exactOptional(v.string())),
      }),
    ),
    /** The end of the last time in which mails may be sent faster. */
    emailBoostEndsAt: v.exactOptional(v.number()),
  },
})
export interface ProjectRow extends RowOf<typeof projects> {}
export type StoredConfigSource = NonNullable<ProjectRow['configSource']>

/** How often the sign-up rules have matched; the id is the rule's. */
export const signUpRuleCounts = table({
  columns: {
    count: v.number(),
    lastAt: v.number(),
    /** How often in each hour of the last days. */
    hours: v.exactOptional(v.array(v.object({ hour: v.number(), count: v.number() }))),
  },
})

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

export function providerConfig({ oauthProviders }: ProjectConfig, id: string): OAuthProviderConfig | undefined {
  return oauthProviders.find(provider => provider.id === id)
}

/** The public list of the providers that sign users in, sorted. */
export function enabledProviders({ oauthProviders }: ProjectConfig): { id: string }[] {
  return oauthProviders
    .filter(({ allowSignIn = true }) => allowSignIn)
    .map(({ id }) => ({ id }))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}
