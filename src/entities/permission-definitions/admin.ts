import * as v from 'valibot'
import { adminStore, adminWrite, allOf, items, patch, type Kit, type Shape } from '../declare'
import { projectPermissions$ } from '../permissions/client'
import { configWritten } from '../config/server'
import { projectPermissionsOf$, teamPermissionsOf$ } from '../permissions/server'
import type { Store } from '../../store/store'
import { withChanged, withDefinition, withNew, withOwnChanged, withoutDefinition, withoutOwn } from './shape'
import { adminProject$ } from '../projects/admin'
import { doneBefore } from '../rows'

const permissionDefinition = v.object({
  // Plain text: an admin creates permissions that the app's own type does not contain yet.
  id: v.string(),
  description: v.optional(v.nullable(v.string()), null),
  containedPermissionIds: v.array(v.string()),
})

/** A permission of the project; `containedPermissionIds` are those that it contains directly, sorted. */
export interface PermissionDefinition extends v.InferOutput<typeof permissionDefinition> {}
export const PermissionDefinition: Shape<PermissionDefinition> = permissionDefinition

const newDefinition = {
  id: v.string(),
  description: v.optional(v.string()),
  containedPermissionIds: v.optional(v.array(v.string())),
}
const changes = {
  id: v.optional(v.string()),
  description: v.optional(v.string()),
  containedPermissionIds: v.optional(v.array(v.string())),
}

/** Both scopes share one namespace of ids. */
const failsToCreate = ['PERMISSION_ID_ALREADY_EXISTS', 'CONTAINED_PERMISSION_NOT_FOUND'] as const
const failsToUpdate = [
  'PERMISSION_NOT_FOUND',
  'PERMISSION_ID_ALREADY_EXISTS',
  'CONTAINED_PERMISSION_NOT_FOUND',
] as const

/**
 * The team permissions of this project, including the six system ones, sorted by id: system ones first.
 *
 * @example
 * const definitions = await admin.teamPermissionDefinitions$.get()
 */
export const teamPermissionDefinitions$ = adminStore('GET /team-permission-definitions', {
  returns: items(PermissionDefinition),
  follows: [configWritten],
})

/**
 * The permissions in the whole project, sorted by id.
 *
 * @example
 * const definitions = await admin.projectPermissionDefinitions$.get()
 */
export const projectPermissionDefinitions$ = adminStore('GET /project-permission-definitions', {
  returns: items(PermissionDefinition),
  follows: [configWritten],
})

/** Members' permissions depend on the definitions, and so does what the platform shows to members. */
const inTeams = () => [teamPermissionDefinitions$, teamPermissionsOf$, allOf('permission', {})]
const inProject = (permissionId: string) => [
  projectPermissionDefinitions$,
  projectPermissionsOf$,
  projectPermissions$,
  allOf('permission', { permissionId }),
]

/**
 * Defines a team permission. Its id has lower-case letters, digits, `_` and `:`; it may contain system permissions.
 *
 * @example
 * const result = await admin.createTeamPermissionDefinition({ id: 'write', containedPermissionIds: ['$read_members'] })
 */
export const createTeamPermissionDefinition = adminWrite('POST /team-permission-definitions', {
  body: newDefinition,
  returns: PermissionDefinition,
  fails: failsToCreate,
  refreshes: inTeams,
  optimistic: input => [patch(teamPermissionDefinitions$, {}, all => withNew(all, asDefined(input)))],
  writes: (_, created) => [patch(teamPermissionDefinitions$, {}, all => withDefinition(all, created))],
})

/**
 * Defines a permission in the whole project. It may contain other such permissions, but no team permissions.
 *
 * @example
 * const result = await admin.createProjectPermissionDefinition({ id: 'billing', description: 'Sees invoices' })
 */
export const createProjectPermissionDefinition = adminWrite('POST /project-permission-definitions', {
  body: newDefinition,
  returns: PermissionDefinition,
  fails: failsToCreate,
  refreshes: ({ id }) => inProject(id),
  optimistic: input => [patch(projectPermissionDefinitions$, {}, all => withNew(all, asDefined(input)))],
  writes: (_, created) => [patch(projectPermissionDefinitions$, {}, all => withDefinition(all, created))],
})

interface One {
  readonly permissionId: string
}

/** Changes of a definition; fields left out stay. */
export interface PermissionDefinitionChanges extends One {
  /** A new id, also in grants and in permissions that contain it. */
  readonly id?: string
  /** Null: none. */
  readonly description?: string | null
  /** Replaces all contained permissions. */
  readonly containedPermissionIds?: string[]
}

