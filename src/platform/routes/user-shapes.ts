import * as v from 'valibot'
import { json } from '../../core/wire'
import { primaryChannelOf } from '../primary-channel'
import type { Engine } from '../engine'
import type { ServerTeam } from '../../server/teams'
import type { ServerUser } from '../../server/users'
import { restrictionOf } from '../restriction'
import type { Restriction } from '../restriction'
import type { UserRow } from '../tables'
import type { TeamRow } from '../team-tables'

/** What only the newer release says of a user. */
export const restrictionFields = {
  isRestricted: v.boolean(),
  restrictedReason: v.nullable(json<Restriction>()),
  restrictedByAdmin: v.boolean(),
  restrictedByAdminReason: v.nullable(v.string()),
}

/** The user as servers and admins see it. */
export function toServerUser(engine: Engine, user: UserRow): ServerUser {
  const { tables, rules } = engine
  const restriction = restrictionOf(engine, user)
  const channel = primaryChannelOf(tables, user.id)
  const team = user.selectedTeamId === null ? undefined : tables.teams.get(user.selectedTeamId)
  const hasPassword = user.password !== null
  const {
    restrictedByAdmin,
    restrictedByAdminReason: reason,
    restrictedByAdminPrivateDetails: details,
    ...known
  } = user
  return {
    ...known,
    primaryEmail: channel?.value ?? null,
    primaryEmailVerified: channel?.isVerified ?? false,
    primaryEmailAuthEnabled: channel?.usedForAuth ?? false,
    signedUpAt: new Date(user.signedUpAt),
    lastActiveAt: new Date(user.lastActiveAt),
    hasPassword,
    passkeyAuthEnabled: tables.passkeys.get(user.id) !== undefined,
    authWithEmail: hasPassword || user.otpAuthEnabled,
    oauthProviders: tables.oauthAccounts
      .by('userId', user.id)
      .map(({ provider, accountId, email }) => ({ id: provider, accountId, email })),
    selectedTeamId: team?.id ?? null,
    selectedTeam: team ? toServerTeam(team) : null,
    ...(rules.limitsUsers && {
      isRestricted: restriction !== null,
      restrictedReason: restriction,
      restrictedByAdmin,
      restrictedByAdminReason: reason ?? null,
      restrictedByAdminPrivateDetails: details ?? null,
    }),
  }
}

/** The team as servers and admins see it. */
export function toServerTeam(team: TeamRow): ServerTeam {
  return { ...team, createdAt: new Date(team.createdAt) }
}
