import { can$ } from 'rxauth'
import { isPermitted } from 'rxauth/server'
import { ada } from '../../world'
import { labId, opsId, teamWorld, watch } from './team-world'

const permissions = [
  { id: 'publish', scope: 'project' as const, contains: ['draft'] },
  { id: 'draft', scope: 'project' as const },
]
const update = { permissionId: '$update_team', teamId: opsId } as const

describe('the permissions of the signed-in user', () => {
  it('are those that are contained too, unless only the direct ones are asked for', async () => {
    const { app, adaId, settled } = await teamWorld()
    const direct = await settled(app.teamPermissions$({ teamId: opsId, recursive: false }).get())
    expect(direct).toEqual([{ id: 'team_admin', userId: adaId, teamId: opsId }])
    expect(await settled(app.teamPermissions$({ teamId: opsId }).get())).toHaveLength(7)
    expect(await settled(app.teamPermissions$().get())).toHaveLength(10)
    expect(await settled(app.projectPermissions$().get())).toEqual([])
  })

  it('are none while signed out', async () => {
    const { newApp, settled, requests } = await teamWorld()
    const app = newApp()
    expect(await settled(app.teamPermissions$({ teamId: opsId }).get())).toEqual([])
    expect(await settled(app.can$(update).get())).toBe(false)
    expect(requests).toEqual([])
  })
})

describe('can', () => {
  it('is undefined until it is known, and sends no request itself', async () => {
    const { app, clock, settled, requests } = await teamWorld()
    expect(app.can(update)).toBeUndefined()
    await clock.advance(1000)
    expect(requests).toEqual([])
    await settled(app.can$(update).get())
    expect(app.can(update)).toBe(true)
    expect(app.can({ ...update, permissionId: 'nothing' })).toBe(false)
    expect(app.can({ ...update, teamId: labId })).toBeUndefined()
    expect(app.can({ permissionId: '$update_team' })).toBeUndefined()
  })

  it('makes one request for all questions about a team', async () => {
    const one = await teamWorld()
    const { app, requests } = one
    for (const permissionId of ['$update_team', '$delete_team', 'nothing'])
      await watch(one, app.can$({ permissionId, teamId: opsId }), may => may)
    expect(requests).toEqual(['GET /team-permissions'])
  })

  it('is one store however often it is asked for', async () => {
    const one = await teamWorld()
    let computed = 0
    const store = one.app.derive(read => {
      computed++
      return read(can$(one.app, update))
    })
    const shown = await watch(one, store, may => may)
    await one.inTime(one.app.teamPermissions$({ teamId: opsId }).refresh())
    expect(shown).toEqual([true])
    expect(computed).toBeLessThan(5)
  })

  it('in the whole project is not can in a team', async () => {
    const { app, server, adaId, inTime } = await teamWorld(permissions)
    await inTime(server.grantProjectPermission({ userId: adaId, permissionId: 'publish' }))
    expect(await inTime(app.can$({ permissionId: 'draft' }).get())).toBe(true)
    expect(await inTime(app.can$({ permissionId: 'draft', teamId: opsId }).get())).toBe(false)
    expect(await inTime(app.can$({ permissionId: 'team_admin' }).get())).toBe(false)
  })

  it('changes with the next refresh after a revoke elsewhere', async () => {
    const one = await teamWorld()
    const { app, server, adaId, inTime } = one
    const shown = await watch(one, app.can$(update), may => may)
    await inTime(server.revokeTeamPermission({ teamId: opsId, userId: adaId, permissionId: 'team_admin' }))
    expect(shown).toEqual([true])
    await inTime(app.teamPermissions$({ teamId: opsId }).refresh())
    expect(shown).toEqual([true, false])
    await inTime(server.grantTeamPermission({ teamId: opsId, userId: adaId, permissionId: '$update_team' }))
    await inTime(app.can$(update).refresh())
    expect(shown).toEqual([true, false, true])
  })

  it('keeps its value when a refresh fails, with the error', async () => {
    const one = await teamWorld()
    const { app, platform, inTime } = one
    await watch(one, app.can$(update), may => may)
    platform.faults.next('GET /team-permissions', { status: 500 })
    await expect(inTime(app.can$(update).refresh())).rejects.toMatchObject({ status: 500 })
    expect(app.can(update)).toBe(true)
    expect(app.can$(update).snapshot).toMatchObject({ status: 'ready', error: { status: 500 } })
  })

  it('is dropped with the session', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.can$(update), may => may)
    await one.inTime(one.app.signOut())
    expect(shown).toEqual([true, false])
  })
})

