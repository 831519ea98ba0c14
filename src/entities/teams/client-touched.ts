import type { Target } from '../../store/definition'
import { allOf } from '../../store/definition'
import { patch } from '../../store/write/mutation'
import { changeBoth, removeBoth } from '../rows'
import type { Patch } from '../../store/source'
import { anyUser$ } from '../users/client'
import { teamPermissions$ } from '../permissions/client'
import { teamApiKey$, teamApiKeys$ } from '../api-keys/client-team'
import { teamInvitations$ } from '../team-invitations/client'
import { team$, teams$ } from './client'
import type { Team } from './client'

const teamsAndTeam = [teams$, team$] as const

/** Applies a change of a team to every store that shows it. */
export function inTeam(teamId: string, change: (team: Team) => Team): Patch[] {
  return [
    ...changeBoth(teamsAndTeam, {}, { teamId }, teamId, change),
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

/** The stores that change when the user is no longer a member of a team. */
export function afterTeam(teamId: string): readonly Target[] {
  return [allOf('teams', {}), allOf('team', { teamId }), anyUser$, teamPermissions$]
}

/** Removes a team from the stores of the user. */
export function withoutTeam(teamId: string): Patch[] {
  return [
    ...removeBoth(teamsAndTeam, {}, { teamId }, teamId),
    patch(teamInvitations$, { teamId }, () => []),
    patch(teamApiKeys$, { teamId }, () => []),
    patch(teamApiKey$, { teamId }, () => null),
    patch(anyUser$, {}, user =>
      user?.selectedTeamId === teamId ? { ...user, selectedTeamId: null, selectedTeam: null } : user,
    ),
  ]
}
