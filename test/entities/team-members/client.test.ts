import { labId, namesOf, opsId, teamWorld } from '../teams/team-world'

describe('the members of a team', () => {
  it('are listed in the order of their joining, and read one by one', async () => {
    const { app, graceId, settled } = await teamWorld()
    expect(namesOf(await settled(app.teamMembers$({ teamId: opsId }).get()))).toEqual(['Ada', 'Grace'])
    const grace = { teamId: opsId, userId: graceId, displayName: 'Grace', profileImageUrl: null }
    expect(await settled(app.teamMemberProfile$({ teamId: opsId, userId: graceId }).get())).toEqual(grace)
    expect(await settled(app.teamMemberProfile$({ teamId: labId, userId: graceId }).get())).toBeNull()
  })
})
