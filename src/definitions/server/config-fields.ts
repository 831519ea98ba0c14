import * as v from 'valibot'
import { isRecord } from '../../core/is-record'
import type { Shape } from '../../core/wire'
import { invalidInput } from '../../errors/auth-error'
import type { Target } from '../../store/definition'
import { allOf } from '../../store/groups'
import { projectPermissions$, teamPermissions$ } from '../client/permissions'
import { project$ } from '../client/project'
import { configWritten } from './config-written'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions'
import { changedUser } from './stale'

/**
 * What one level of a project says: values by path, such as `{ 'auth.allowSignUp': false }`, or objects within each other.
 * Null takes away what lower levels say.
 *
 * @example
 * const changes: ConfigOverride = { 'auth.otp.allowSignIn': true, 'domains.trustedDomains.old': null }
 * await updateProjectConfig(admin, { changes })
 */
export type ConfigOverride = Readonly<Record<string, unknown>>

const text = v.object({ configString: v.pipe(v.string(), v.parseJson(), v.custom<ConfigOverride>(isRecord)) })

/** An answer with a configuration as JSON text. */
export const ConfigText: Shape<ConfigOverride> = v.pipe(
  text,
  v.transform(({ configString }) => configString),
)

/** The configuration as the text of a request. Throws INVALID_INPUT for what is no object. */
export function toConfigText(field: string, config: ConfigOverride): string {
  if (!isRecord(config)) throw invalidInput(field, 'must be an object')
  return JSON.stringify(config)
}

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
