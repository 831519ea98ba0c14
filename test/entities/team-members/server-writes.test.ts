import { labId, opsId, teamWorld, watch } from '../teams/team-world'

describe('a server', () => {
  it('adds, changes and removes members, and shows it wherever they are listed', async () => {
    const one = await teamWorld()
    const { server, graceId: userId, inTime } = one
    const teamId = labId
    const members = await watch(one, server.teamMembersOf$({ teamId }), all => all.map(each => each.displayName))
    const single = await watch(one, server.teamMemberProfileById$({ teamId, userId }), each => each?.displayName)
    const profiles = await watch(one, server.teamMemberProfilesOf$({ userId }), all => all.map(each => each.teamId))
    const teams = await watch(one, server.teamsOf$({ userId }), all => all.map(({ displayName }) => displayName))
    const page = await watch(one, server.users$({ teamId }), ({ items }) => items.length)
    const rights = await watch(one, server.teamPermissionsOf$({ userId, teamId }), all => all.length)
    const last = () => [members, single, profiles, teams, page, rights].map(values => values.at(-1))
    expect(await inTime(server.addTeamMemberById({ teamId, userId }))).toEqual({ ok: true, value: undefined })
    expect(last()).toEqual([['Ada', 'Eve', 'Grace'], 'Grace', [opsId, labId], ['Ops', 'Lab'], 3, 3])
    await inTime(server.updateTeamMemberProfileById({ teamId, userId, displayName: 'Admiral' }))
    expect(last().slice(0, 2)).toEqual([['Ada', 'Eve', 'Admiral'], 'Admiral'])
    await inTime(server.removeTeamMemberById({ teamId, userId }))
    expect(last()).toEqual([['Ada', 'Eve'], undefined, [opsId], ['Ops'], 2, 0])
  })

  it('rejects for an unknown user or team, and not for a present member', async () => {
    const { server, adaId, graceId, inTime } = await teamWorld()
    const add = (teamId: string, userId: string) => inTime(server.addTeamMemberById({ teamId, userId }))
    expect(await add(opsId, graceId)).toMatchObject({ ok: true })
    expect(await add(opsId, opsId)).toMatchObject({ ok: false, error: { code: 'USER_NOT_FOUND' } })
    expect(await add(adaId, graceId)).toMatchObject({ ok: false, error: { code: 'TEAM_NOT_FOUND' } })
  })

  it('shows a changed user in the lists of members', async () => {
    const one = await teamWorld()
    const { server, graceId: userId, inTime } = one
    const shown = await watch(one, server.teamMembersOf$({ teamId: opsId }), all =>
      all.map(each => each.user.displayName),
    )
    await inTime(server.updateUserById({ userId, displayName: 'Hopper' }))
    await inTime(server.deleteUserById({ userId }))
    expect(shown).toEqual([['Ada', 'Grace'], ['Ada', 'Hopper'], ['Ada']])
  })
})
