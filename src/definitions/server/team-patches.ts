import { patch } from '../../store/mutation'
import type { Patch } from '../../store/source'
import { teamApiKeyById$, teamApiKeysOf$ } from './team-api-keys'
import { teamInvitationsOf$ } from './team-invitations'
import { teamMembersOf$ } from './team-members'
import { allTeams$, teamById$, teamsOf$ } from './teams'
import type { ServerTeam } from './teams'

/** Applies a team from an answer to every store. */
export function teamAsItIs(team: ServerTeam): readonly Patch[] {
  const replaced = (all: readonly ServerTeam[]) => all.map(other => (other.id === team.id ? team : other))
  return [
    patch(allTeams$, {}, replaced),
    patch(teamsOf$, {}, replaced),
    patch(teamById$, { teamId: team.id }, () => team),
  ]
}

/** Removes a deleted team from every store. */
export function teamGone(teamId: string): readonly Patch[] {
  return [
    patch(allTeams$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(teamsOf$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(teamById$, { teamId }, () => null),
    patch(teamMembersOf$, { teamId }, () => []),
    patch(teamInvitationsOf$, { teamId }, () => []),
    patch(teamApiKeysOf$, { teamId }, () => []),
    patch(teamApiKeyById$, { teamId }, () => null),
  ]
}
