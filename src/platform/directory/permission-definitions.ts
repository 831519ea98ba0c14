import type { Engine } from '../model/engine'
import { projectOf } from '../model/engine'
import { configuredIn } from '../model/project-config'
import { withDefaults } from '../model/projects'
import { known } from '../model/refusal'
import type { PermissionDefinitionRow, PermissionScope } from '../model/teams'
import { containedIn, definitionIn } from './permissions'
import { changeSettings } from './project-config'

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
  const row = toRow(engine, scope, wanted)
  const project = projectOf(engine)
  changeSettings(engine, project, { permissions: [...configuredIn(project).permissions, row] })
  return row
}

/** Replaces the definition; a new id is changed in every grant and reference too. */
export function replaceDefinition(
  engine: Engine,
  scope: PermissionScope,
  permissionId: string,
  wanted: Omit<DefinitionInput, 'id'> & { readonly id?: string | undefined },
): PermissionDefinitionRow {
  requireDefinition(engine, scope, permissionId)
  const { id = permissionId } = wanted
  if (id !== permissionId) requireFreeId(engine, id)
  const row = toRow(engine, scope, { ...wanted, id })
  const { teamGrants, projectGrants } = engine.tables
  for (const { teamId, userId } of teamGrants.by('permissionId', permissionId))
    teamGrants.put({ id: `${teamId} ${userId} ${id}`, teamId, userId, permissionId: id })
  for (const { userId } of projectGrants.by('permissionId', permissionId))
    projectGrants.put({ id: `${userId} ${id}`, userId, permissionId: id })
  return rewrite(engine, permissionId, row) ?? row
}

export function deleteDefinition(engine: Engine, scope: PermissionScope, permissionId: string): void {
  requireDefinition(engine, scope, permissionId)
  rewrite(engine, permissionId)
}

/** Puts the definition in the place of the one with the id, also in every list of ids that has it; without one, the id goes. */
function rewrite(engine: Engine, from: string, to?: PermissionDefinitionRow): PermissionDefinitionRow | undefined {
  const project = projectOf(engine)
  const { config, permissions } = configuredIn(project)
  const others = permissions.filter(({ id }) => id !== from)
  const idAfter = (id: string) => (id === from ? (to?.id ?? []) : id)
  const rewritten = [...others, ...(to ? [to] : [])].map(row => ({
    ...row,
    containedIds: row.containedIds.flatMap(idAfter),
  }))
  changeSettings(engine, project, {
    permissions: rewritten,
    config: withDefaults(config, defaults => defaults.flatMap(({ id }) => idAfter(id)).map(id => ({ id }))),
  })
  return to && rewritten.at(-1)
}

function toRow(engine: Engine, scope: PermissionScope, wanted: DefinitionInput): PermissionDefinitionRow {
  const { id, description, containedPermissionIds = [] } = wanted
  const missing = containedPermissionIds.find(each => !containedIn(projectOf(engine), scope, each))
  if (missing !== undefined)
    throw known('CONTAINED_PERMISSION_NOT_FOUND', `The project has no permission "${missing}" of a ${scope}.`, {
      permissionId: missing,
    })
  return { id, scope, description: description ?? null, containedIds: [...new Set(containedPermissionIds)] }
}

/** Throws if the project has not defined the permission itself. System permissions cannot be changed. */
function requireDefinition(engine: Engine, scope: PermissionScope, permissionId: string): void {
  if (definitionIn(projectOf(engine), permissionId)?.scope === scope) return
  throw known('PERMISSION_NOT_FOUND', `The project has no permission "${permissionId}" of a ${scope} of its own.`, {
    permissionId,
  })
}

/** Ids are unique across both scopes. */
function requireFreeId(engine: Engine, id: string): void {
  if (!definitionIn(projectOf(engine), id)) return
  throw known('PERMISSION_ID_ALREADY_EXISTS', `The project has a permission "${id}" already.`, { permissionId: id })
}
