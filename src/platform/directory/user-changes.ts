import { presentIn } from '../../core/values'
import type { updateOwnUser } from '../../entities/users/server-writes'
import { setPrimaryEmail } from './users'
import { primaryChannelOf, requireUser, restrictionChanges } from '../model/restriction'
import type { InputOf } from '../http/declared'
import type { Engine } from '../model/engine'
import { hashPassword, isImportableHash } from './passwords'
import { known, plain } from '../model/refusal'
import { endSessionsOf } from './sessions'
import type { StoredRiskScores, UserRow } from '../model/users'
import { isMember } from './teams'
import { tellUserUpdated } from '../webhooks/webhook-events'

/** Fields that servers may set; those of sign-ups on the newer release only. */
interface SaidByServers {
  readonly isAnonymous?: boolean | undefined
  readonly countryCode?: string | null | undefined
  readonly riskScores?: StoredRiskScores | undefined
}

export type ServerChanges = Omit<InputOf<typeof updateOwnUser>, 'isAnonymous'> & SaidByServers

/** Refuses sign-in methods that cannot be switched on for a user by a server. */
export function requirePossible({ settings }: Engine, { passkeyAuthEnabled, otpAuthEnabled }: ServerChanges): void {
  if (passkeyAuthEnabled) throw plain(400, 'A passkey is added by registering it, not by switching it on.')
  if (otpAuthEnabled && !settings.magicLinkEnabled)
    throw plain(400, 'This project does not have sign-in by e-mailed code.')
}

/** The row's fields that a server sets alike for a new user and an existing one. */
export function givenFields(given: ServerChanges, before?: UserRow): Partial<Omit<UserRow, 'id'>> {
  const { displayName, profileImageUrl, clientMetadata, clientReadOnlyMetadata, serverMetadata, otpAuthEnabled } = given
  const { countryCode, riskScores } = given
  return {
    ...(displayName !== undefined && { displayName: displayName || null }),
    ...presentIn({ profileImageUrl, clientMetadata, clientReadOnlyMetadata, serverMetadata, otpAuthEnabled }),
    ...restrictionChanges(given, before),
    // Adding null fields would count as a change.
    ...presentIn({ countryCode, riskScores }),
  }
}

/** Applies a server's changes; checks all of them before the first write. */
export async function updateAsServer(engine: Engine, asked: UserRow, changes: ServerChanges): Promise<UserRow> {
  const { tables } = engine
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled, passkeyAuthEnabled } = changes
  if (setsPassword(changes) && asked.password === null) {
    const hasEmail =
      primaryEmail === undefined ? primaryChannelOf(tables, asked.id) !== undefined : primaryEmail !== null
    if (!hasEmail) throw plain(400, 'A first password needs a primary e-mail address.')
  }
  const hash = await passwordOf(engine, changes)
  // The user may have been changed or deleted while the password was hashed.
  const user = requireUser(engine, asked.id)
  requirePossible(engine, changes)
  const { selectedTeamId, totpSecretBase64 } = changes
  if (typeof selectedTeamId === 'string' && !isMember(tables, selectedTeamId, user.id))
    throw known('TEAM_MEMBERSHIP_NOT_FOUND', 'The user is not a member of the selected team.', {
      teamId: selectedTeamId,
      userId: user.id,
    })
  const email = { email: primaryEmail, isVerified: primaryEmailVerified, usedForAuth: primaryEmailAuthEnabled }
  setPrimaryEmail(engine, user, presentIn(email))
  if (passkeyAuthEnabled === false) tables.passkeys.delete(user.id)
  if (hash !== undefined) endSessionsOf(engine, user.id)
  const changed = tables.users.patch(user.id, {
    ...givenFields(changes, user),
    ...presentIn({ selectedTeamId, password: hash }),
    // A saved secret makes the second factor required at once, without a code to confirm it.
    ...(totpSecretBase64 !== undefined && { totpSecretBase64, requiresTotpMfa: totpSecretBase64 !== null }),
    ...(changes.isAnonymous === false && { isAnonymous: false }),
  })
  tellUserUpdated(engine, changed)
  return changed
}

/** The hash to store; undefined without a change of the password, null to remove it. */
export async function passwordOf(
  { passwordCost, settings }: Engine,
  fields: Pick<ServerChanges, 'password' | 'passwordHash'>,
): Promise<string | null | undefined> {
  const { password, passwordHash } = fields
  if (password != null && passwordHash !== undefined) throw plain(400, 'Give a password or its hash, not both.')
  if (setsPassword(fields) && !settings.credentialEnabled)
    throw plain(400, 'This project does not have password sign-in.')
  if (passwordHash === undefined) return typeof password === 'string' ? hashPassword(password, passwordCost) : password
  if (!isImportableHash(passwordHash)) throw plain(400, 'The password hash must be a bcrypt hash of at most 16 rounds.')
  return passwordHash
}

function setsPassword({ password, passwordHash }: Pick<ServerChanges, 'password' | 'passwordHash'>): boolean {
  return password != null || passwordHash !== undefined
}
