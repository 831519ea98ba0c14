import { known } from './refusal'
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

/** What may be said of a restriction by an administrator. */
interface RestrictionChanges {
  readonly restrictedByAdmin?: boolean | undefined
  readonly restrictedByAdminReason?: string | null | undefined
  readonly restrictedByAdminPrivateDetails?: string | null | undefined
}

/** The row's new fields, none where nothing is said: reasons last as long as the restriction that they are of. */
export function restrictionChanges(
  changes: RestrictionChanges,
  before: RestrictionChanges = {},
): Partial<Pick<UserRow, 'restrictedByAdmin' | 'restrictedByAdminReason' | 'restrictedByAdminPrivateDetails'>> {
  const { restrictedByAdmin = before.restrictedByAdmin ?? false } = changes
  const { restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: details } = changes
  // A row that says null where it said nothing has changed, and its change is an event.
  if (changes.restrictedByAdmin === undefined && reason === undefined && details === undefined) return {}
  if (!restrictedByAdmin && (reason != null || details != null)) {
    const message = 'body.restricted_by_admin must be true where it has a reason or private details'
    throw known('SCHEMA_ERROR', message, { message })
  }
  const kept = restrictedByAdmin ? before : {}
  return {
    restrictedByAdmin,
    restrictedByAdminReason: (reason === undefined ? kept.restrictedByAdminReason : reason) ?? null,
    restrictedByAdminPrivateDetails: (details === undefined ? kept.restrictedByAdminPrivateDetails : details) ?? null,
  }
}
