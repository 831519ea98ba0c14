import { hostedFailure, known, RefusedRequest } from '../model/refusal'
import { isSystemPermission, systemPermissions } from '../model/teams'
import type { ProjectConfig } from '../model/projects'
import type { ProjectRow } from '../model/projects'
import type { Tables } from '../model/tables'
import type { PermissionDefinitionRow, PermissionScope, TeamGrantRow } from '../model/teams'

/** The permissions that a new project has defined. */
export const standardPermissions: readonly PermissionDefinitionRow[] = [
  {
    id: 'team_admin',
    scope: 'team',
    description: 'Default permission of the creator of a team',
    containedIds: Object.keys(systemPermissions),
  },
  {
    id: 'team_member',
    scope: 'team',
    description: 'Default permission of the members of a team',
    containedIds: ['$read_members', '$invite_members'],
  },
]

/** Adds the standard permissions to a new project. */
export function defineStandardPermissions({ permissionDefinitions }: Tables): void {
  for (const permission of standardPermissions) permissionDefinitions.put(permission)
}

/**
 * The ids of a user's granted permissions, sorted; with `recursive`, also every permission contained in them, at any
 * depth and with cycles. Ids without a definition are left out.
 */
export function permissionsOf(
  tables: Tables,
  scope: PermissionScope,
  grantedIds: readonly string[],
  recursive: boolean,
): string[] {
  const found = new Set<string>()
  const open = [...grantedIds]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const containedIds = containedIn(tables, scope, id)
    if (!containedIds || found.has(id)) continue
    found.add(id)
    if (recursive) for (const contained of containedIds) open.push(contained)
  }
  return [...found].sort()
}

/** Whether a team member has the permission, granted directly or contained in a granted one. */
export function hasTeamPermission(tables: Tables, { teamId, userId, permissionId }: Omit<TeamGrantRow, 'id'>): boolean {
  const granted = tables.teamGrants.by('membershipId', `${teamId} ${userId}`).map(grant => grant.permissionId)
  return permissionsOf(tables, 'team', granted, true).includes(permissionId)
}

/** Throws if the project has no such permission in this scope. */
export function requirePermission({ permissionDefinitions }: Tables, permissionId: string, scope: PermissionScope) {
  if (scope === 'team' && isSystemPermission(permissionId)) return
  const definition = permissionDefinitions.get(permissionId)
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
export function grantUserDefaults(tables: Tables, { config }: ProjectRow, userId: string): void {
  for (const { id } of config.userDefaultPermissions) {
    requirePermission(tables, id, 'project')
    grantInProject(tables, userId, id)
  }
}

/**
 * The project's default permissions for the creator of a team, or for a member. Throws if the project has not defined one
 * of them.
 */
export function teamDefaults(tables: Tables, { config }: ProjectRow, as: 'creator' | 'member'): string[] {
  const defaults = as === 'creator' ? config.teamCreatorDefaultPermissions : config.teamMemberDefaultPermissions
  for (const { id } of defaults) requirePermission(tables, id, 'team')
  return defaults.map(({ id }) => id)
}

/** The project without the default permissions that it has not defined. */
export function withDefinedDefaults(tables: Tables, project: ProjectRow): ProjectRow {
  const defined = (scope: PermissionScope, defaults: ProjectConfig['userDefaultPermissions']) =>
    defaults.filter(({ id }) => containedIn(tables, scope, id))
  const { userDefaultPermissions, teamCreatorDefaultPermissions, teamMemberDefaultPermissions } = project.config
  return {
    ...project,
    config: {
      ...project.config,
      userDefaultPermissions: defined('project', userDefaultPermissions),
      teamCreatorDefaultPermissions: defined('team', teamCreatorDefaultPermissions),
      teamMemberDefaultPermissions: defined('team', teamMemberDefaultPermissions),
    },
  }
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
function containedIn(
  { permissionDefinitions }: Tables,
  scope: PermissionScope,
  id: string,
): readonly string[] | undefined {
  if (scope === 'team' && isSystemPermission(id)) return []
  const definition = permissionDefinitions.get(id)
  return definition?.scope === scope ? definition.containedIds : undefined
}
