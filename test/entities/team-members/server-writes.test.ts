import { opsId, teamWorld } from '../teams/team-world'

describe('a server', () => {
  it('rejects for an unknown user or team, and not for a present member', async () => {
    const { server, adaId, graceId, inTime } = await teamWorld()
    const add = (teamId: string, userId: string) => inTime(server.addTeamMemberById({ teamId, userId }))
    expect(await add(opsId, graceId)).toMatchObject({ ok: true })
    expect(await add(opsId, opsId)).toMatchObject({ ok: false, error: { code: 'USER_NOT_FOUND' } })
    expect(await add(adaId, graceId)).toMatchObject({ ok: false, error: { code: 'TEAM_NOT_FOUND' } })
  })
})
