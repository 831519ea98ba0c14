import { world } from '../../world'
import { labId, teamWorld } from './team-world'

it('creating a team rejects, and names the setting, if the project does not allow clients to', async () => {
  const { app, settled } = await world()
  await expect(settled(app.createTeam({ displayName: 'New' }))).rejects.toMatchObject({
    code: 'REQUEST_FAILED',
    status: 403,
    message: expect.stringContaining('switch on clientTeamCreationEnabled') as string,
  })
})

it('changing a team without the right to do so throws', async () => {
  const { app, inTime } = await teamWorld()
  await expect(inTime(app.updateTeam({ teamId: labId, displayName: 'X' }))).rejects.toMatchObject({
    code: 'TEAM_PERMISSION_REQUIRED',
    details: { teamId: labId, permissionId: '$update_team' },
  })
})
