import { opsId, projectPermissions, teamWorld, watch } from '../teams/team-world'
import { ada } from '../../world'

describe('a server', () => {
  it('grants and revokes, and shows it in the lists of that user', async () => {
    const one = await teamWorld(projectPermissions)
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
    const { server, adaId: userId, settled } = await teamWorld(projectPermissions)
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

  it('with a user of its own refreshes that user’s permissions', async () => {
    const one = await teamWorld(projectPermissions)
    const app = one.server.withTokens(await one.tokensOf(ada))
    const shown = await watch(one, app.can$({ permissionId: 'draft' }), may => may)
    await one.inTime(app.grantProjectPermission({ userId: one.adaId, permissionId: 'publish' }))
    expect(shown).toEqual([false, true])
    expect(await one.settled(app.isPermitted({ userId: one.graceId, permissionId: 'draft' }))).toBe(false)
    app.dispose()
  })
})
