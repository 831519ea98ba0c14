import type { Engine } from '../model/engine'
import { isSystemPermission } from '../model/teams'
import { known } from '../model/refusal'
import type { ProjectConfig } from '../model/projects'
import type { PermissionDefinitionRow, PermissionScope } from '../model/teams'

/** A permission's definition; fields left out are empty. */
interface DefinitionInput {
  readonly id: string
  readonly description?: string | undefined
  readonly containedPermissionIds?: readonly string[] | undefined
}

export function createDefinition(
  engine: Engine,
  scope: PermissionScope,
  wanted: DefinitionInput,
): PermissionDefinitionRow {
  requireFreeId(engine, wanted.id)
  return engine.tables.permissionDefinitions.put(toRow(engine, scope, wanted))
}

/** Replaces the definition; a new id is changed in every grant and reference too. */
export function replaceDefinition(
  engine: Engine,
  scope: PermissionScope,
  permissionId: string,
  wanted: Omit<DefinitionInput, 'id'> & { readonly id?: string | undefined },
): PermissionDefinitionRow {
  const { permissionDefinitions } = engine.tables
  requireDefinition(engine, scope, permissionId)
  const { id = permissionId } = wanted
  if (id !== permissionId) requireFreeId(engine, id)
  const row = toRow(engine, scope, { ...wanted, id })
  if (id === permissionId) return permissionDefinitions.put(row)
  permissionDefinitions.delete(permissionId)
  permissionDefinitions.put(row)
  const { teamGrants, projectGrants } = engine.tables
  for (const { teamId, userId } of teamGrants.by('permissionId', permissionId))
    teamGrants.put({ id: `${teamId} ${userId} ${id}`, teamId, userId, permissionId: id })
  for (const { userId } of projectGrants.by('permissionId', permissionId))
    projectGrants.put({ id: `${userId} ${id}`, userId, permissionId: id })
  forget(engine, permissionId, ids => ids.map(each => (each === permissionId ? id : each)))
  // `toRow` checked the contained ids before the rename, so they may still have the old id; `forget` renamed them.
  return permissionDefinitions.get(id) ?? row
}

export function deleteDefinition(engine: Engine, scope: PermissionScope, permissionId: string): void {
  requireDefinition(engine, scope, permissionId)
  engine.tables.permissionDefinitions.delete(permissionId)
  forget(engine, permissionId, ids => ids.filter(each => each !== permissionId))
}

/** Deletes every grant of the id, and applies `change` to every list of ids that has it. */
function forget(engine: Engine, permissionId: string, change: (ids: readonly string[]) => readonly string[]): void {
  const { tables, database, projectId } = engine
  tables.teamGrants.deleteBy('permissionId', permissionId)
  tables.projectGrants.deleteBy('permissionId', permissionId)
  for (const { id, containedIds } of tables.permissionDefinitions.rows())
    if (containedIds.includes(permissionId))
      tables.permissionDefinitions.patch(id, { containedIds: change(containedIds) })
  const project = database.projects.get(projectId)
  if (!project) return
  const changed = (defaults: ProjectConfig['userDefaultPermissions']) =>
    change(defaults.map(({ id }) => id)).map(id => ({ id }))
  const { userDefaultPermissions, teamCreatorDefaultPermissions, teamMemberDefaultPermissions } = project.config
  database.projects.put({
    ...project,
    config: {
      ...project.config,
      userDefaultPermissions: changed(userDefaultPermissions),
      teamCreatorDefaultPermissions: changed(teamCreatorDefaultPermissions),
      teamMemberDefaultPermissions: changed(teamMemberDefaultPermissions),
    },
  })
}

function toRow(engine: Engine, scope: PermissionScope, wanted: DefinitionInput): PermissionDefinitionRow {
  const { id, description, containedPermissionIds = [] } = wanted
  const missing = containedPermissionIds.find(each => !isOfScope(engine, scope, each))
  if (missing !== undefined)
    throw known('CONTAINED_PERMISSION_NOT_FOUND', `The project has no permission "${missing}" of a ${scope}.`, {
      permissionId: missing,
    })
  return { id, scope, description: description ?? null, containedIds: [...new Set(containedPermissionIds)] }
}

function isOfScope({ tables }: Engine, scope: PermissionScope, id: string): boolean {
  return (scope === 'team' && isSystemPermission(id)) || tables.permissionDefinitions.get(id)?.scope === scope
}

/** Throws if the project has not defined the permission itself. System permissions cannot be changed. */
function requireDefinition({ tables }: Engine, scope: PermissionScope, permissionId: string): void {
  if (tables.permissionDefinitions.get(permissionId)?.scope === scope) return
  throw known('PERMISSION_NOT_FOUND', `The project has no permission "${permissionId}" of a ${scope} of its own.`, {
    permissionId,
  })
}

/** Ids are unique across both scopes. */
function requireFreeId({ tables }: Engine, id: string): void {
  if (!tables.permissionDefinitions.get(id)) return
  throw known('PERMISSION_ID_ALREADY_EXISTS', `The project has a permission "${id}" already.`, { permissionId: id })
}
