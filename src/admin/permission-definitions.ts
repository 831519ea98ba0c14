import * as v from 'valibot'
import { items } from '../core/wire'
import type { Shape } from '../core/wire'
import { ofTeam } from '../resources/of-team'
import { projectPermissions$ } from '../resources/permissions'
import { projectPermissionsOf$, teamPermissionsOf$ } from '../server/permissions'
import type { Kit } from '../store/kit'
import { mutation, patch } from '../store/mutation'
import { query } from '../store/query'
import type { Store } from '../store/store'
import { endpoint } from '../transport/endpoint'
import {
  withChanged,
  withDefinition,
  withNew,
  withOwnChanged,
  withoutDefinition,
  withoutOwn,
} from './permission-definition-lists'
import { adminProject$ } from './project'

const permissionDefinition = v.object({
  // Plain texts: an admin makes permissions that the app's own type of them does not know yet.
  id: v.string(),
  description: v.optional(v.nullable(v.string()), null),
  containedPermissionIds: v.array(v.string()),
})

/**
 * A permission of the project; `containedPermissionIds` are those that it contains directly, sorted.
 *
 * @example
 * const graph = (definitions: readonly PermissionDefinition[]) =>
 *   definitions.map(({ id, containedPermissionIds }) => `${id} → ${containedPermissionIds.join(', ')}`)
 */
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

/** Ids share one namespace over both scopes. */
const failsToCreate = ['PERMISSION_ID_ALREADY_EXISTS', 'CONTAINED_PERMISSION_NOT_FOUND'] as const
const failsToUpdate = [
  'PERMISSION_NOT_FOUND',
  'PERMISSION_ID_ALREADY_EXISTS',
  'CONTAINED_PERMISSION_NOT_FOUND',
] as const

/**
 * The permissions that teams of this project know, the six system ones included, sorted by id: system ones first.
 *
 * @example
 * const definitions = await admin.teamPermissionDefinitions$.get()
 */
export const teamPermissionDefinitions$ = query(
  endpoint('GET /team-permission-definitions', { access: 'admin', returns: items(PermissionDefinition) }),
)

/**
 * The permissions in the whole project, sorted by id.
 *
 * @example
 * const definitions = await admin.projectPermissionDefinitions$.get()
 */
export const projectPermissionDefinitions$ = query(
  endpoint('GET /project-permission-definitions', { access: 'admin', returns: items(PermissionDefinition) }),
)

/** What a user has in a team follows from the definitions, and so does what its members are shown. */
const inTeams = () => [teamPermissionDefinitions$, teamPermissionsOf$, ...ofTeam()]
const inProject = () => [projectPermissionDefinitions$, projectPermissionsOf$, projectPermissions$]

/**
 * Defines a permission of teams. Its id has lower-case letters, digits, `_` and `:`; it may contain system permissions.
 *
 * @example
 * const result = await admin.createTeamPermissionDefinition({ id: 'write', containedPermissionIds: ['$read_members'] })
 */
export const createTeamPermissionDefinition = mutation(
  endpoint('POST /team-permission-definitions', {
    access: 'admin',
    body: newDefinition,
    returns: PermissionDefinition,
    fails: failsToCreate,
  }),
  {
    refreshes: inTeams,
    optimistic: input => [patch(teamPermissionDefinitions$, {}, all => withNew(all, asDefined(input)))],
    writes: (_, created) => [patch(teamPermissionDefinitions$, {}, all => withDefinition(all, created))],
  },
)

/**
 * Defines a permission in the whole project. It contains others of the whole project, none of teams.
 *
 * @example
 * const result = await admin.createProjectPermissionDefinition({ id: 'billing', description: 'Sees invoices' })
 */
export const createProjectPermissionDefinition = mutation(
  endpoint('POST /project-permission-definitions', {
    access: 'admin',
    body: newDefinition,
    returns: PermissionDefinition,
    fails: failsToCreate,
  }),
  {
    refreshes: inProject,
    optimistic: input => [patch(projectPermissionDefinitions$, {}, all => withNew(all, asDefined(input)))],
    writes: (_, created) => [patch(projectPermissionDefinitions$, {}, all => withDefinition(all, created))],
  },
)

interface One {
  readonly permissionId: string
}

/** What is left out stays. */
interface Changes extends One {
  /** A new id: whoever has the permission, and whatever contains it, has and contains it under this one. */
  readonly id?: string
  /** Null: none. */
  readonly description?: string | null
  /** In the place of all that it contains. */
  readonly containedPermissionIds?: string[]
}

