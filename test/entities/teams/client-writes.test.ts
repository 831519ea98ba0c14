import { world } from '../../world'
import { labId, namesOf, opsId, teamWorld, watch } from './team-world'

describe('creating a team', () => {
  it('shows it without a request for the list', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.teams$, namesOf)
    one.requests.length = 0
    const team = await one.inTime(one.app.createTeam({ displayName: 'New', clientMetadata: { plan: 1 } }))
    expect(team).toMatchObject({ displayName: 'New', clientMetadata: { plan: 1 } })
    expect(shown).toEqual([
      ['Ops', 'Lab'],
      ['Ops', 'Lab', 'New'],
    ])
    expect(one.requests).toEqual(['POST /teams'])
    expect((await one.inTime(one.app.user$.get()))?.selectedTeamId).toBeNull()
  })

  it('gives the user all permissions in it, also in watched stores', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.teamPermissions$(), all => all.length)
    const before = shown.at(-1) ?? 0
    await one.inTime(one.app.createTeam({ displayName: 'New' }))
    expect(shown.at(-1)).toBe(before + 7)
  })

  it('rejects, and names the setting, if the project does not allow clients to', async () => {
    const { app, settled } = await world()
    await expect(settled(app.createTeam({ displayName: 'New' }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 403,
      message: expect.stringContaining('switch on clientTeamCreationEnabled') as string,
    })
  })
})

describe('changing a team', () => {
  async function watched() {
    const one = await teamWorld()
    await one.inTime(one.app.selectTeam({ teamId: opsId }))
    const list = await watch(one, one.app.teams$, namesOf)
    const single = await watch(one, one.app.team$({ teamId: opsId }), team => team?.displayName)
    const selected = await watch(one, one.app.user$, user => user?.selectedTeam?.displayName)
    one.requests.length = 0
    return { ...one, list, single, selected }
  }

  it('shows everywhere at once, and needs one request', async () => {
    const { app, inTime, list, single, selected, requests } = await watched()
    await inTime(app.updateTeam({ teamId: opsId, displayName: 'Operations' }))
    expect([list, single, selected]).toEqual([
      [
        ['Ops', 'Lab'],
        ['Operations', 'Lab'],
      ],
      ['Ops', 'Operations'],
      ['Ops', 'Operations'],
    ])
    expect(requests).toEqual([`PATCH /teams/${opsId}`])
  })

  it('without the right to do so throws, and shows the team as it is', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.teams$, namesOf)
    await expect(one.inTime(one.app.updateTeam({ teamId: labId, displayName: 'X' }))).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { teamId: labId, permissionId: '$update_team' },
    })
    expect(shown.at(-1)).toEqual(['Ops', 'Lab'])
  })
})
