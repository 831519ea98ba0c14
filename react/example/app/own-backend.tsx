import type { ReactNode } from 'react'
import { mutation, patch, query, teamPermissions$ } from 'rxauth'
import { OwnBackendProvider, type MemberRole, type OwnBackend, type Role } from '../shell/own-backend'
import { App } from './app'
import { askBackend } from './backend'

/** The browser of each session by the session's id, as the backend has seen it. */
const devices$ = query(
  async (kit, _: {}, { signal }) =>
    (await askBackend(kit, { method: 'GET', path: '/api/devices', signal })) as Readonly<Record<string, string>>,
  { key: 'devices', ownedBy: 'session', signedOut: {} },
)

/** The members' roles: the platform shows a browser only its own user's permissions. */
const roles$ = query(
  async (kit, { teamId }: { teamId: string }, { signal }) =>
    (await askBackend(kit, { method: 'GET', path: `/api/team-roles/${teamId}`, signal })) as readonly MemberRole[],
  // Stale when a member joins or leaves, and when a permission in the team is granted or revoked.
  { key: 'team-roles', ownedBy: 'session', signedOut: [], partOf: ['team', 'permission'] },
)

/** Changes a member's role: shown at once, and undone if the backend refuses. */
const changeRole = mutation(
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

/** The stores and calls of the backend in `server` that the screens use. */
const ownBackend: OwnBackend = {
  devices: devices$,
  roles: { of: roles$, change: changeRole },
  deleteAccount: (kit, { confirmation }) =>
    askBackend(kit, { method: 'DELETE', path: '/api/account', headers: { 'x-confirmation': confirmation } }),
}

/** The pages of the product, with what its backend adds. The admin area has none: the backend knows no owners of projects. */
export function Product(): ReactNode {
  return (
    <OwnBackendProvider value={ownBackend}>
      <App />
    </OwnBackendProvider>
  )
}
