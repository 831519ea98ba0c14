import { teamWorld } from './team-world'

it('a team of an unknown id, or of an unknown creator, is refused with the code', async () => {
  const { server, graceId: unknownId, inTime } = await teamWorld()
  expect(await inTime(server.updateTeamById({ teamId: unknownId, displayName: 'x' }))).toMatchObject({
    error: { code: 'TEAM_NOT_FOUND' },
  })
  const creating = server.createTeamById({ displayName: 'x', creatorUserId: '00000000-0000-4000-8000-000000000000' })
  expect(await inTime(creating)).toMatchObject({ error: { code: 'USER_NOT_FOUND' } })
})
