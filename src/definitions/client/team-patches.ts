import { patch } from '../../store/mutation'
import type { Patch } from '../../store/source'
import { anyUser$ } from './current-user'
import { teamApiKey$, teamApiKeys$ } from './team-api-keys'
import { teamInvitations$ } from './team-invitations'
import { team$, teams$ } from './teams'
import type { Team } from './teams'

/** Applies a change of a team to every store that shows it. */
export function inTeam(teamId: string, change: (team: Team) => Team): Patch[] {
  return [
    patch(teams$, {}, all => all.map(team => (team.id === teamId ? change(team) : team))),
    patch(team$, { teamId }, team => team && change(team)),
    patch(
      anyUser$,
      {},
      user =>
        user && {
          ...user,
          selectedTeam: user.selectedTeam?.id === teamId ? change(user.selectedTeam) : user.selectedTeam,
        },
    ),
  ]
}

/** Removes a team from the stores of the user. */
export function withoutTeam(teamId: string): Patch[] {
  return [
    patch(teams$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(team$, { teamId }, () => null),
    patch(teamInvitations$, { teamId }, () => []),
    patch(teamApiKeys$, { teamId }, () => []),
    patch(teamApiKey$, { teamId }, () => null),
    patch(anyUser$, {}, user =>
      user?.selectedTeamId === teamId ? { ...user, selectedTeamId: null, selectedTeam: null } : user,
    ),
  ]
}
