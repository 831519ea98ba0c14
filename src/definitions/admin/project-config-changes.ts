import * as v from 'valibot'
import { invalidInput } from '../../errors/auth-error'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { changedConfig, toConfigText } from '../server/config-fields'
import type { ConfigOverride } from '../server/config-fields'
import { ConfigSource } from '../server/config-source'
import { refreshOwnersProjects } from './owner'
import { projectConfigSource$ } from './project-config'
import type { ConfigLevel } from './project-config'

const notOnPlatform = lacking(404)

/** Every setting may be another one, in this kit and in that of the owner. */
const effects = { refreshes: changedConfig, settled: refreshOwnersProjects }

interface Changes {
  /** Default 'environment', which overrides the others. */
  readonly level?: ConfigLevel
  readonly changes: ConfigOverride
}

/**
 * Changes the override of a level; keys left out stay, null takes away what this level and those below it say. A key is a path
 * with dots, or an object of further keys; an entry such as `auth.signUpRules.spam` is replaced as a whole.
 *
 * Throws REQUEST_FAILED with status 400 and the platform's text for a key or a value that is not valid.
 *
 * @example
 * await updateProjectConfig(admin, {
 *   changes: {
 *     'auth.password.allowSignIn': false,
 *     'auth.signUpRules.spam': { enabled: true, condition: 'emailDomain == "example.org"', action: { type: 'reject' } },
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
      configOverrideString: toConfigText('changes', changes),
    }),
    ...effects,
  },
)

type Replacement =
  | { readonly level: 'project' | 'environment'; readonly config: ConfigOverride; readonly source?: ConfigSource }
  | { readonly level: 'branch'; readonly config: ConfigOverride; readonly source: ConfigSource }

/**
 * Replaces the override of a level: what `config` leaves out, this level no longer says. That of the branch needs a `source`.
 * Refusals as in `updateProjectConfig`.
 *
 * Throws INVALID_INPUT, before a request, for the branch without a source.
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
      return { level, configString: toConfigText('config', config), source }
    },
    ...effects,
  },
)

interface Reset {
  readonly level: 'branch' | 'environment'
  readonly keys: string[]
}

/**
 * Takes keys, with all below them, out of the override of a level, so that lower levels decide.
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
