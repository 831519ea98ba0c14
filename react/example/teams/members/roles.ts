import { mutation, patch, query, teamPermissions$ } from 'rxauth'
import { askBackend } from '../../app/backend'

/** Roles: permissions that contain others, and that the backend grants. */
export type Role = 'team_admin' | 'team_member'

export const roleNames: Readonly<Record<Role, string>> = { team_admin: 'Admin', team_member: 'Member' }

/** A member's role; null without one. */
export interface MemberRole {
  readonly userId: string
  readonly role: Role | null
}

/** The members' roles, from the app's backend: the platform shows a browser only its own user's permissions. */
export const roles$ = query(
  async (kit, { teamId }: { teamId: string }, { signal }) =>
    (await askBackend(kit, { method: 'GET', path: `/api/team-roles/${teamId}`, signal })) as readonly MemberRole[],
  // Stale when a member joins or leaves, and when a permission in the team is granted or revoked.
  { key: 'team-roles', ownedBy: 'session', signedOut: [], partOf: ['team', 'permission'] },
)

/** Changes a member's role: shown at once, and undone if the backend refuses. */
export const changeRole = mutation(
  async (kit, { teamId, userId, role }: { teamId: string; userId: string; role: Role }, { signal }) => {
    await askBackend(kit, { method: 'PUT', path: `/api/team-roles/${teamId}/${userId}`, body: { role }, signal })
  },
  {
    refreshes: () => [roles$, teamPermissions$],
    optimistic: ({ teamId, userId, role }) => [
      patch(roles$, { teamId }, all => all.map(each => (each.userId === userId ? { userId, role } : each))),
    ],
  },
)