describe('a server', () => {
  it('grants and revokes, and shows it in the lists of that user', async () => {
    const one = await teamWorld(permissions)
    const { server, graceId: userId, inTime, requests } = one
    const inTeam = await watch(one, server.teamPermissionsOf$({ userId, teamId: opsId, recursive: false }), all =>
      all.map(({ id }) => id),
    )
    const inProject = await watch(one, server.projectPermissionsOf$({ userId }), all => all.map(({ id }) => id))
    const others = await watch(one, server.projectPermissionsOf$({ userId: one.adaId }), all => all.length)
    requests.length = 0
    await inTime(server.grantTeamPermission({ teamId: opsId, userId, permissionId: '$update_team' }))
    await inTime(server.revokeTeamPermission({ teamId: opsId, userId, permissionId: 'team_member' }))
    await inTime(server.grantProjectPermission({ userId, permissionId: 'publish' }))
    await inTime(server.revokeProjectPermission({ userId, permissionId: 'publish' }))
    expect(inTeam).toEqual([['team_member'], ['$update_team', 'team_member'], ['$update_team']])
    expect(inProject).toEqual([[], ['draft', 'publish'], []])
    expect(others).toEqual([0])
    // One request for each write, one for the list that shows it.
    expect(requests).toHaveLength(8)
  })

  it('treats a missing grant as revoked, and throws for an unknown permission', async () => {
    const { server, adaId: userId, settled } = await teamWorld(permissions)
    const write = { teamId: opsId, userId, permissionId: '$read_members' } as const
    expect(await settled(server.revokeTeamPermission(write))).toEqual({ ok: true, value: undefined })
    const project = { userId, permissionId: 'publish' }
    expect(await settled(server.revokeProjectPermission(project))).toEqual({ ok: true, value: undefined })
    await expect(settled(server.grantProjectPermission({ userId, permissionId: 'gone' }))).rejects.toMatchObject({
      code: 'PERMISSION_NOT_FOUND',
    })
    await expect(settled(server.grantTeamPermission({ ...write, permissionId: 'draft' }))).rejects.toMatchObject({
      code: 'WRONG_PERMISSION_SCOPE',
      details: { expectedScope: 'team', actualScope: 'project' },
    })
    expect(await settled(server.grantTeamPermission({ ...write, teamId: userId }))).toMatchObject({
      ok: false,
      error: { code: 'TEAM_MEMBERSHIP_NOT_FOUND' },
    })
  })

  it('asks whether a user may, as seldom as it wants to', async () => {
    const { server, adaId, graceId, settled, inTime, requests } = await teamWorld(permissions)
    const may = (userId: string, options: object = {}) =>
      settled(isPermitted(server, { userId, ...update, ...options }))
    expect([await may(adaId), await may(adaId, { permissionId: 'team_admin' }), await may(graceId)]).toEqual([
      true,
      true,
      false,
    ])
    expect(requests).toHaveLength(2)
    await inTime(server.revokeTeamPermission({ teamId: opsId, userId: adaId, permissionId: 'team_admin' }))
    expect(await inTime(isPermitted(server, { userId: adaId, ...update, maxAgeMillis: 0 }))).toBe(false)
    expect(await inTime(isPermitted(server, { userId: adaId, permissionId: 'draft' }))).toBe(false)
  })

  it('with a user of its own refreshes that user’s permissions', async () => {
    const one = await teamWorld(permissions)
    const app = one.server.withTokens(await one.tokensOf(ada))
    const shown = await watch(one, app.can$({ permissionId: 'draft' }), may => may)
    await one.inTime(app.grantProjectPermission({ userId: one.adaId, permissionId: 'publish' }))
    expect(shown).toEqual([false, true])
    expect(await one.settled(app.isPermitted({ userId: one.graceId, permissionId: 'draft' }))).toBe(false)
    app.dispose()
  })
})
