import * as v from 'valibot'
import { json } from '../../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { table, type RowOf } from '../data/table'

/** The permissions of every project, which cannot be changed. */
export const systemPermissions = {
  $update_team: 'Change the name, the image and the metadata of the team',
  $delete_team: 'Delete the team',
  $read_members: 'See the members of the team',
  $remove_members: 'Remove members from the team, and take invitations back',
  $invite_members: 'Invite to the team',
  $manage_api_keys: 'Manage the API keys of the team',
} as const

/** A permission that the platform itself checks. */
export type SystemPermission = keyof typeof systemPermissions

export function isSystemPermission(id: string): id is SystemPermission {
  return Object.hasOwn(systemPermissions, id)
}

export const teams = table({
  columns: {
    displayName: v.string(),
    profileImageUrl: v.nullable(v.string()),
    createdAt: v.number(),
    clientMetadata: json<ClientMetadata>(),
    clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
    serverMetadata: json<ServerMetadata>(),
  },
})
export interface TeamRow extends RowOf<typeof teams> {}

/** Memberships with their profile; fields that are null are taken from the user. The id is `${teamId} ${userId}`. */
export const memberships = table({
  columns: {
    teamId: v.string(),
    userId: v.string(),
    displayName: v.nullable(v.string()),
    profileImageUrl: v.nullable(v.string()),
  },
  indexes: { teamId: row => row.teamId, userId: row => row.userId },
  cascade: { teams: 'teamId', users: 'userId' },
})
export interface MembershipRow extends RowOf<typeof memberships> {}

/** A permission of the project. Ids are unique over both scopes. */
export interface PermissionDefinitionRow {
  readonly id: string
  /** The places where it is granted: one team, or the whole project. */
  readonly scope: 'team' | 'project'
  readonly description: string | null
  /** Stored as sent: an id without a definition of the same scope has no effect. */
  readonly containedIds: readonly string[]
}
export type PermissionScope = PermissionDefinitionRow['scope']

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

/** Permissions granted to members of teams; the id is `${teamId} ${userId} ${permissionId}`. */
export const teamGrants = table({
  columns: { teamId: v.string(), userId: v.string(), permissionId: v.string() },
  indexes: {
    teamId: row => row.teamId,
    userId: row => row.userId,
    membershipId: row => `${row.teamId} ${row.userId}`,
    permissionId: row => row.permissionId,
  },
  cascade: { memberships: 'membershipId' },
})
export interface TeamGrantRow extends RowOf<typeof teamGrants> {}

/** Permissions granted to users; the id is `${userId} ${permissionId}`. */
export const projectGrants = table({
  columns: { userId: v.string(), permissionId: v.string() },
  indexes: { userId: row => row.userId, permissionId: row => row.permissionId },
  cascade: { users: 'userId' },
})
