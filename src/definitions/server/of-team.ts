import { ofTeam as ownOfTeam } from '../client/of-team'
import { teams$ } from '../client/teams'
import { only } from '../../store/mutation'
import type { Target } from '../../store/definition'
import { teamPermissionsOf$ } from './permissions'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { teamsOf$ } from './teams'
import { users$ } from './users'

/** Every store that contains a user's membership of a team. */
export function ofMembership(teamId: string, userId: string): readonly Target[] {
  return [
    only(teamMembersOf$, { teamId }),
    only(teamMemberProfilesOf$, { userId }),
    only(teamMemberProfileById$, { teamId, userId }),
    only(teamsOf$, { userId }),
    only(users$, { teamId }),
    only(teamPermissionsOf$, { userId }),
    teams$,
    ...ownOfTeam(teamId),
  ]
}
