import * as v from 'valibot'
import { allOf, lacking, serverStore, serverWrite, topic, type Kit, type Shape, type Target } from '../declare'
import { jsonText, isRecord } from '../../core/values'
import { projectPermissions$, teamPermissions$ } from '../permissions/client'
import { projectPermissionsOf$, teamPermissionsOf$ } from '../permissions/server'
import { project$ } from '../projects/client'
import { changedUser } from '../server-touched'
import { changesOf, settingsOf } from './shape-derive'

/** A change of the configuration. Stores of admins follow it, which a server cannot name. */
export const configWritten = topic('configuration written')

/**
 * The settings of one level of a project: values by dotted path, such as `{ 'auth.allowSignUp': false }`, or objects within each
 * other. Null hides what lower levels say. `BranchOverride`, `EnvironmentOverride` and `ProjectOverride` are what a level takes.
 */
export type ConfigOverride = Readonly<Record<string, unknown>>

const text = v.object({ configString: v.pipe(v.string(), v.parseJson(), v.custom<ConfigOverride>(isRecord)) })

/** An answer with a configuration as JSON text. */
export const ConfigText: Shape<ConfigOverride> = v.pipe(
  text,
  v.transform(({ configString }) => configString),
)

/** After a change of the configuration, which may be of any setting. */
export function changedConfig(): readonly Target[] {
  return [
    configWritten,
    project$,
    projectPermissions$,
    teamPermissions$,
    projectPermissionsOf$,
    teamPermissionsOf$,
    allOf('permission', {}),
    ...changedUser({}),
  ]
}

export function changesNothing({ configOverrideString }: { readonly configOverrideString: string }): boolean {
  return configOverrideString === '{}'
}

type OpenSettings = Readonly<Record<string, unknown>>
/** Settings without these names; names that are not listed pass, since later releases have more. */
type Without<Names extends string> = OpenSettings & { readonly [name in Names]?: never }
/** No dotted path to or below these. */
type NoPath<Paths extends string> = Without<Paths> & { readonly [path in `${Paths}.${string}`]: never }

type ProjectOnlyPart = 'project' | 'sourceOfTruth'
type Section = 'apiKeys' | 'apps' | 'auth' | 'emails' | 'onboarding' | 'payments' | 'rbac' | 'teams' | 'users'
type ProviderSetting =
  | 'isShared'
  | 'clientId'
  | 'clientSecret'
  | 'facebookConfigId'
  | 'microsoftTenantId'
  | 'appleBundles'
type OfEnvironment = 'customDashboards' | 'emails.server' | 'payments.testMode' | 'analytics.queryFolders'

interface AuthWithProviders<Provider> {
  readonly auth?: (OpenSettings & { readonly oauth?: (OpenSettings & Providers<Provider>) | null }) | null
}
interface Providers<Provider> {
  readonly providers?: Readonly<Record<string, (Provider & { readonly type: string }) | null>> | null
}

/** The settings of the level `project`: nothing but `project` and `sourceOfTruth`. */
export type ProjectOverride = NoPath<Section | 'domains' | 'dbSync' | 'dataVault' | 'analytics' | 'customDashboards'>

/**
 * The settings of the branch, by dotted paths or objects within each other: everything but domains, the mail server, secrets of
 * providers, and the settings of the level `project`. Names that this type does not know are sent as they are.
 */
export type BranchOverride = NoPath<ProjectOnlyPart | OfEnvironment> &
  AuthWithProviders<Without<ProviderSetting>> & {
    readonly domains?: Readonly<Record<string, never>>
    readonly emails?: Without<'server'> | null
    readonly payments?: Without<'testMode'> | null
    readonly analytics?: Without<'queryFolders'> | null
    readonly [path: `domains.${string}`]: never
    readonly [path: `auth.oauth.providers.${string}.${ProviderSetting}`]: never
  }

/** The settings of the environment, by dotted paths or objects within each other: all but those of the level `project`. */
export type EnvironmentOverride = Without<ProjectOnlyPart | 'project.requirePublishableClientKey'> &
  AuthWithProviders<OpenSettings>

/** The override of each level. */
export interface OverrideOf {
  readonly project: ProjectOverride
  readonly branch: BranchOverride
  readonly environment: EnvironmentOverride
}

/** Where the configuration of a branch comes from. 'unlinked': from no file, so that owners may change it by hand. */
export type ConfigSource =
  | {
      readonly type: 'pushed-from-github'
      readonly owner: string
      readonly repo: string
      readonly branch: string
      readonly commitHash: string
      readonly configFilePath: string
    }
  | { readonly type: 'pushed-from-unknown' }
  | { readonly type: 'unlinked' }

const optionalText = () => v.optional(v.string())

const configSource = v.object({
  type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
  owner: optionalText(),
  repo: optionalText(),
  branch: optionalText(),
  commitHash: optionalText(),
  configFilePath: optionalText(),
})
// An object, which the codec translates, in the place of a union, which it does not; the platform checks the fields.
export const ConfigSource = configSource as unknown as Shape<ConfigSource>

/**
 * The override of the branch, as it was written: what a server can read of the project's configuration. Throws
 * NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls do.
 *
 * @example
 * const override = await branchConfigOverride$(server).get()
 */
export const branchConfigOverride$ = serverStore('GET /internal/config/override/branch', {
  returns: ConfigText as Shape<BranchOverride>,
  notOnPlatform: lacking(404),
  follows: [configWritten],
})

/** Changes for `updateBranchConfig`. */
export interface BranchConfigChanges {
  readonly changes: BranchOverride
}

/**
 * Changes the override of the branch; settings that are left out stay, and null hides what the level `project` says. An object is
 * the settings in it; an entry, such as one rule, is replaced as a whole. Without a setting, nothing is sent.
 *
 * Throws INVALID_INPUT, before a request, for a setting of another level, an id with a dot, a provider without a type, and a path
 * together with one below it; REQUEST_FAILED with status 400 and the platform's text for what the platform refuses.
 *
 * @example
 * await updateBranchConfig(server, { changes: { 'auth.allowSignUp': false } })
 */
export const updateBranchConfig = serverWrite('PATCH /internal/config/override/branch', {
  body: { configOverrideString: v.string() },
  notOnPlatform: lacking(404),
  prepare: (_: Kit<'server'>, { changes }: BranchConfigChanges) => ({
    configOverrideString: jsonText(changesOf('changes', 'branch', changes)),
  }),
  changesNothing,
  refreshes: changedConfig,
})

/** The override that `replaceBranchConfig` stores, and its source. */
export interface BranchConfigReplacement {
  readonly config: BranchOverride
  readonly source: ConfigSource
}

/**
 * Replaces the override of the branch, and says where it comes from. Refusals as in `updateBranchConfig`.
 *
 * @example
 * await replaceBranchConfig(server, { config: { auth: { allowSignUp: false } }, source: { type: 'pushed-from-unknown' } })
 */
export const replaceBranchConfig = serverWrite('PUT /internal/config/override/branch', {
  body: { configString: v.string(), source: ConfigSource },
  notOnPlatform: lacking(404),
  prepare: (_: Kit<'server'>, { config, source }: BranchConfigReplacement) => ({
    configString: jsonText(settingsOf('config', 'branch', config)),
    source,
  }),
  refreshes: changedConfig,
})