/**
 * Changes a team permission; fields left out stay. System permissions cannot be changed.
 *
 * @example
 * await admin.updateTeamPermissionDefinition({ permissionId: 'write', description: 'May write' })
 */
export const updateTeamPermissionDefinition = adminWrite('PATCH /team-permission-definitions/{permissionId}', {
  body: changes,
  returns: PermissionDefinition,
  fails: failsToUpdate,
  prepare: (kit: Kit<'admin'>, input: PermissionDefinitionChanges) => complete(teamPermissionDefinitions$(kit), input),
  refreshes: () => [...inTeams(), adminProject$],
  optimistic: ({ permissionId, id = permissionId, ...change }) => [
    patch(teamPermissionDefinitions$, {}, all => withOwnChanged(all, permissionId, asDefined({ id, ...change }))),
  ],
  writes: ({ permissionId }, changed) => [
    patch(teamPermissionDefinitions$, {}, all => withChanged(all, permissionId, changed)),
  ],
})

/**
 * Changes a permission in the whole project; fields left out stay.
 *
 * @example
 * await admin.updateProjectPermissionDefinition({ permissionId: 'billing', description: 'Pays invoices' })
 */
export const updateProjectPermissionDefinition = adminWrite('PATCH /project-permission-definitions/{permissionId}', {
  body: changes,
  returns: PermissionDefinition,
  fails: failsToUpdate,
  prepare: (kit: Kit<'admin'>, input: PermissionDefinitionChanges) =>
    complete(projectPermissionDefinitions$(kit), input),
  refreshes: ({ permissionId }) => [...inProject(permissionId), adminProject$],
  optimistic: ({ permissionId, id = permissionId, ...change }) => [
    patch(projectPermissionDefinitions$, {}, all => withOwnChanged(all, permissionId, asDefined({ id, ...change }))),
  ],
  writes: ({ permissionId }, changed) => [
    patch(projectPermissionDefinitions$, {}, all => withChanged(all, permissionId, changed)),
  ],
})

/**
 * Deletes a team permission, its grants, and its place in permissions that contain it.
 *
 * @example
 * await admin.deleteTeamPermissionDefinition({ permissionId: 'write' })
 */
export const deleteTeamPermissionDefinition = adminWrite('DELETE /team-permission-definitions/{permissionId}', {
  fails: ['PERMISSION_NOT_FOUND'],
  done: doneBefore('PERMISSION_NOT_FOUND'),
  refreshes: () => [...inTeams(), adminProject$],
  optimistic: ({ permissionId }) => [patch(teamPermissionDefinitions$, {}, all => withoutOwn(all, permissionId))],
  writes: ({ permissionId }) => [patch(teamPermissionDefinitions$, {}, all => withoutDefinition(all, permissionId))],
})

/**
 * Deletes a permission in the whole project, its grants, and its place in permissions that contain it.
 *
 * @example
 * await admin.deleteProjectPermissionDefinition({ permissionId: 'billing' })
 */
export const deleteProjectPermissionDefinition = adminWrite('DELETE /project-permission-definitions/{permissionId}', {
  fails: ['PERMISSION_NOT_FOUND'],
  done: doneBefore('PERMISSION_NOT_FOUND'),
  refreshes: ({ permissionId }) => [...inProject(permissionId), adminProject$],
  optimistic: ({ permissionId }) => [patch(projectPermissionDefinitions$, {}, all => withoutOwn(all, permissionId))],
  writes: ({ permissionId }) => [patch(projectPermissionDefinitions$, {}, all => withoutDefinition(all, permissionId))],
})

/** The definition as the platform will return it. */
function asDefined({ id, description, containedPermissionIds = [] }: Defined): PermissionDefinition {
  return { id, description: description ?? null, containedPermissionIds: [...containedPermissionIds].sort() }
}

interface Defined {
  readonly id: string
  readonly description?: string | undefined
  readonly containedPermissionIds?: readonly string[] | undefined
}

/** The platform clears fields that a change leaves out, so the present ones are sent too. */
async function complete(
  definitions$: Store<PermissionDefinition[]>,
  { description, ...given }: PermissionDefinitionChanges,
) {
  const isWhole = description !== undefined && given.containedPermissionIds !== undefined
  const present = isWhole ? undefined : (await definitions$.refresh()).find(({ id }) => id === given.permissionId)
  const text = description === undefined ? present?.description : description
  return {
    ...given,
    containedPermissionIds: given.containedPermissionIds ?? present?.containedPermissionIds ?? [],
    ...(text != null && { description: text }),
  }
}
