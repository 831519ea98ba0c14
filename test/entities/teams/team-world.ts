import { createServerApp, type ServerApp } from 'rxauth/server'
import type { Team, TeamMember } from 'rxauth'
import type { SeedPermission, Wire } from 'rxauth/platform'
import { ada, grace, world, type World } from '../../world'

export const [opsId, labId] = ['b0c1d2e3-1111-4222-8333-444455556666', 'c0c1d2e3-1111-4222-8333-444455556667'] as const

export const eve = { email: 'eve@example.com', displayName: 'Eve' }

export interface TeamWorld extends World {
  readonly server: ServerApp
  readonly adaId: string
  readonly graceId: string
}

/** Ada in two teams: with Grace and all rights in Ops, with Eve and few in Lab. Clients may create teams. */
export async function teamWorld(
  permissions: readonly SeedPermission[] = [],
  wire: Wire = '2.8.18',
): Promise<TeamWorld> {
  const one = await world({
    platform: {
      wire,
      seed: {
        project: { config: { clientTeamCreationEnabled: true } },
        permissions,
        users: [ada, grace, eve],
        teams: [
          { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] },
          { id: labId, displayName: 'Lab', members: [ada, eve] },
        ],
      },
    },
  })
  const server = createServerApp(one.platform.serverOptions)
  const { items } = await one.settled(server.users$().get())
  const [adaId = '', graceId = ''] = items.map(({ id }) => id)
  one.requests.length = 0
  return { ...one, server, adaId, graceId }
}

export const namesOf = (all: readonly (Team | TeamMember)[]) => all.map(({ displayName }) => displayName)

/** What a store shows from now on. */
export async function watch<T, S>(
  { clock }: Pick<World, 'clock'>,
  store: { subscribe(next: (value: T) => void): unknown },
  select: (value: T) => S,
): Promise<S[]> {
  const shown: S[] = []
  store.subscribe(value => shown.push(select(value)))
  await clock.advance(1000)
  return shown
}

/** Permissions of the whole project. */
export const projectPermissions = [
  { id: 'publish', scope: 'project' as const, contains: ['draft'] },
  { id: 'draft', scope: 'project' as const },
]

export const updateTeam = { permissionId: '$update_team', teamId: opsId } as const
