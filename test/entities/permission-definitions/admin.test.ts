import type { AdminApp, PermissionDefinition } from 'rxauth/admin'
import { ada, grace } from '../../world'
import { adminWorld as newAdminWorld } from '../admin-world'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'

async function adminWorld() {
  const seed = {
    users: [ada, grace],
    teams: [{ id: teamId, displayName: 'Ops', members: [ada, grace] }],
    permissions: [
      { id: 'write', scope: 'team', contains: ['team_member'], description: 'Write pages' },
      { id: 'edit', scope: 'team', contains: ['write'] },
      { id: 'publish', scope: 'project' },
    ],
  } as const
  const one = await newAdminWorld({ seed })
  const adaId = (await one.inTime(one.app.user$.get()))!.id
  return { ...one, adaId }
}

/** The two kinds, alike but for what they contain. */
const kinds = [
  [
    'teams',
    {
      list$: (app: AdminApp) => app.teamPermissionDefinitions$,
      create: (app: AdminApp) => app.createTeamPermissionDefinition,
      update: (app: AdminApp) => app.updateTeamPermissionDefinition,
      remove: (app: AdminApp) => app.deleteTeamPermissionDefinition,
      inner: '$read_members',
    },
  ],
  [
    'the whole project',
    {
      list$: (app: AdminApp) => app.projectPermissionDefinitions$,
      create: (app: AdminApp) => app.createProjectPermissionDefinition,
      update: (app: AdminApp) => app.updateProjectPermissionDefinition,
      remove: (app: AdminApp) => app.deleteProjectPermissionDefinition,
      inner: 'publish',
    },
  ],
] as const

describe.each(kinds)('a permission of %s', (_, { list$, create, update, remove, inner }) => {
  it('shows no overlay for a change that the platform will refuse', async () => {
    const { admin, clock, inTime } = await adminWorld()
    await inTime(create(admin)({ id: 'a:one' }))
    await inTime(create(admin)({ id: 'a:two' }))
    const shown: PermissionDefinition[][] = []
    list$(admin).subscribe(all => shown.push(all))
    await inTime(list$(admin).get())
    const description = null
    const refused = [
      create(admin)({ id: 'a:one', description: 'again' }),
      update(admin)({ permissionId: 'a:one', id: 'a:two', description, containedPermissionIds: [] }),
      update(admin)({ permissionId: 'a:none', description, containedPermissionIds: [] }),
      update(admin)({ permissionId: '$read_members', description, containedPermissionIds: [] }),
      remove(admin)({ permissionId: 'a:none' }),
      remove(admin)({ permissionId: '$read_members' }),
    ]
    await clock.advance(10_000)
    expect((await Promise.all(refused)).map(({ ok }) => ok)).toEqual(refused.map(() => false))
    expect(shown).toHaveLength(1)
  })

  // Promise: update-keeps-fields
  it('keeps what another admin has given it in the meantime', async () => {
    const { admin, bodies, fresh, inTime, settled } = await adminWorld()
    await inTime(create(admin)({ id: 'a', description: 'old', containedPermissionIds: [inner] }))
    list$(admin).subscribe()
    await settled(list$(admin).get())
    // At once, so that what is shown is not too old to be used.
    await settled(update(fresh())({ permissionId: 'a', description: 'new', containedPermissionIds: [inner] }))
    bodies.length = 0
    await inTime(update(admin)({ permissionId: 'a', id: 'b' }))
    expect(bodies).toEqual([{ id: 'b', description: 'new', contained_permission_ids: [inner] }])
  })
})
