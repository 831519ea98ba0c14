import { hostedFailure, known, RefusedRequest } from '../model/refusal'
import { projectOf } from '../model/engine'
import type { Engine } from '../model/engine'
import { configOf, configuredIn, withChanges } from '../model/project-config'
import { withDefaults } from '../model/projects'
import { isSystemPermission } from '../model/teams'
import type { ProjectRow } from '../model/projects'
import type { Tables } from '../model/tables'
import type { PermissionDefinitionRow, PermissionScope, TeamGrantRow } from '../model/teams'

/**
 * The ids of a user's granted permissions, sorted; with `recursive`, also every permission contained in them, at any
 * depth and with cycles. Ids without a definition are left out.
 */
export function permissionsOf(
  project: ProjectRow,
  scope: PermissionScope,
  grantedIds: readonly string[],
  recursive: boolean,
): string[] {
  const found = new Set<string>()
  const open = [...grantedIds]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const containedIds = containedIn(project, scope, id)
    if (!containedIds || found.has(id)) continue
    found.add(id)
    if (recursive) for (const contained of containedIds) open.push(contained)
  }
  return [...found].sort()
}

/** Whether a team member has the permission, granted directly or contained in a granted one. */
export function hasTeamPermission(engine: Engine, { teamId, userId, permissionId }: Omit<TeamGrantRow, 'id'>): boolean {
  const granted = engine.tables.teamGrants.by('membershipId', `${teamId} ${userId}`).map(grant => grant.permissionId)
  return permissionsOf(projectOf(engine), 'team', granted, true).includes(permissionId)
}

/** Throws if the project has no such permission in this scope. */
export function requirePermission(project: ProjectRow, permissionId: string, scope: PermissionScope): void {
  if (scope === 'team' && isSystemPermission(permissionId)) return
  const definition = definitionIn(project, permissionId)
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
export function grantUserDefaults(tables: Tables, project: ProjectRow, userId: string): void {
  for (const { id } of configOf(project).userDefaultPermissions) {
    requirePermission(project, id, 'project')
    grantInProject(tables, userId, id)
  }
}

/**
 * The project's default permissions for the creator of a team, or for a member. Throws if the project has not defined one
 * of them.
 */
export function teamDefaults(project: ProjectRow, as: 'creator' | 'member'): string[] {
  const config = configOf(project)
  const defaults = as === 'creator' ? config.teamCreatorDefaultPermissions : config.teamMemberDefaultPermissions
  for (const { id } of defaults) requirePermission(project, id, 'team')
  return defaults.map(({ id }) => id)
}

/** The project without the default permissions that it has not defined. */
export function withDefinedDefaults(project: ProjectRow): ProjectRow {
  const config = withDefaults(configOf(project), (defaults, scope) =>
    defaults.filter(({ id }) => containedIn(project, scope, id)),
  )
  return { ...project, config: withChanges(project.config, { config }) }
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

/** The ids that a permission of the scope contains; undefined if it is not defined. */
export function containedIn(project: ProjectRow, scope: PermissionScope, id: string): readonly string[] | undefined {
  if (scope === 'team' && isSystemPermission(id)) return []
  const definition = definitionIn(project, id)
  return definition?.scope === scope ? definition.containedIds : undefined
}

export function definitionIn(project: ProjectRow, id: string): PermissionDefinitionRow | undefined {
  return configuredIn(project).permissions.find(each => each.id === id)
}
