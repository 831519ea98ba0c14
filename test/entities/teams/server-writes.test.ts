import { ada } from '../../world'
import { labId, namesOf, opsId, teamWorld, watch } from './team-world'

describe('the teams of a server', () => {
  it('are created, changed and deleted, and show wherever they are listed', async () => {
    const one = await teamWorld()
    const { server, graceId: userId, adaId, inTime } = one
    const names = (all: readonly { readonly displayName: string }[]) => all.map(({ displayName }) => displayName)
    const all = await watch(one, server.allTeams$, names)
    const own = await watch(one, server.teamsOf$({ userId }), names)
    const created = await inTime(
      server.createTeamById({ displayName: 'New', creatorUserId: userId, serverMetadata: 1 }),
    )
    if (!created.ok) throw created.error
    const teamId = created.value.id
    const single = await watch(one, server.teamById$({ teamId }), team => team?.displayName)
    await inTime(server.updateUserById({ userId, selectedTeamId: teamId }))
    const user = await watch(one, server.userById$({ userId }), each => each?.selectedTeam?.displayName)
    const rights = await watch(one, server.teamPermissionsOf$({ userId, teamId }), each => each.length)
    expect(await inTime(server.updateTeamById({ teamId, displayName: 'Newer' }))).toMatchObject({ ok: true })
    expect([all, own, single, user].map(values => values.at(-1))).toEqual([
      ['Ops', 'Lab', 'Newer'],
      ['Ops', 'Newer'],
      'Newer',
      'Newer',
    ])
    await inTime(server.deleteTeamById({ teamId }))
    expect([all, own, single, user, rights].map(values => values.at(-1))).toEqual([
      ['Ops', 'Lab'],
      ['Ops'],
      undefined,
      undefined,
      0,
    ])
    await inTime(server.deleteTeamById({ teamId }))
    expect(await inTime(server.updateTeamById({ teamId, displayName: 'x' }))).toMatchObject({
      error: { code: 'TEAM_NOT_FOUND' },
    })
    expect(await inTime(server.createTeamById({ displayName: 'x', creatorUserId: teamId }))).toMatchObject({
      error: { code: 'USER_NOT_FOUND' },
    })
    expect(await inTime(server.teamsOf$({ userId: adaId }).get())).toMatchObject([
      { createdAt: expect.any(Date) as Date },
      {},
    ])
  })

  it('show on the kit of a request, whose user they belong to', async () => {
    const one = await teamWorld()
    const app = one.server.withTokens(await one.tokensOf(ada))
    const shown = await watch(one, app.teams$, namesOf)
    await one.inTime(app.updateTeamById({ teamId: opsId, displayName: 'Operations' }))
    await one.inTime(app.removeTeamMemberById({ teamId: labId, userId: one.adaId }))
    await one.inTime(app.createTeamById({ displayName: 'New', creatorUserId: one.adaId }))
    expect(shown).toEqual([['Ops', 'Lab'], ['Operations', 'Lab'], ['Operations'], ['Operations', 'New']])
    app.dispose()
  })
})
