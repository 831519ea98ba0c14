import { ofTeam } from '../client/of-team'
import { projectPermissions$ } from '../client/permissions'
import type { Target } from '../../store/definition'
import { only } from '../../store/mutation'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions'

interface OfUser {
  readonly userId: string
}

/** Every store with a permission in a team, including those that the platform shows only to members with a permission. */
export function ofTeamPermission({ teamId, userId }: OfUser & { readonly teamId: string }): readonly Target[] {
  return [only(teamPermissionsOf$, { userId }), ...ofTeam(teamId)]
}

/** Every store with a permission in the whole project. */
export function ofProjectPermission({ userId }: OfUser): readonly Target[] {
  return [only(projectPermissionsOf$, { userId }), projectPermissions$]
}
