import { topic } from '../../store/source'
import * as v from 'valibot'
import { isRecord } from '../../core/values'
import type { Shape } from '../../core/wire'
import type { Target } from '../../store/definition'
import { allOf } from '../../store/definition'
import { projectPermissions$, teamPermissions$ } from '../permissions/client'
import { project$ } from '../projects/client'
import { projectPermissionsOf$, teamPermissionsOf$ } from '../permissions/server'
import { changedUser } from '../server-touched'

/** A change of the configuration. Stores of admins follow it, which a server cannot name. */
export const configWritten = topic('configuration written')

/**
 * What one level of a project says: values by dotted path, such as `{ 'auth.allowSignUp': false }`, or objects within each
 * other. Null hides what lower levels say. `BranchOverride`, `EnvironmentOverride` and `ProjectOverride` are what a level takes.
 *
 * @example
 * const pathsOf = (override: ConfigOverride) => Object.keys(override)
 * pathsOf(await branchConfigOverride$(server).get())
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
