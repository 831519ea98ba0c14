import { configOf } from './project-config'
import type { Tables } from './tables'
import type { ContactChannelRow, UserRow } from './users'
import { known, refuse, schemaError } from './refusal'
import type { WireRestriction } from './access-tokens'
import type { Engine } from './engine'

export function primaryChannelOf({ contactChannels }: Tables, userId: string): ContactChannelRow | undefined {
  return contactChannels.first('primaryOf', userId)
}

export function requireUser({ tables }: Engine, userId: string): UserRow {
  return tables.users.get(userId) ?? refuse(known('USER_NOT_FOUND', 'There is no user with this id.'))
}

/** Null for an ordinary user, and on releases without restrictions. */
export function restrictionOf({ rules, tables, database, projectId }: Engine, user: UserRow): WireRestriction | null {
  if (!rules.limitsUsers) return null
  if (user.isAnonymous) return { type: 'anonymous' }
  const project = database.projects.get(projectId)
  if (project && configOf(project).requireEmailVerification && !primaryChannelOf(tables, user.id)?.isVerified)
    return { type: 'email_not_verified' }
  return user.restrictedByAdmin ? { type: 'restricted_by_administrator' } : null
}

type Restricted = Pick<UserRow, 'restrictedByAdmin' | 'restrictedByAdminReason' | 'restrictedByAdminPrivateDetails'>
type RestrictionChanges = { readonly [N in keyof Restricted]?: Restricted[N] | undefined }

/** The row's new fields; none without a change. Reasons are removed together with the restriction. */
export function restrictionChanges(changes: RestrictionChanges, before: RestrictionChanges = {}): Partial<Restricted> {
  const { restrictedByAdmin = before.restrictedByAdmin ?? false } = changes
  const { restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: details } = changes
  // Adding null fields to the row would count as a change, and send an event.
  if (changes.restrictedByAdmin === undefined && reason === undefined && details === undefined) return {}
  for (const [name, text] of Object.entries({ reason, private_details: details }))
    if (!restrictedByAdmin && text != null)
      throw schemaError(`restricted_by_admin_${name} must be null when restricted_by_admin is not true`)
  const kept = restrictedByAdmin ? before : {}
  return {
    restrictedByAdmin,
    restrictedByAdminReason: (reason === undefined ? kept.restrictedByAdminReason : reason) ?? null,
    restrictedByAdminPrivateDetails: (details === undefined ? kept.restrictedByAdminPrivateDetails : details) ?? null,
  }
}
