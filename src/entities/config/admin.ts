import * as v from 'valibot'
import type { Query } from '../../store/definition'
import type { Kit } from '../../store/kit'
import { ownQuery } from '../../store/query'
import type { Store } from '../../store/store'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { ConfigText, configWritten } from './server-written'
import type { ConfigOverride } from './server-written'
import type { ConfigLevel, OverrideOf } from './server-levels'
import { ConfigSource } from './server'
import { projectPermissionDefinitions$, teamPermissionDefinitions$ } from '../permission-definitions/admin'
import { adminProject$ } from '../projects/admin'
import { RenderedConfig } from './admin-rendered'

export { RenderedConfig } from './admin-rendered'
export { ConfigSource } from './server'
export type { ConfigOverride } from './server-written'
export type { BranchOverride, ConfigLevel, EnvironmentOverride, ProjectOverride } from './server-levels'

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
export const projectConfig$ = ownQuery(
  endpoint('GET /internal/config', { access: 'admin', returns: RenderedConfig, notOnPlatform }),
  {},
  { follows: changes },
)

/**
 * The type of `projectConfigOverride$`: the value of its store is what the level takes.
 *
 * @example
 * const overrides: ConfigOverrideQuery = projectConfigOverride$
 * const changes: EnvironmentOverride = await overrides(admin, { level: 'environment' }).get()
 */
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
export const projectConfigOverride$ = ownQuery(
  endpoint('GET /internal/config/override/{level}', { access: 'admin', returns: ConfigText, notOnPlatform }),
  {},
  { follows: changes },
  // The level of the arguments is that of the answer, which a declaration cannot say.
) as ConfigOverrideQuery

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
export const projectConfigSource$ = ownQuery(
  endpoint('GET /internal/config/source', { access: 'admin', returns: withSource, notOnPlatform }),
  {},
  { follows: [configWritten] },
)
