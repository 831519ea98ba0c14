import { hostedFailure, known, RefusedRequest } from '../model/refusal'
import { projectOf, type Engine } from '../model/engine'
import { configuredIn } from '../model/project-config'
import { withDefaults, type ProjectConfig } from '../model/projects'
import { isSystemPermission } from '../model/teams'
import type { PermissionDefinitionRow, PermissionScope, TeamGrantRow } from '../model/teams'
import type { Tables } from '../model/tables'
import { changeSettings } from './projects'

/**
 * The ids of a user's granted permissions, sorted; with `recursive`, also every permission contained in them, at any
 * depth and with cycles. Ids without a definition are left out.
 */
export function permissionsOf(
  engine: Engine,
  scope: PermissionScope,
  grantedIds: readonly string[],
  recursive: boolean,
): string[] {
  const found = new Set<string>()
  const open = [...grantedIds]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const containedIds = containedIn(engine, scope, id)
    if (!containedIds || found.has(id)) continue
    found.add(id)
    if (recursive) for (const contained of containedIds) open.push(contained)
  }
  return [...found].sort()
}

/** Whether a team member has the permission, granted directly or contained in a granted one. */
export function hasTeamPermission(engine: Engine, { teamId, userId, permissionId }: Omit<TeamGrantRow, 'id'>): boolean {
  const granted = engine.tables.teamGrants.by('membershipId', `${teamId} ${userId}`).map(grant => grant.permissionId)
  return permissionsOf(engine, 'team', granted, true).includes(permissionId)
}

export function requirePermission(engine: Engine, permissionId: string, scope: PermissionScope): void {
  if (scope === 'team' && isSystemPermission(permissionId)) return
  const definition = definitionIn(engine, permissionId)
  if (!definition)
    throw known('PERMISSION_NOT_FOUND', `The project has no permission "${permissionId}".`, { permissionId })
  if (definition.scope !== scope)
    throw known(
      'WRONG_PERMISSION_SCOPE',
      `The permission "${permissionId}" is one of a ${definition.scope}, not of a ${scope}.`,
      { permissionId, expectedScope: scope, actualScope: definition.scope },
    )
}

/** Grants the permission; an existing grant stays. */
export function grantInTeam({ teamGrants }: Tables, grant: Omit<TeamGrantRow, 'id'>): void {
  teamGrants.put({ ...grant, id: `${grant.teamId} ${grant.userId} ${grant.permissionId}` })
}

/** Grants the permission; an existing grant stays. */
export function grantInProject({ projectGrants }: Tables, userId: string, permissionId: string): void {
  projectGrants.put({ id: `${userId} ${permissionId}`, userId, permissionId })
}

/** Grants the project's default permissions to a new user. Throws if the project has not defined one of them. */
export function grantUserDefaults(engine: Engine, userId: string): void {
  for (const { id } of engine.settings.userDefaultPermissions) {
    requirePermission(engine, id, 'project')
    grantInProject(engine.tables, userId, id)
  }
}

/**
 * The project's default permissions for the creator of a team, or for a member. Throws if the project has not defined one
 * of them.
 */
export function teamDefaults(engine: Engine, as: 'creator' | 'member'): string[] {
  const { teamCreatorDefaultPermissions, teamMemberDefaultPermissions } = engine.settings
  const defaults = as === 'creator' ? teamCreatorDefaultPermissions : teamMemberDefaultPermissions
  for (const { id } of defaults) requirePermission(engine, id, 'team')
  return defaults.map(({ id }) => id)
}

/** The settings without the default permissions that the project has not defined. */
export function withDefinedDefaults(engine: Engine): ProjectConfig {
  return withDefaults(engine.settings, (defaults, scope) => defaults.filter(({ id }) => containedIn(engine, scope, id)))
}

/**
 * Runs the step of a sign-up or an accepted invitation that grants default permissions. The hosted platform refuses an
 * undefined one in calls of servers, and fails in these.
 */
export function grantingDefaults<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof RefusedRequest && /^(PERMISSION_NOT_FOUND|WRONG_PERMISSION_SCOPE)$/.test(error.code ?? ''))
      throw hostedFailure(error.message)
    throw error
  }
}

function containedIn(engine: Engine, scope: PermissionScope, id: string): readonly string[] | undefined {
  if (scope === 'team' && isSystemPermission(id)) return []
  const definition = definitionIn(engine, id)
  return definition?.scope === scope ? definition.containedIds : undefined
}

function definitionIn(engine: Engine, id: string): PermissionDefinitionRow | undefined {
  return configuredIn(projectOf(engine)).permissions.find(each => each.id === id)
}

/** A permission's definition; fields left out are empty. */
interface DefinitionInput {
  readonly id?: string | undefined
  readonly description?: string | undefined
  readonly containedPermissionIds?: readonly string[] | undefined
}

export function createDefinition(
  engine: Engine,
  scope: PermissionScope,
  wanted: DefinitionInput & { readonly id: string },
): PermissionDefinitionRow {
  requireFreeId(engine, wanted.id)
  const row = toRow(engine, scope, wanted.id, wanted)
  const project = projectOf(engine)
  changeSettings(engine, project, { permissions: [...configuredIn(project).permissions, row] })
  return row
}

/** Replaces the definition; a new id is changed in every grant and reference too. */
export function replaceDefinition(
  engine: Engine,
  scope: PermissionScope,
  permissionId: string,
  wanted: DefinitionInput,
): PermissionDefinitionRow {
  requireDefinition(engine, scope, permissionId)
  const { id = permissionId } = wanted
  if (id !== permissionId) requireFreeId(engine, id)
  const row = toRow(engine, scope, id, wanted)
  const { teamGrants, projectGrants } = engine.tables
  for (const { teamId, userId } of teamGrants.by('permissionId', permissionId))
    grantInTeam(engine.tables, { teamId, userId, permissionId: id })
  for (const { userId } of projectGrants.by('permissionId', permissionId)) grantInProject(engine.tables, userId, id)
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

function toRow(engine: Engine, scope: PermissionScope, id: string, wanted: DefinitionInput): PermissionDefinitionRow {
  const { description = null, containedPermissionIds = [] } = wanted
  const missing = containedPermissionIds.find(each => !containedIn(engine, scope, each))
  if (missing !== undefined)
    throw known('CONTAINED_PERMISSION_NOT_FOUND', `The project has no permission "${missing}" of a ${scope}.`, {
      permissionId: missing,
    })
  return { id, scope, description, containedIds: [...new Set(containedPermissionIds)] }
}

/** Throws if the project has not defined the permission itself. System permissions cannot be changed. */
function requireDefinition(engine: Engine, scope: PermissionScope, permissionId: string): void {
  if (definitionIn(engine, permissionId)?.scope === scope) return
  throw known('PERMISSION_NOT_FOUND', `The project has no permission "${permissionId}" of a ${scope} of its own.`, {
    permissionId,
  })
}

/** Ids are unique across both scopes. */
function requireFreeId(engine: Engine, id: string): void {
  if (!definitionIn(engine, id)) return
  throw known('PERMISSION_ID_ALREADY_EXISTS', `The project has a permission "${id}" already.`, { permissionId: id })
}
