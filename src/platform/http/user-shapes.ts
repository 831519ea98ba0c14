import * as v from 'valibot'
import { json } from '../../core/wire'
import type { ServerTeam } from '../../entities/teams/server'
import { ServerUser } from '../../entities/users/server'
import type { Engine } from '../model/engine'
import { shortName } from '../model/limits'
import { primaryChannelOf, restrictionOf } from '../model/restriction'
import type { WireRestriction } from '../model/access-tokens'
import { extended } from './serve'
import type { UserRow } from '../model/users'
import type { TeamRow } from '../model/teams'

const score = v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(100, 'must be at most 100'))

const saidByServers = {
  countryCode: v.nullable(v.string()),
  riskScores: v.object({ signUp: v.object({ bot: score, freeTrialAbuse: score }) }),
}

const seenByServers = { restrictedByAdminPrivateDetails: v.nullable(v.string()), ...saidByServers }

const newerFields = {
  isRestricted: v.boolean(),
  restrictedReason: v.nullable(json<WireRestriction>()),
  restrictedByAdmin: v.boolean(),
  restrictedByAdminReason: v.nullable(v.string()),
  ...seenByServers,
}

export const NewerServerUser = extended(ServerUser, newerFields)

const serversOnly = Object.keys(seenByServers)

export const newerUser = { answers: newerFields, serversOnly }

export const newerUserChanges = {
  ...newerUser,
  body: { displayName: shortName, ...v.partial(v.object(saidByServers)).entries },
}

/** The user for servers and admins. Copied field by field: rest syntax would take ten times as long. */
export function toServerUser(engine: Engine, user: UserRow): ServerUser {
  const { tables, rules } = engine
  const channel = primaryChannelOf(tables, user.id)
  const team = user.selectedTeamId === null ? undefined : tables.teams.get(user.selectedTeamId)
  const hasPassword = user.password !== null
  const shown: ServerUser = {
    id: user.id,
    displayName: user.displayName,
    profileImageUrl: user.profileImageUrl,
    primaryEmail: channel?.value ?? null,
    primaryEmailVerified: channel?.isVerified ?? false,
    primaryEmailAuthEnabled: channel?.usedForAuth ?? false,
    signedUpAt: new Date(user.signedUpAt),
    lastActiveAt: new Date(user.lastActiveAt),
    clientMetadata: user.clientMetadata,
    clientReadOnlyMetadata: user.clientReadOnlyMetadata,
    serverMetadata: user.serverMetadata,
    hasPassword,
    otpAuthEnabled: user.otpAuthEnabled,
    passkeyAuthEnabled: tables.passkeys.get(user.id) !== undefined,
    authWithEmail: hasPassword || user.otpAuthEnabled,
    requiresTotpMfa: user.requiresTotpMfa,
    isAnonymous: user.isAnonymous,
    oauthProviders: tables.oauthAccounts
      .by('userId', user.id)
      .map(({ provider, accountId, email }) => ({ id: provider, accountId, email })),
    selectedTeamId: team?.id ?? null,
    selectedTeam: team ? toServerTeam(team) : null,
  }
  return rules.limitsUsers ? { ...shown, ...newerFieldsOf(engine, user) } : shown
}

function newerFieldsOf(engine: Engine, user: UserRow) {
  const restriction = restrictionOf(engine, user)
  return {
    isRestricted: restriction !== null,
    restrictedReason: restriction,
    restrictedByAdmin: user.restrictedByAdmin,
    restrictedByAdminReason: user.restrictedByAdminReason ?? null,
    restrictedByAdminPrivateDetails: user.restrictedByAdminPrivateDetails ?? null,
    countryCode: user.countryCode ?? null,
    riskScores: user.riskScores ?? { signUp: { bot: 0, freeTrialAbuse: 0 } },
  }
}

export function toServerTeam(team: TeamRow): ServerTeam {
  return { ...team, createdAt: new Date(team.createdAt) }
}
