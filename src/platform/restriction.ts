import { primaryChannelOf } from './primary-channel'
import type { Engine } from './engine'
import type { UserRow } from './tables'

/** Why a user is not taken for an ordinary one; as it stands on the wire. */
export interface Restriction {
  readonly type: 'anonymous' | 'email_not_verified' | 'restricted_by_administrator'
}

/** Null for an ordinary user; always null where the release knows no restrictions. */
export function restrictionOf({ rules, tables, database, projectId }: Engine, user: UserRow): Restriction | null {
  if (!rules.limitsUsers) return null
  if (user.isAnonymous) return { type: 'anonymous' }
  const config = database.projects.get(projectId)?.config
  if (config?.requireEmailVerification && !primaryChannelOf(tables, user.id)?.isVerified)
    return { type: 'email_not_verified' }
  return user.restrictedByAdmin ? { type: 'restricted_by_administrator' } : null
}