/**
 * Changes a permission of teams; what is left out stays as it is on the platform. System permissions do not change.
 *
 * @example
 * await admin.updateTeamPermissionDefinition({ permissionId: 'write', description: 'May write' })
 */
export const updateTeamPermissionDefinition = mutation(
  endpoint('PATCH /team-permission-definitions/{permissionId}', {
    access: 'admin',
    body: changes,
    returns: PermissionDefinition,
    fails: failsToUpdate,
  }),
  {
    prepare: (kit: Kit<'admin'>, input: Changes) => complete(teamPermissionDefinitions$(kit), input),
    refreshes: () => [...inTeams(), adminProject$],
    optimistic: ({ permissionId, id = permissionId, ...change }) => [
      patch(teamPermissionDefinitions$, {}, all => withOwnChanged(all, permissionId, asDefined({ id, ...change }))),
    ],
    writes: ({ permissionId }, changed) => [
      patch(teamPermissionDefinitions$, {}, all => withChanged(all, permissionId, changed)),
    ],
  },
)

/**
 * Changes a permission in the whole project; what is left out stays as it is on the platform.
 *
 * @example
 * await admin.updateProjectPermissionDefinition({ permissionId: 'billing', description: 'Pays invoices' })
 */
export const updateProjectPermissionDefinition = mutation(
  endpoint('PATCH /project-permission-definitions/{permissionId}', {
    access: 'admin',
    body: changes,
    returns: PermissionDefinition,
    fails: failsToUpdate,
  }),
  {
    prepare: (kit: Kit<'admin'>, input: Changes) => complete(projectPermissionDefinitions$(kit), input),
    refreshes: () => [...inProject(), adminProject$],
    optimistic: ({ permissionId, id = permissionId, ...change }) => [
      patch(projectPermissionDefinitions$, {}, all => withOwnChanged(all, permissionId, asDefined({ id, ...change }))),
    ],
    writes: ({ permissionId }, changed) => [
      patch(projectPermissionDefinitions$, {}, all => withChanged(all, permissionId, changed)),
    ],
  },
)

/**
 * Deletes a permission of teams: every grant of it ends, and what contained it does so no longer.
 *
 * @example
 * await admin.deleteTeamPermissionDefinition({ permissionId: 'write' })
 */
export const deleteTeamPermissionDefinition = mutation(
  endpoint('DELETE /team-permission-definitions/{permissionId}', { access: 'admin', fails: ['PERMISSION_NOT_FOUND'] }),
  {
    refreshes: () => [...inTeams(), adminProject$],
    optimistic: ({ permissionId }) => [patch(teamPermissionDefinitions$, {}, all => withoutOwn(all, permissionId))],
    writes: ({ permissionId }) => [patch(teamPermissionDefinitions$, {}, all => withoutDefinition(all, permissionId))],
  },
)

/**
 * Deletes a permission in the whole project: every grant of it ends, and what contained it does so no longer.
 *
 * @example
 * await admin.deleteProjectPermissionDefinition({ permissionId: 'billing' })
 */
export const deleteProjectPermissionDefinition = mutation(
  endpoint('DELETE /project-permission-definitions/{permissionId}', {
    access: 'admin',
    fails: ['PERMISSION_NOT_FOUND'],
  }),
  {
    refreshes: () => [...inProject(), adminProject$],
    optimistic: ({ permissionId }) => [patch(projectPermissionDefinitions$, {}, all => withoutOwn(all, permissionId))],
    writes: ({ permissionId }) => [
      patch(projectPermissionDefinitions$, {}, all => withoutDefinition(all, permissionId)),
    ],
  },
)

/** What the platform will have of it. */
function asDefined({ id, description, containedPermissionIds = [] }: Defined): PermissionDefinition {
  return { id, description: description ?? null, containedPermissionIds: [...containedPermissionIds].sort() }
}

interface Defined {
  readonly id: string
  readonly description?: string | undefined
  readonly containedPermissionIds?: readonly string[] | undefined
}

/** The platform clears what a change leaves out, so the present state goes with it. */
async function complete(definitions$: Store<PermissionDefinition[]>, { description, ...given }: Changes) {
  const isWhole = description !== undefined && given.containedPermissionIds !== undefined
  const present = isWhole ? undefined : (await definitions$.refresh()).find(({ id }) => id === given.permissionId)
  const text = description === undefined ? present?.description : description
  return {
    ...given,
    containedPermissionIds: given.containedPermissionIds ?? present?.containedPermissionIds ?? [],
    ...(text != null && { description: text }),
  }
}
