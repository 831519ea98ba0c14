import { anyUser$ } from '../resources/current-user'
import { ofTeam } from '../resources/of-team'
import { team$, teams$ } from '../resources/teams'
import type { Patch, Target } from '../store/definition'
import { only, patch } from '../store/mutation'
import { teamPermissionsOf$ } from './permissions'
import { teamApiKeyById$, teamApiKeysOf$ } from './team-api-keys'
import { teamInvitationsOf$ } from './team-invitations'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { allTeams$, teamById$, teamsOf$ } from './teams'
import type { ServerTeam } from './teams'
import { ownUser$, userById$, users$ } from './users'

/** Users show the team that they have selected, and so do the members of a team. */
const selecting = [userById$, users$, ownUser$, anyUser$, teamMembersOf$, teamMemberProfilesOf$, teamMemberProfileById$]

/** Every store that shows a team itself. */
export function ofTeamItself(teamId: string): readonly Target[] {
  return [allTeams$, teamsOf$, only(teamById$, { teamId }), teams$, only(team$, { teamId }), ...selecting]
}

/** The team as the platform has just told it. */
export function teamAsItIs(team: ServerTeam): readonly Patch[] {
  const replaced = (all: readonly ServerTeam[]) => all.map(other => (other.id === team.id ? team : other))
  return [
    patch(allTeams$, {}, replaced),
    patch(teamsOf$, {}, replaced),
    patch(teamById$, { teamId: team.id }, () => team),
  ]
}

/** Every store that shows a team, or what goes with it. */
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

/** A team that is no more. */
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
