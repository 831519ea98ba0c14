import { presentIn } from '../../core/values'
import type { updateOwnUser } from '../../entities/users/server-writes'
import { setPrimaryEmail } from './users'
import { primaryChannelOf, requireUser, restrictionChanges } from '../model/restriction'
import type { InputOf } from '../http/declared'
import type { Engine } from '../model/engine'
import { hashPassword, isImportableHash } from './passwords'
import { known, plain } from '../model/refusal'
import { endSessionsOf } from './sessions'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'
import type { StoredRiskScores, UserRow } from '../model/users'
import { isMember } from './teams'
import { tellUserUpdated } from '../webhooks/webhook-events'

/** Fields that servers may set, on the newer release only. */
export interface SaidByServers {
  readonly countryCode?: string | null | undefined
  readonly riskScores?: StoredRiskScores | undefined
}

type ServerChanges = InputOf<typeof updateOwnUser> & SaidByServers

type UserChanges = Pick<
  ServerChanges,
  | 'displayName'
  | 'profileImageUrl'
  | 'clientMetadata'
  | 'selectedTeamId'
  | 'totpSecretBase64'
  | 'otpAuthEnabled'
  | 'passkeyAuthEnabled'
>

/** The row's new fields, after their checks. */
function changedFields(
  { tables }: Engine,
  project: ProjectRow,
  user: UserRow,
  changes: UserChanges,
): Partial<Omit<UserRow, 'id'>> {
  const { displayName, selectedTeamId, totpSecretBase64, otpAuthEnabled, passkeyAuthEnabled } = changes
  const { profileImageUrl, clientMetadata } = changes
  if (passkeyAuthEnabled) throw plain(400, 'A passkey is added by registering it, not by switching it on.')
  if (otpAuthEnabled && !configOf(project).magicLinkEnabled)
    throw plain(400, 'This project does not have sign-in by e-mailed code.')
  if (typeof selectedTeamId === 'string' && !isMember(tables, selectedTeamId, user.id))
    throw known('TEAM_MEMBERSHIP_NOT_FOUND', 'The user is not a member of the selected team.', {
      teamId: selectedTeamId,
      userId: user.id,
    })
  return {
    ...(displayName !== undefined && { displayName: displayName || null }),
    ...presentIn({ profileImageUrl, clientMetadata, selectedTeamId, otpAuthEnabled }),
    // A saved secret makes the second factor required at once, without a code to confirm it.
    ...(totpSecretBase64 !== undefined && { totpSecretBase64, requiresTotpMfa: totpSecretBase64 !== null }),
  }
}

/** Applies a server's changes; checks all of them before the first write. */
export async function updateAsServer(
  engine: Engine,
  project: ProjectRow,
  asked: UserRow,
  changes: ServerChanges,
): Promise<UserRow> {
  const { tables } = engine
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled, passkeyAuthEnabled } = changes
  if (setsPassword(changes) && asked.password === null) {
    const hasEmail =
      primaryEmail === undefined ? primaryChannelOf(tables, asked.id) !== undefined : primaryEmail !== null
    if (!hasEmail) throw plain(400, 'A first password needs a primary e-mail address.')
  }
  const hash = await passwordOf(engine, project, changes)
  // The user may have been changed or deleted while the password was hashed.
  const user = requireUser(engine, asked.id)
  const fields = changedFields(engine, project, user, changes)
  const email = { email: primaryEmail, isVerified: primaryEmailVerified, usedForAuth: primaryEmailAuthEnabled }
  setPrimaryEmail(engine, user, presentIn(email))
  if (passkeyAuthEnabled === false) tables.passkeys.delete(user.id)
  if (hash !== undefined) endSessionsOf(engine, user.id)
  const { clientReadOnlyMetadata, serverMetadata } = changes
  const changed = tables.users.patch(user.id, {
    ...fields,
    ...presentIn({ password: hash, clientReadOnlyMetadata, serverMetadata }),
    ...(changes.isAnonymous === false && { isAnonymous: false }),
    ...restrictionChanges(changes, user),
    ...saidByServers(changes),
  })
  tellUserUpdated(engine, changed)
  return changed
}

/** The row's new fields; none if the request sets none, since adding null fields would count as a change. */
export function saidByServers({ countryCode, riskScores }: SaidByServers): Partial<UserRow> {
  return { ...(countryCode !== undefined && { countryCode }), ...(riskScores && { riskScores }) }
}

/** The hash to store; undefined without a change of the password, null to remove it. */
export async function passwordOf(
  { passwordCost }: Engine,
  project: ProjectRow,
  fields: Pick<ServerChanges, 'password' | 'passwordHash'>,
): Promise<string | null | undefined> {
  const { password, passwordHash } = fields
  if (password != null && passwordHash !== undefined) throw plain(400, 'Give a password or its hash, not both.')
  if (setsPassword(fields) && !configOf(project).credentialEnabled)
    throw plain(400, 'This project does not have password sign-in.')
  if (passwordHash === undefined) return typeof password === 'string' ? hashPassword(password, passwordCost) : password
  if (!isImportableHash(passwordHash)) throw plain(400, 'The password hash must be a bcrypt hash of at most 16 rounds.')
  return passwordHash
}

function setsPassword({ password, passwordHash }: Pick<ServerChanges, 'password' | 'passwordHash'>): boolean {
  return password != null || passwordHash !== undefined
}
