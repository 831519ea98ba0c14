import * as v from 'valibot'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/mutation'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { changedConfig, ConfigText, toConfigText } from './config-fields'
import type { ConfigOverride } from './config-fields'
import { ConfigSource } from './config-source'
import { configWritten } from './config-written'

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
    returns: ConfigText,
    notOnPlatform: lacking(404),
  }),
  { '~follows': [configWritten] },
)

interface Changes {
  readonly changes: ConfigOverride
}

/**
 * Changes the override of the branch; keys left out stay, null takes one away. Throws REQUEST_FAILED with status 400 and the
 * platform's text for a key or a value that is not valid.
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
    prepare: (_: Kit<'server'>, { changes }: Changes) => ({ configOverrideString: toConfigText('changes', changes) }),
    refreshes: changedConfig,
  },
)

interface Replacement {
  readonly config: ConfigOverride
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
      configString: toConfigText('config', config),
      source,
    }),
    refreshes: changedConfig,
  },
)
