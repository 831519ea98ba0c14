import { anyUser$ } from '../client/current-user'
import { ofTeam } from '../client/of-team'
import { team$, teams$ } from '../client/teams'
import type { Patch } from '../../store/source'
import type { Target } from '../../store/definition'
import { only, patch } from '../../store/mutation'
import { teamPermissionsOf$ } from './permissions'
import { teamApiKeyById$, teamApiKeysOf$ } from './team-api-keys'
import { teamInvitationsOf$ } from './team-invitations'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { allTeams$, teamById$, teamsOf$ } from './teams'
import type { ServerTeam } from './teams'
import { ownUser$, userById$, users$ } from './users'

/** Stores of users contain the selected team, and those of members the users. */
const selecting = [userById$, users$, ownUser$, anyUser$, teamMembersOf$, teamMemberProfilesOf$, teamMemberProfileById$]

/** Every store that contains a team's own fields. */
export function ofTeamItself(teamId: string): readonly Target[] {
  return [allTeams$, teamsOf$, only(teamById$, { teamId }), teams$, only(team$, { teamId }), ...selecting]
}

/** Applies a team from an answer to every store. */
export function teamAsItIs(team: ServerTeam): readonly Patch[] {
  const replaced = (all: readonly ServerTeam[]) => all.map(other => (other.id === team.id ? team : other))
  return [
    patch(allTeams$, {}, replaced),
    patch(teamsOf$, {}, replaced),
    patch(teamById$, { teamId: team.id }, () => team),
  ]
}

/** Every store that contains a team, or depends on it. */
export function ofTeamAndMembers(teamId: string): readonly Target[] {
  return [
    allTeams$,
    teamsOf$,
    only(teamById$, { teamId }),
    teamPermissionsOf$,
    only(teamInvitationsOf$, { teamId }),
    only(teamApiKeysOf$, { teamId }),
    only(teamApiKeyById$, { teamId }),
    teams$,
    ...ofTeam(teamId),
    ...selecting,
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
