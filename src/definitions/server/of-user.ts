import { anyUser$ } from '../client/current-user'
import { teamMemberProfile$, teamMembers$ } from '../client/team-members'
import { only } from '../../store/mutation'
import type { Target } from '../../store/definition'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { ownUser$, userById$, users$ } from './users'

/** Every store that contains a user's own fields; the user may be the one whose tokens this kit has. */
export function ofUser(userId: string): readonly Target[] {
  return [
    only(userById$, { userId }),
    users$,
    ownUser$,
    anyUser$,
    teamMembersOf$,
    only(teamMemberProfilesOf$, { userId }),
    only(teamMemberProfileById$, { userId }),
    teamMembers$,
    teamMemberProfile$,
  ]
}
