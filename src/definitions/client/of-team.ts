import { only } from '../../store/mutation'
import type { Target } from '../../store/definition'
import { teamPermissions$ } from './permissions'
import { teamApiKey$, teamApiKeys$ } from './team-api-keys'
import { teamInvitations$ } from './team-invitations'
import { teamMemberProfile$, teamMembers$ } from './team-members'
import { team$ } from './teams'

/**
 * Every store that depends on one team, or that the platform shows only to members with a permission there; without an id,
 * of all teams. Lists over all teams are included.
 */
export function ofTeam(teamId?: string): readonly Target[] {
  const team = teamId === undefined ? {} : { teamId }
  return [
    only(team$, team),
    only(teamMembers$, team),
    only(teamMemberProfile$, team),
    only(teamInvitations$, team),
    only(teamApiKeys$, team),
    only(teamApiKey$, team),
    teamPermissions$,
  ]
}
