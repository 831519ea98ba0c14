import { primaryChannelOf } from '../accounts'
import type { Engine } from '../engine'
import type { ServerTeam } from '../../server/teams'
import type { ServerUser } from '../../server/users'
import type { UserRow } from '../tables'
import type { TeamRow } from '../team-tables'

/** The user as servers and admins see it. */
export function toServerUser({ tables }: Engine, user: UserRow): ServerUser {
  const channel = primaryChannelOf(tables, user.id)
  const team = user.selectedTeamId === null ? undefined : tables.teams.get(user.selectedTeamId)
  const hasPassword = user.password !== null
  return {
    ...user,
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
  }
}

/** The team as servers and admins see it. */
export function toServerTeam(team: TeamRow): ServerTeam {
  return { ...team, createdAt: new Date(team.createdAt) }
}
