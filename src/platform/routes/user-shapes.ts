import * as v from 'valibot'
import { json, millis } from '../../core/wire'
import type { Shape } from '../../core/wire'
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import type { CurrentUser } from '../../resources/current-user'
import { primaryChannelOf } from '../accounts'
import type { Engine } from '../engine'
import type { TeamRow, UserRow } from '../tables'

const teamForServers = v.object({
  id: v.string(),
  displayName: v.string(),
  profileImageUrl: v.nullable(v.string()),
  createdAt: millis(),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
  serverMetadata: json<ServerMetadata>(),
})

/** A team as servers and admins read it. */
export interface TeamForServers extends v.InferOutput<typeof teamForServers> {}
export const TeamForServers: Shape<TeamForServers> = teamForServers

const userForServers = v.object({
  id: v.string(),
  displayName: v.nullable(v.string()),
  primaryEmail: v.nullable(v.string()),
  primaryEmailVerified: v.boolean(),
  primaryEmailAuthEnabled: v.boolean(),
  profileImageUrl: v.nullable(v.string()),
  signedUpAt: millis(),
  lastActiveAt: millis(),
  clientMetadata: json<ClientMetadata>(),
  clientReadOnlyMetadata: json<ClientReadOnlyMetadata>(),
  serverMetadata: json<ServerMetadata>(),
  hasPassword: v.boolean(),
  otpAuthEnabled: v.boolean(),
  passkeyAuthEnabled: v.boolean(),
  authWithEmail: v.boolean(),
  requiresTotpMfa: v.boolean(),
  isAnonymous: v.boolean(),
  oauthProviders: v.array(v.object({ id: v.string(), accountId: v.string(), email: v.nullable(v.string()) })),
  selectedTeamId: v.nullable(v.string()),
  selectedTeam: v.nullable(TeamForServers),
})

/** A user as servers and admins read it. */
export interface UserForServers extends v.InferOutput<typeof userForServers> {}
export const UserForServers: Shape<UserForServers> = userForServers

/** The user as servers and admins see it. */
export function toUserForServers({ tables }: Engine, user: UserRow): UserForServers {
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
    selectedTeam: team ? toTeamForServers(team) : null,
  }
}

/** The user as the user's own apps see it. */
export function toCurrentUser(engine: Engine, user: UserRow): CurrentUser {
  const { serverMetadata: _, selectedTeam, ...rest } = toUserForServers(engine, user)
  return { ...rest, selectedTeam: selectedTeam && withoutServerMetadata(selectedTeam) }
}

export function toTeamForServers(team: TeamRow): TeamForServers {
  return { ...team, createdAt: new Date(team.createdAt) }
}

function withoutServerMetadata({ serverMetadata: _, ...team }: TeamForServers): Omit<TeamForServers, 'serverMetadata'> {
  return team
}
