import { opsId, projectPermissions, teamWorld } from '../teams/team-world'

describe('a server', () => {
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
})
