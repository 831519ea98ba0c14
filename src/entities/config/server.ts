import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { ownQuery } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { changedConfig, changesNothing, ConfigText, configWritten } from './server-written'
import { changesOf, settingsOf } from './server-levels'
import type { BranchOverride } from './server-levels'

/**
 * Where the configuration of a branch comes from. 'unlinked': from no file, so that owners may change it by hand.
 *
 * @example
 * const source: ConfigSource = {
 *   type: 'pushed-from-github',
 *   owner: 'example',
 *   repo: 'shop',
 *   branch: 'main',
 *   commitHash: '4a1b0c2',
 *   configFilePath: 'rxauth.project.json',
 * }
 * await replaceProjectConfig(admin, { level: 'branch', config: { auth: { allowSignUp: false } }, source })
 */
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
export const branchConfigOverride$ = ownQuery(
  endpoint('GET /internal/config/override/branch', {
    access: 'server',
    returns: ConfigText as Shape<BranchOverride>,
    notOnPlatform: lacking(404),
  }),
  {},
  { follows: [configWritten] },
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
