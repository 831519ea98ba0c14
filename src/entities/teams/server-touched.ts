import { patch } from '../../store/write/mutation'
import { replaceBoth, removeBoth } from '../rows'
import type { Patch } from '../../store/source'
import { teamApiKeyById$, teamApiKeysOf$ } from '../api-keys/server-team'
import { teamInvitationsOf$ } from '../team-invitations/server'
import { teamMembersOf$ } from '../team-members/server'
import { allTeams$, teamById$, teamsOf$ } from './server'
import type { ServerTeam } from './server'

const teams = [allTeams$, teamById$] as const

/** Applies a team from an answer to every store. */
export function teamAsItIs(team: ServerTeam): readonly Patch[] {
  return [
    ...replaceBoth(teams, {}, { teamId: team.id }, team),
    patch(teamsOf$, {}, all => all.map(other => (other.id === team.id ? team : other))),
  ]
}

/** Removes a deleted team from every store. */
export function teamGone(teamId: string): readonly Patch[] {
  return [
    ...removeBoth(teams, {}, { teamId }, teamId),
    patch(teamsOf$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(teamMembersOf$, { teamId }, () => []),
    patch(teamInvitationsOf$, { teamId }, () => []),
    patch(teamApiKeysOf$, { teamId }, () => []),
    patch(teamApiKeyById$, { teamId }, () => null),
  ]
}
