import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { changedConfig, changesNothing, ConfigText } from './server-config-fields'
import { changesOf, settingsOf } from './server-levels'
import type { BranchOverride } from './server-levels'
import { ConfigSource } from './server-config-source'
import { configWritten } from './server-config-written'

/**
 * The override of the branch, as it was written: what a server can read of the project's configuration. Throws
 * NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls do.
 *
 * @example
 * const override = await branchConfigOverride$(server).get()
 */
export const branchConfigOverride$ = query(
  endpoint('GET /internal/config/override/branch', {
    access: 'server',
    returns: ConfigText as Shape<BranchOverride>,
    notOnPlatform: lacking(404),
  }),
  { '~follows': [configWritten] },
)

interface Changes {
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
export const updateBranchConfig = mutation(
  endpoint('PATCH /internal/config/override/branch', {
    access: 'server',
    body: { configOverrideString: v.string() },
    notOnPlatform: lacking(404),
  }),
  {
    prepare: (_: Kit<'server'>, { changes }: Changes) => ({
      configOverrideString: JSON.stringify(changesOf('changes', 'branch', changes)),
    }),
    changesNothing,
    refreshes: changedConfig,
  },
)

interface Replacement {
  readonly config: BranchOverride
  readonly source: ConfigSource
}

/**
 * Replaces the override of the branch, and says where it comes from. Refusals as in `updateBranchConfig`.
 *
 * @example
 * await replaceBranchConfig(server, { config: { auth: { allowSignUp: false } }, source: { type: 'pushed-from-unknown' } })
 */
export const replaceBranchConfig = mutation(
  endpoint('PUT /internal/config/override/branch', {
    access: 'server',
    body: { configString: v.string(), source: ConfigSource },
    notOnPlatform: lacking(404),
  }),
  {
    prepare: (_: Kit<'server'>, { config, source }: Replacement) => ({
      configString: JSON.stringify(settingsOf('config', 'branch', config)),
      source,
    }),
    refreshes: changedConfig,
  },
)
