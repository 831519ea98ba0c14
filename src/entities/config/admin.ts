import { jsonText } from '../../core/values'
import * as v from 'valibot'
import { adminStore, adminWrite, lacking, type Kit, type Shape } from '../declare'
import { invalidInput } from '../../errors/auth-error'
import type { Query } from '../../store/definition'
import type { Store } from '../../store/store'
import { projectPermissionDefinitions$, teamPermissionDefinitions$ } from '../permission-definitions/admin'
import { adminProject$, refreshOwnersProjects } from '../projects/admin'
import { changedConfig, changesNothing, ConfigSource, ConfigText, configWritten } from './server'
import type { BranchOverride, ConfigOverride, EnvironmentOverride, OverrideOf, ProjectOverride } from './server'
import { config, type ConfigLevel } from './shape'
import { changesOf, renderedSchema, settingsOf } from './shape-derive'

export type { ConfigLevel } from './shape'
export { ConfigSource } from './server'
export type { BranchOverride, ConfigOverride, EnvironmentOverride, ProjectOverride } from './server'

const rendered = renderedSchema(config)

/**
 * The whole configuration of a project, with all defaults and the overrides of every level, and with the secrets of providers
 * and of the mail server. Sections that owners of users rarely need (`payments`, `apps` and others) are as the platform sends
 * them. A field that a release lacks is absent. The fields within `rbac`, `teams` and `emails.server` are those of configuration
 * files; the platform's documents name only the sections.
 */
export interface RenderedConfig extends v.InferOutput<typeof rendered> {}
export const RenderedConfig: Shape<RenderedConfig> = v.pipe(ConfigText, rendered)

const notOnPlatform = lacking(404)

// Changes of the project and of its permissions show in the configuration, those of the project in its environment.
const changes = [configWritten, adminProject$, teamPermissionDefinitions$, projectPermissionDefinitions$]

/**
 * The project's whole configuration: the defaults, then the overrides of project, branch and environment. Throws
 * NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls do.
 *
 * @example
 * const { auth, domains } = await projectConfig$(admin).get()
 * console.log(auth.password.allowSignIn, Object.keys(domains.trustedDomains))
 */
export const projectConfig$ = adminStore('GET /internal/config', {
  returns: RenderedConfig,
  notOnPlatform,
  follows: changes,
})

/** The type of `projectConfigOverride$`: the value of its store is what the level takes. */
export interface ConfigOverrideQuery extends Query<'admin', { level: ConfigLevel }, ConfigOverride> {
  <L extends ConfigLevel>(kit: Kit<'admin'>, args: { readonly level: L }): Store<OverrideOf[L]>
}

/**
 * The override of one level, as it was written: a key may be a path with dots.
 *
 * @example
 * const override = await projectConfigOverride$(admin, { level: 'environment' }).get()
 * console.log(Object.keys(override))
 */
export const projectConfigOverride$ = adminStore('GET /internal/config/override/{level}', {
  returns: ConfigText,
  notOnPlatform,
  follows: changes,
}) as ConfigOverrideQuery

const withSource = v.pipe(
  v.object({ source: ConfigSource }),
  v.transform(({ source }) => source),
)

/**
 * Where the override of the branch comes from.
 *
 * @example
 * const source = await projectConfigSource$(admin).get()
 * if (source.type === 'pushed-from-github') console.log(source.repo, source.commitHash)
 */
export const projectConfigSource$ = adminStore('GET /internal/config/source', {
  returns: withSource,
  notOnPlatform,
  follows: [configWritten],
})

/** A write may change any setting, in this kit and in the owner's. */
const effects = { refreshes: changedConfig, settled: refreshOwnersProjects }

/** Changes of one level, for `updateConfigOverride`. Default level: 'environment', which overrides the others. */
export type ConfigOverrideChanges =
  | { readonly level?: 'environment'; readonly changes: EnvironmentOverride }
  | { readonly level: 'branch'; readonly changes: BranchOverride }
  | { readonly level: 'project'; readonly changes: ProjectOverride }

