import * as v from 'valibot'
import { AuthError } from '../../errors/auth-error'
import { adminProjectChanges } from './shape-admin-project-fields'
import { completeProjectConfig } from './shape-complete-project-config'
import { OwnedProject } from './client-owned-projects'
import { project$ } from './client-project'
import { configWritten } from '../config/server-config-written'
import { users$ } from '../users/server'
import { evictAll } from '../../store/session'
import type { Kit } from '../../store/kit'
import { mutation, patch } from '../../store/write/mutation'
import { allOf } from '../../store/definition'
import { query } from '../../store/query'
import { endpoint, withFields } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { refreshOwnersProjects } from './admin-owner'

/**
 * The project of this kit with its whole configuration, including secrets.
 *
 * @example
 * const { config } = await admin.adminProject$.get()
 */
export const adminProject$ = query(
  endpoint('GET /internal/projects/current', { access: 'admin', returns: OwnedProject }),
  // It contains the number of users.
  { '~follows': [users$, allOf('users', {}), configWritten] },
)

const fields = withFields(adminProjectChanges, { displayName: v.optional(v.string()) })

/**
 * The changes of a project; each list and `emailConfig` are replaced as a whole.
 *
 * @example
 * const changes: ProjectChanges = { config: { signUpEnabled: false } }
 * await admin.updateProject(changes)
 */
export interface ProjectChanges extends v.InferInput<v.ObjectSchema<typeof fields, undefined>> {}

/**
 * Changes the project; fields left out stay.
 *
 * Throws INVALID_INPUT, before a request, for a provider or a mail server of type 'standard' without one of its fields, for a
 * `senderEmail` that is no e-mail address, and for a domain that is no URL: `details.field` is `config.emailConfig.host`,
 * `config.oauthProviders.0.clientId` and the like. Throws NOT_ON_THIS_PLATFORM for a logo and for `onboardingStatus` on release
 * 2.8.18, which has none.
 *
 * @example
 * await admin.updateProject({ displayName: 'My app', config: { magicLinkEnabled: true } })
 */
export const updateProject = mutation(
  endpoint('PATCH /internal/projects/current', {
    access: 'admin',
    body: fields,
    returns: OwnedProject,
    notOnPlatform: lacking(),
  }),
  {
    prepare: complete,
    refreshes: () => [adminProject$, project$],
    optimistic: changes => [patch(adminProject$, {}, project => changed(project, changes))],
    writes: (_, project) => [patch(adminProject$, {}, () => project)],
    settled: refreshOwnersProjects,
  },
)

/**
 * Deletes the project and all its data permanently. The stores of this kit are then empty and fail, as do all other calls:
 * the platform refuses every request for the project.
 *
 * @example
 * await admin.deleteProject()
 */
export const deleteProject = mutation(endpoint('DELETE /internal/projects/current', { access: 'admin' }), {
  refreshes: () => [],
  settled(kit) {
    evictAll(kit, new AuthError('DISPOSED', 'the project has been deleted'))
    return refreshOwnersProjects(kit)
  },
})

async function complete(kit: Kit<'admin'>, changes: ProjectChanges): Promise<ProjectChanges> {
  const config = completeProjectConfig(changes.config ?? {})
  // The platform allows localhost again if a change leaves it out, even in production.
  const allowLocalhost = config.allowLocalhost ?? (await adminProject$(kit).refresh()).config.allowLocalhost
  return { ...changes, config: { ...config, allowLocalhost } }
}

function changed(project: OwnedProject, { description, config = {}, ...others }: ProjectChanges) {
  return {
    ...project,
    ...given(others),
    ...(description !== undefined && { description: description ?? '' }),
    config: {
      ...project.config,
      ...given(config),
      ...(config.oauthProviders && { enabledOauthProviders: config.oauthProviders.map(({ id }) => ({ id })) }),
    },
  }
}

/** The fields that a change names. */
function given<T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never
}
