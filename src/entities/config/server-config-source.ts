import * as v from 'valibot'
import type { Shape } from '../../core/wire'

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
