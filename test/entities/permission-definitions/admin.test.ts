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
      other: 'publish',
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
      other: 'write',
    },
  ],
] as const

const own = (all: readonly PermissionDefinition[]) => all.filter(({ id }) => id.startsWith('a'))

describe.each(kinds)('a permission of %s', (_, { list$, create, update, remove, inner, other }) => {
  it('is created, changed and deleted, and every step is shown from the answer, the same as a load shows it', async () => {
    const { admin, fresh, inTime, clock } = await adminWorld()
    const shown: PermissionDefinition[][] = []
    list$(admin).subscribe(all => shown.push(all))
    await inTime(list$(admin).get())
    const steps = [
      () => create(admin)({ id: 'a:one', description: 'One', containedPermissionIds: [inner] }),
      () => create(admin)({ id: 'a_two', containedPermissionIds: ['a:one'] }),
      () => update(admin)({ permissionId: 'a:one', id: 'a:1' }),
      () => update(admin)({ permissionId: 'a:1', description: 'Eins' }),
      () => update(admin)({ permissionId: 'a:1', containedPermissionIds: [] }),
      () => update(admin)({ permissionId: 'a:1', description: null }),
      () => remove(admin)({ permissionId: 'a:1' }),
    ]
    const states = [
      [{ id: 'a:one', description: 'One', containedPermissionIds: [inner] }],
      [
        { id: 'a:one', description: 'One', containedPermissionIds: [inner] },
        { id: 'a_two', description: null, containedPermissionIds: ['a:one'] },
      ],
      ...[
        { id: 'a:1', description: 'One', containedPermissionIds: [inner] },
        { id: 'a:1', description: 'Eins', containedPermissionIds: [inner] },
        { id: 'a:1', description: 'Eins', containedPermissionIds: [] },
        { id: 'a:1', description: null, containedPermissionIds: [] },
      ].map(first => [first, { id: 'a_two', description: null, containedPermissionIds: ['a:1'] }]),
      [{ id: 'a_two', description: null, containedPermissionIds: [] }],
    ]
    for (const [index, step] of steps.entries()) {
      const writing = step()
      let atOnce: PermissionDefinition[] | undefined
      const after = writing.then(result => {
        atOnce = shown.at(-1)
        return result
      })
      expect(await inTime(after)).toMatchObject({ ok: true })
      expect(own(atOnce ?? [])).toEqual(states[index])
      await clock.advance(1000)
      expect(shown.at(-1)).toEqual(await inTime(list$(fresh()).get()))
    }
  })

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

  it('needs no read if no field is left out', async () => {
    const { admin, requests, inTime } = await adminWorld()
    await inTime(create(admin)({ id: 'a' }))
    requests.length = 0
    await inTime(update(admin)({ permissionId: 'a', description: null, containedPermissionIds: [inner] }))
    expect(requests.map(line => line.split(' ')[0])).toEqual(['PATCH'])
  })

  it('can be aborted while its present state loads', async () => {
    const { admin, requests, settled } = await adminWorld()
    const controller = new AbortController()
    const updating = update(admin)({ permissionId: 'a', description: 'x' }, { signal: controller.signal })
    controller.abort()
    await expect(settled(updating)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(requests.filter(line => line.startsWith('PATCH'))).toEqual([])
  })

  it('returns an error for a taken id, an unknown part and an unknown permission', async () => {
    const { admin, inTime } = await adminWorld()
    const refused = (code: string, permissionId: string) => ({ ok: false, error: { code, details: { permissionId } } })
    const taken = refused('PERMISSION_ID_ALREADY_EXISTS', other)
    const unknown = refused('CONTAINED_PERMISSION_NOT_FOUND', other)
    const missing = refused('PERMISSION_NOT_FOUND', other)
    expect(await inTime(create(admin)({ id: other }))).toMatchObject(taken)
    expect(await inTime(create(admin)({ id: 'a', containedPermissionIds: [other] }))).toMatchObject(unknown)
    await inTime(create(admin)({ id: 'a' }))
    expect(await inTime(update(admin)({ permissionId: 'a', id: other }))).toMatchObject(taken)
    expect(await inTime(update(admin)({ permissionId: 'a', containedPermissionIds: [other] }))).toMatchObject(unknown)
    // It is a permission of the other kind.
    expect(await inTime(update(admin)({ permissionId: other, description: 'x' }))).toMatchObject(missing)
    expect(await inTime(remove(admin)({ permissionId: other }))).toMatchObject(missing)
  })
})

describe('the permissions of users', () => {
  it('in a team follow the definitions: contained, renamed, deleted', async () => {
    const { admin, adaId, inTime } = await adminWorld()
    await inTime(admin.grantTeamPermission({ teamId, userId: adaId, permissionId: 'edit' }))
    const shown: string[][] = []
    admin
      .teamPermissionsOf$({ userId: adaId, teamId })
      .subscribe(all => shown.push(all.map(({ id }) => id).filter(id => !id.startsWith('$'))))
    const direct: string[][] = []
    admin
      .teamPermissionsOf$({ userId: adaId, teamId, recursive: false })
      .subscribe(all => direct.push(all.map(({ id }) => id)))
    await inTime(admin.teamPermissionsOf$({ userId: adaId, teamId }).get())
    await inTime(admin.updateTeamPermissionDefinition({ permissionId: 'edit', id: 'revise' }))
    await inTime(admin.deleteTeamPermissionDefinition({ permissionId: 'write' }))
    await inTime(admin.createTeamPermissionDefinition({ id: 'write' }))
    await inTime(admin.updateTeamPermissionDefinition({ permissionId: 'revise', containedPermissionIds: ['write'] }))
    await inTime(admin.deleteTeamPermissionDefinition({ permissionId: 'revise' }))
    expect(shown).toEqual([
      ['edit', 'team_member', 'write'],
      ['revise', 'team_member', 'write'],
      ['revise', 'team_member'],
      ['revise', 'team_member', 'write'],
      ['team_member'],
    ])
    expect(direct).toEqual([['edit', 'team_member'], ['revise', 'team_member'], ['team_member']])
  })

  it('in the whole project follow the definitions', async () => {
    const { admin, adaId, inTime } = await adminWorld()
    await inTime(admin.grantProjectPermission({ userId: adaId, permissionId: 'publish' }))
    const shown: string[][] = []
    admin.projectPermissionsOf$({ userId: adaId }).subscribe(all => shown.push(all.map(({ id }) => id)))
    await inTime(admin.projectPermissionsOf$({ userId: adaId }).get())
    await inTime(admin.createProjectPermissionDefinition({ id: 'draft' }))
    await inTime(
      admin.updateProjectPermissionDefinition({ permissionId: 'publish', containedPermissionIds: ['draft'] }),
    )
    await inTime(admin.updateProjectPermissionDefinition({ permissionId: 'draft', id: 'sketch' }))
    await inTime(admin.deleteProjectPermissionDefinition({ permissionId: 'publish' }))
    expect(shown).toEqual([['publish'], ['draft', 'publish'], ['publish', 'sketch'], []])
  })

  it('that all users get are renamed and deleted in the configuration, and the project shows it', async () => {
    const { admin, inTime } = await adminWorld()
    const shown: unknown[] = []
    admin.adminProject$.subscribe(({ config }) => shown.push(config.teamMemberDefaultPermissions))
    await inTime(admin.adminProject$.get())
    await inTime(admin.updateTeamPermissionDefinition({ permissionId: 'team_member', id: 'mate' }))
    await inTime(admin.deleteTeamPermissionDefinition({ permissionId: 'mate' }))
    expect(shown).toEqual([[{ id: 'team_member' }], [{ id: 'mate' }], []])
  })
})
