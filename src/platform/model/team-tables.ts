import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import type { Row } from '../data/table'

export interface TeamRow extends Row {
  readonly displayName: string
  readonly profileImageUrl: string | null
  readonly createdAt: number
  readonly clientMetadata: ClientMetadata
  readonly clientReadOnlyMetadata: ClientReadOnlyMetadata
  readonly serverMetadata: ServerMetadata
}

/** A membership with its profile; fields that are null are taken from the user. Its id is `${teamId} ${userId}`. */
export interface MembershipRow extends Row {
  readonly teamId: string
  readonly userId: string
  readonly displayName: string | null
  readonly profileImageUrl: string | null
}

/** Where a permission is granted: in one team, or in the whole project. */
export type PermissionScope = 'team' | 'project'

/** A permission of the project; its id is the permission's. Ids are unique over both scopes. */
export interface PermissionDefinitionRow extends Row {
  readonly scope: PermissionScope
  readonly description: string | null
  /** Stored as sent: an id without a definition of the same scope has no effect. */
  readonly containedIds: readonly string[]
}

/** A permission granted to a member of a team; its id is `${teamId} ${userId} ${permissionId}`. */
export interface TeamGrantRow extends Row {
  readonly teamId: string
  readonly userId: string
  readonly permissionId: string
}

/** A permission granted to a user; its id is `${userId} ${permissionId}`. */
export interface ProjectGrantRow extends Row {
  readonly userId: string
  readonly permissionId: string
}