/**
 * Changes the override of a level; settings that are left out stay. A key is a dotted path, or the name of an object of further
 * keys, which is sent as their paths. An entry, such as `auth.signUpRules.spam`, is replaced as a whole; a path below it changes
 * one of its fields. Null is stored and hides what lower levels say. Without a setting (`{}`, `{ auth: {} }`), nothing is sent.
 *
 * Throws INVALID_INPUT, before a request, for a setting of another level, an id with a dot, a provider without a type, a trusted
 * domain that is no URL, and a path together with one below it. Throws REQUEST_FAILED with status 400 and the platform's text for
 * what the platform refuses.
 *
 * @example
 * await updateProjectConfig(admin, {
 *   changes: {
 *     auth: { password: { allowSignIn: false } },
 *     'auth.signUpRules.spam': { enabled: true, condition: 'emailDomain == "example.org"', action: { type: 'reject' } },
 *     'auth.signUpRules.old.enabled': false,
 *     'domains.trustedDomains.old': null,
 *   },
 * })
 */
export const updateProjectConfig = adminWrite('PATCH /internal/config/override/{level}', {
  body: { configOverrideString: v.string() },
  notOnPlatform,
  prepare: (_: Kit<'admin'>, { level = 'environment', changes }: ConfigOverrideChanges) => ({
    level,
    configOverrideString: jsonText(changesOf('changes', level, changes)),
  }),
  changesNothing,
  ...effects,
})

type Replacement =
  | { readonly level: 'environment'; readonly config: EnvironmentOverride; readonly source?: ConfigSource }
  | { readonly level: 'branch'; readonly config: BranchOverride; readonly source: ConfigSource }
  | { readonly level: 'project'; readonly config: ProjectOverride; readonly source?: ConfigSource }

/**
 * Replaces the override of a level, which is stored as given: what `config` leaves out, this level no longer says. An object hides
 * all that lower levels say of its section; a dotted path hides only itself. The level `branch` needs a
 * `source`. For `environment` use `updateProjectConfig`: this level has all settings of a project made on the platform.
 *
 * Refusals as in `updateProjectConfig`, and INVALID_INPUT for `branch` without a source.
 *
 * @example
 * await replaceProjectConfig(admin, {
 *   level: 'branch',
 *   config: { auth: { allowSignUp: false } },
 *   source: { type: 'pushed-from-unknown' },
 * })
 */
export const replaceProjectConfig = adminWrite('PUT /internal/config/override/{level}', {
  body: { configString: v.string(), source: v.optional(ConfigSource) },
  notOnPlatform,
  prepare(_: Kit<'admin'>, { level, config, source }: Replacement) {
    if (level === 'branch' && !source) throw invalidInput('source', 'is missing for the level branch')
    return { level, configString: jsonText(settingsOf('config', level, config)), source }
  },
  ...effects,
})

/** The level and the keys that `resetProjectConfigKeys` resets. */
export interface ConfigReset {
  readonly level: 'branch' | 'environment'
  readonly keys: string[]
}

/**
 * Takes keys, with all below them, out of the override of a level, so that lower levels decide. Null in a change is stored, and hides
 * lower levels too.
 *
 * @example
 * await resetProjectConfigKeys(admin, { level: 'environment', keys: ['auth.signUpRules', 'auth.allowSignUp'] })
 */
export const resetProjectConfigKeys = adminWrite('POST /internal/config/override/{level}/reset-keys', {
  body: { keys: v.array(v.string()) },
  notOnPlatform,
  prepare: (_: Kit<'admin'>, input: ConfigReset) => input,
  ...effects,
})

/**
 * Ends the link of the branch to a file in a repository; its override stays.
 *
 * @example
 * await unlinkProjectConfigSource(admin)
 */
export const unlinkProjectConfigSource = adminWrite('DELETE /internal/config/source', {
  notOnPlatform,
  refreshes: () => [projectConfigSource$],
})
