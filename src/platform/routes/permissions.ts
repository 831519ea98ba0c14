import { requireUser } from '../model/restriction'
import * as v from 'valibot'
import * as client from '../../entities/permissions/client'
import * as server from '../../entities/server'
import { requireOwnId } from '../http/authenticate'
import { permissionId, userIdOrMe, uuid, customPermissionId } from '../model/limits'
import {
  grantInProject,
  grantInTeam,
  permissionsOf,
  requirePermission,
  createDefinition,
  deleteDefinition,
  replaceDefinition,
} from '../directory/permissions'
import { known } from '../model/refusal'
import { pageFields, pageOf, serve, sparse } from '../http/serve'
import { requireMembership } from '../directory/teams'
import { tellProjectGrant, tellTeamGrant } from '../webhooks/webhook-events'
import { items } from '../../core/wire'
import * as admin from '../../entities/permission-definitions/admin'
import { configuredIn } from '../model/project-config'
import { projectOf, type Engine } from '../model/engine'
import { systemPermissions, type PermissionDefinitionRow, type PermissionScope } from '../model/teams'

/** The filters of a list. Without `recursive` it has direct grants only. */
const filters = {
  userId: v.optional(userIdOrMe),
  permissionId: v.optional(permissionId),
  recursive: v.optional(v.boolean(), false),
}
const containedPermissionIds = v.optional(v.array(permissionId))

// A missing description is absent, not null.
const Definition = sparse(admin.PermissionDefinition)
const wanted = { body: { id: customPermissionId, containedPermissionIds }, answers: Definition }
const changes = { body: { id: v.optional(customPermissionId), containedPermissionIds }, answers: Definition }
const list = { answers: items(Definition) }
const definitions = [
  [
    'team',
    admin.createTeamPermissionDefinition,
    admin.updateTeamPermissionDefinition,
    admin.deleteTeamPermissionDefinition,
  ],
  [
    'project',
    admin.createProjectPermissionDefinition,
    admin.updateProjectPermissionDefinition,
    admin.deleteProjectPermissionDefinition,
  ],
] as const
const pages = { limit: pageFields.limit, cursor: v.optional(permissionId), query: v.optional(v.string()) }

const system = Object.entries(systemPermissions).map(([id, description]) => ({
  id,
  scope: 'team' as const,
  description,
  containedIds: [],
}))

const notDirect = (id: string, userId: string) =>
  `The permission "${id}" is not granted to the user ${userId} directly.`
const onlyOwn = 'A client lists the permissions of its own user only: say user_id=me.'

