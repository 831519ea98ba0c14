import * as v from 'valibot'
import { items } from '../../core/wire'
import {
  createProjectPermissionDefinition,
  createTeamPermissionDefinition,
  deleteProjectPermissionDefinition,
  deleteTeamPermissionDefinition,
  projectPermissionDefinitions$,
  teamPermissionDefinitions$,
  updateProjectPermissionDefinition,
  updateTeamPermissionDefinition,
} from '../../entities/permission-definitions/admin'
import { customPermissionId, permissionId } from '../model/limits'
import { createDefinition, deleteDefinition, replaceDefinition } from '../directory/permission-definitions'
import { configuredIn } from '../model/project-config'
import type { ProjectRow } from '../model/projects'
import { systemPermissions } from '../model/teams'
import { pageFields, pageOf } from '../http/answered'
import { serve } from '../http/serve'
import type { PermissionDefinitionRow, PermissionScope } from '../model/teams'

/** A missing description is absent, not null. */
const Definition = v.object({
  id: v.string(),
  description: v.optional(v.string()),
  containedPermissionIds: v.array(v.string()),
})
const containedPermissionIds = v.optional(v.array(permissionId()))
const wanted = { body: { id: customPermissionId(), containedPermissionIds }, answers: Definition }
const changes = { body: { id: v.optional(customPermissionId()), containedPermissionIds }, answers: Definition }
const list = { answers: items(Definition) }
const pages = { limit: pageFields.limit, cursor: v.optional(permissionId()), query: v.optional(v.string()) }

const system = Object.entries(systemPermissions).map(([id, description]) => ({
  id,
  scope: 'team' as const,
  description,
  containedIds: [],
}))

export const permissionDefinitionRoutes = [
  serve(
    teamPermissionDefinitions$,
    { ...list, newer: { query: pages, later: Object.keys(pages) } },
    ({ caller, input }) => {
      const { query, ...paging } = input
      const all = listed(caller.project, 'team', system)
      if (query === undefined && Object.values(paging).every(each => each === undefined)) return all
      const text = (query ?? '').toLowerCase()
      const found = all.filter(({ id, description = '' }) => `${id} ${description}`.toLowerCase().includes(text))
      return pageOf(Definition, found, paging)
    },
  ),
  serve(projectPermissionDefinitions$, list, ({ caller: { project } }) => listed(project, 'project')),

  serve(createTeamPermissionDefinition, { ...wanted, status: 201 }, ({ engine, input }) =>
    toDefinition(createDefinition(engine, 'team', input)),
  ),
  serve(createProjectPermissionDefinition, { ...wanted, status: 201 }, ({ engine, input }) =>
    toDefinition(createDefinition(engine, 'project', input)),
  ),

  serve(updateTeamPermissionDefinition, changes, ({ engine, input: { permissionId: id, ...input } }) =>
    toDefinition(replaceDefinition(engine, 'team', id, input)),
  ),
  serve(updateProjectPermissionDefinition, changes, ({ engine, input: { permissionId: id, ...input } }) =>
    toDefinition(replaceDefinition(engine, 'project', id, input)),
  ),

  serve(deleteTeamPermissionDefinition, {}, ({ engine, input }) => {
    deleteDefinition(engine, 'team', input.permissionId)
  }),
  serve(deleteProjectPermissionDefinition, {}, ({ engine, input }) => {
    deleteDefinition(engine, 'project', input.permissionId)
  }),
]

function listed(project: ProjectRow, scope: PermissionScope, more: readonly PermissionDefinitionRow[] = []) {
  const own = configuredIn(project).permissions.filter(row => row.scope === scope)
  return [...more, ...own].map(toDefinition).sort((left, right) => (left.id < right.id ? -1 : 1))
}

function toDefinition({ id, description, containedIds }: PermissionDefinitionRow) {
  return { id, ...(description !== null && { description }), containedPermissionIds: [...containedIds].sort() }
}
