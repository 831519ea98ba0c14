import * as v from 'valibot'
import { invalidInput } from '../../errors/auth-error'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { changedConfig, changesNothing } from './server-written'
import { changesOf, settingsOf } from './server-levels'
import type { BranchOverride, EnvironmentOverride, ProjectOverride } from './server-levels'
import { ConfigSource } from './server'
import { refreshOwnersProjects } from '../projects/admin-owner'
import { projectConfigSource$ } from './admin'

const notOnPlatform = lacking(404)

/** A write may change any setting, in this kit and in the owner's. */
const effects = { refreshes: changedConfig, settled: refreshOwnersProjects }

/** Default level: 'environment', which overrides the others. */
type Changes =
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
export const updateProjectConfig = mutation(
  endpoint('PATCH /internal/config/override/{level}', {
    access: 'admin',
    body: { configOverrideString: v.string() },
    notOnPlatform,
  }),
  {
    prepare: (_: Kit<'admin'>, { level = 'environment', changes }: Changes) => ({
      level,
      configOverrideString: JSON.stringify(changesOf('changes', level, changes)),
    }),
    changesNothing,
    ...effects,
  },
)

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
export const replaceProjectConfig = mutation(
  endpoint('PUT /internal/config/override/{level}', {
    access: 'admin',
    body: { configString: v.string(), source: v.optional(ConfigSource) },
    notOnPlatform,
  }),
  {
    prepare(_: Kit<'admin'>, { level, config, source }: Replacement) {
      if (level === 'branch' && !source) throw invalidInput('source', 'is missing for the level branch')
      return { level, configString: JSON.stringify(settingsOf('config', level, config)), source }
    },
    ...effects,
  },
)

interface Reset {
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
export const resetProjectConfigKeys = mutation(
  endpoint('POST /internal/config/override/{level}/reset-keys', {
    access: 'admin',
    body: { keys: v.array(v.string()) },
    notOnPlatform,
  }),
  { prepare: (_: Kit<'admin'>, input: Reset) => input, ...effects },
)

/**
 * Ends the link of the branch to a file in a repository; its override stays.
 *
 * @example
 * await unlinkProjectConfigSource(admin)
 */
export const unlinkProjectConfigSource = mutation(
  endpoint('DELETE /internal/config/source', { access: 'admin', notOnPlatform }),
  { refreshes: () => [projectConfigSource$] },
)