export const routes = [
  serve(
    [client.teamPermissions$, server.teamPermissionsOf$],
    { query: { ...filters, teamId: v.optional(uuid) } },
    ({ engine, caller, input }) => {
      const { teamId, userId } = input
      requireOwnId(caller, userId, onlyOwn)
      const { teamGrants } = engine.tables
      const grants =
        teamId !== undefined && userId !== undefined
          ? teamGrants.by('membershipId', `${teamId} ${userId}`)
          : teamId !== undefined
            ? teamGrants.by('teamId', teamId)
            : userId !== undefined
              ? teamGrants.by('userId', userId)
              : teamGrants.rows()
      return held(engine, 'team', grants, input)
    },
  ),

  serve(
    server.grantTeamPermission,
    { body: {}, status: 201 },
    ({ engine, input: { teamId, userId, permissionId: id } }) => {
      requireMembership(engine, teamId, userId)
      requirePermission(engine, id, 'team')
      grantInTeam(engine.tables, { teamId, userId, permissionId: id })
      tellTeamGrant(engine, 'created', { teamId, userId, permissionId: id })
      return { id, userId, teamId }
    },
  ),

  serve(server.revokeTeamPermission, {}, ({ engine, input: { teamId, userId, permissionId: id } }) => {
    requireMembership(engine, teamId, userId)
    if (!engine.tables.teamGrants.delete(`${teamId} ${userId} ${id}`))
      throw known('TEAM_PERMISSION_NOT_FOUND', notDirect(id, userId), { teamId, userId, permissionId: id })
    tellTeamGrant(engine, 'deleted', { teamId, userId, permissionId: id })
  }),

  serve([client.projectPermissions$, server.projectPermissionsOf$], { query: filters }, ({ engine, caller, input }) => {
    const { userId } = input
    requireOwnId(caller, userId, onlyOwn)
    const { projectGrants } = engine.tables
    const grants = userId === undefined ? projectGrants.rows() : projectGrants.by('userId', userId)
    return held(engine, 'project', grants, input)
  }),

  serve(server.grantProjectPermission, { body: {}, status: 201 }, ({ engine, input: { userId, permissionId: id } }) => {
    requireUser(engine, userId)
    requirePermission(engine, id, 'project')
    grantInProject(engine.tables, userId, id)
    tellProjectGrant(engine, 'created', userId, id)
    return { id, userId }
  }),

  serve(server.revokeProjectPermission, {}, ({ engine, input: { userId, permissionId: id } }) => {
    requireUser(engine, userId)
    if (!engine.tables.projectGrants.delete(`${userId} ${id}`))
      throw known('PERMISSION_NOT_FOUND', notDirect(id, userId), { permissionId: id })
    tellProjectGrant(engine, 'deleted', userId, id)
  }),

  serve(
    admin.teamPermissionDefinitions$,
    { ...list, newer: { query: pages, later: Object.keys(pages) } },
    ({ engine, input }) => {
      const { query, ...paging } = input
      const all = listed(engine, 'team', system)
      if (query === undefined && Object.values(paging).every(each => each === undefined)) return all
      const text = (query ?? '').toLowerCase()
      const found = all.filter(({ id, description = '' }) => `${id} ${description}`.toLowerCase().includes(text))
      return pageOf(Definition, found, paging)
    },
  ),
  serve(admin.projectPermissionDefinitions$, list, ({ engine }) => listed(engine, 'project')),

  ...definitions.flatMap(([scope, create, update, remove]) => [
    serve(create, { ...wanted, status: 201 }, ({ engine, input }) =>
      toDefinition(createDefinition(engine, scope, input)),
    ),
    serve(update, changes, ({ engine, input: { permissionId: id, ...input } }) =>
      toDefinition(replaceDefinition(engine, scope, id, input)),
    ),
    serve(remove, {}, ({ engine, input }) => {
      deleteDefinition(engine, scope, input.permissionId)
    }),
  ]),
]

/** The permissions that grants give to each user, or to each in each team; sorted by team and user. */
function held<G extends { readonly id: string; readonly permissionId: string }>(
  engine: Engine,
  scope: PermissionScope,
  grants: readonly G[],
  { permissionId: wanted, recursive }: { readonly permissionId?: string | undefined; readonly recursive: boolean },
): G[] {
  const groups = new Map<string, { readonly grant: G; readonly ids: string[] }>()
  for (const grant of grants) {
    const holder = grant.id.slice(0, -grant.permissionId.length)
    const { ids } = groups.get(holder) ?? { ids: [] }
    groups.set(holder, { grant, ids: [...ids, grant.permissionId] })
  }
  const sorted = [...groups].sort(([left], [right]) => (left < right ? -1 : 1))
  return sorted.flatMap(([, { grant, ids }]) =>
    permissionsOf(engine, scope, ids, recursive)
      .filter(id => wanted === undefined || id === wanted)
      .map(id => ({ ...grant, id })),
  )
}

function listed(engine: Engine, scope: PermissionScope, more: readonly PermissionDefinitionRow[] = []) {
  const own = configuredIn(projectOf(engine)).permissions.filter(row => row.scope === scope)
  return [...more, ...own].map(toDefinition).sort((left, right) => (left.id < right.id ? -1 : 1))
}

function toDefinition({ id, description, containedIds }: PermissionDefinitionRow) {
  return { id, ...(description !== null && { description }), containedPermissionIds: [...containedIds].sort() }
}
