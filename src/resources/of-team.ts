import { only } from '../store/mutation'
import type { Target } from '../store/definition'
import { teamPermissions$ } from './permissions'
import { teamMemberProfile$, teamMembers$ } from './team-members'
import { team$ } from './teams'

/** Every store that shows something of one team; a list over all teams is among them. */
export function ofTeam(teamId: string): readonly Target[] {
  return [
    only(team$, { teamId }),
    only(teamMembers$, { teamId }),
    only(teamMemberProfile$, { teamId }),
    teamPermissions$,
  ]
}
