import { known } from '../model/refusal'
import { isSystemPermission, systemPermissions } from '../model/system-permissions'
import type { ProjectRow } from '../model/project-tables'
import type { Tables } from '../model/tables'
import type { PermissionDefinitionRow, PermissionScope, TeamGrantRow } from '../model/team-tables'

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

/** Grants the project's default permissions to a new user. */
export function grantUserDefaults(tables: Tables, { config }: ProjectRow, userId: string): void {
  for (const { id } of config.userDefaultPermissions)
    if (containedIn(tables, 'project', id)) grantInProject(tables, userId, id)
}

/** The project's default permissions for the creator of a team, or for a member. */
export function teamDefaults(tables: Tables, { config }: ProjectRow, as: 'creator' | 'member'): string[] {
  const defaults = as === 'creator' ? config.teamCreatorDefaultPermissions : config.teamMemberDefaultPermissions
  return defaults.map(({ id }) => id).filter(id => containedIn(tables, 'team', id))
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
