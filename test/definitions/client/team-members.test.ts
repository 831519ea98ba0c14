import { ada } from '../../world'
import { labId, namesOf, opsId, teamWorld, watch } from './team-world'

const image = 'data:image/png;base64,AAAA'
const remove = 'DELETE /team-memberships/{teamId}/{userId}'

describe('the members of a team', () => {
  it('are listed in the order of their joining, and read one by one', async () => {
    const { app, graceId, settled } = await teamWorld()
    expect(namesOf(await settled(app.teamMembers$({ teamId: opsId }).get()))).toEqual(['Ada', 'Grace'])
    const grace = { teamId: opsId, userId: graceId, displayName: 'Grace', profileImageUrl: null }
    expect(await settled(app.teamMemberProfile$({ teamId: opsId, userId: graceId }).get())).toEqual(grace)
    expect(await settled(app.teamMemberProfile$({ teamId: labId, userId: graceId }).get())).toBeNull()
  })

  it('are none of a team that the user is not in, and while signed out', async () => {
    const { app, newApp, settled, adaId } = await teamWorld()
    expect(await settled(app.teamMembers$({ teamId: adaId }).get())).toEqual([])
    expect(await settled(newApp().teamMembers$({ teamId: opsId }).get())).toEqual([])
    expect(await settled(newApp().ownTeamProfile$({ teamId: opsId }).get())).toBeNull()
  })

  it('fail without the right to see them, but for the own profile', async () => {
    const { app, server, adaId, inTime } = await teamWorld()
    await inTime(server.revokeTeamPermission({ teamId: labId, userId: adaId, permissionId: 'team_member' }))
    await expect(inTime(app.teamMembers$({ teamId: labId }).get())).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { permissionId: '$read_members' },
    })
    expect(await inTime(app.ownTeamProfile$({ teamId: labId }).get())).toMatchObject({ displayName: 'Ada' })
  })
})

describe('removing a member', () => {
  it('takes it off at once, and needs no request for the list', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.teamMembers$({ teamId: opsId }), namesOf)
    one.requests.length = 0
    await one.inTime(one.app.removeTeamMember({ teamId: opsId, userId: one.graceId }))
    expect(shown).toEqual([['Ada', 'Grace'], ['Ada']])
    expect(one.requests).toEqual([`DELETE /team-memberships/${opsId}/${one.graceId}`])
  })

  it('is taken back if the platform refuses', async () => {
    const one = await teamWorld()
    const shown = await watch(one, one.app.teamMembers$({ teamId: opsId }), namesOf)
    one.platform.faults.next(remove, { status: 400 })
    const removed = one.app.removeTeamMember({ teamId: opsId, userId: one.graceId })
    await expect(one.inTime(removed)).rejects.toMatchObject({ status: 400 })
    expect(shown).toEqual([['Ada', 'Grace'], ['Ada'], ['Ada', 'Grace']])
  })

  it('without the right to do so throws', async () => {
    const { app, inTime } = await teamWorld()
    const [, eve] = await inTime(app.teamMembers$({ teamId: labId }).get())
    await expect(inTime(app.removeTeamMember({ teamId: labId, userId: eve!.userId }))).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { permissionId: '$remove_members' },
    })
  })

  it('that is gone is done', async () => {
    const { app, server, graceId: userId, inTime } = await teamWorld()
    await inTime(server.removeTeamMemberById({ teamId: opsId, userId }))
    await inTime(app.removeTeamMember({ teamId: opsId, userId }))
    await inTime(server.deleteUserById({ userId }))
    await inTime(app.removeTeamMember({ teamId: opsId, userId }))
  })

  it('of a team that the caller has left is not', async () => {
    const { app, server, adaId, graceId, inTime } = await teamWorld()
    await inTime(server.removeTeamMemberById({ teamId: opsId, userId: adaId }))
    await expect(inTime(app.removeTeamMember({ teamId: opsId, userId: graceId }))).rejects.toMatchObject({
      code: 'TEAM_MEMBERSHIP_NOT_FOUND',
      details: { teamId: opsId, userId: adaId },
    })
  })
})

describe('the own profile in a team', () => {
  async function watched() {
    const one = await teamWorld()
    const { app, adaId } = one
    const shown = {
      own: await watch(one, app.ownTeamProfile$({ teamId: opsId }), profile => profile?.displayName),
      byId: await watch(one, app.teamMemberProfile$({ teamId: opsId, userId: adaId }), one => one?.displayName),
      list: await watch(one, app.teamMembers$({ teamId: opsId }), namesOf),
      elsewhere: await watch(one, app.ownTeamProfile$({ teamId: labId }), profile => profile?.displayName),
    }
    one.requests.length = 0
    return { ...one, shown, last: () => Object.values(shown).map(values => values.at(-1)) }
  }

  it('is changed everywhere in this team, with one request', async () => {
    const { app, inTime, last, requests } = await watched()
    const change = { displayName: 'Countess', profileImageUrl: image }
    expect(await inTime(app.updateOwnTeamProfile({ teamId: opsId, ...change }))).toMatchObject(change)
    expect(last()).toEqual(['Countess', 'Countess', ['Countess', 'Grace'], 'Ada'])
    expect(requests).toEqual([`PATCH /team-member-profiles/${opsId}/me`])
  })

  it('is changed at once, and is as it was if the platform refuses', async () => {
    const { app, clock, inTime, shown, platform } = await watched()
    platform.faults.next('PATCH /team-member-profiles/{teamId}/{userId}', { delayMillis: 500, status: 400 })
    const call = app.updateOwnTeamProfile({ teamId: opsId, displayName: 'Countess', profileImageUrl: null })
    call.catch(() => undefined)
    await clock.advance(0)
    expect(shown).toEqual({
      own: ['Ada', 'Countess'],
      byId: ['Ada', 'Countess'],
      list: [
        ['Ada', 'Grace'],
        ['Countess', 'Grace'],
      ],
      elsewhere: ['Ada'],
    })
    await expect(inTime(call)).rejects.toMatchObject({ status: 400 })
    expect([shown.own, shown.list.at(-1)]).toEqual([
      ['Ada', 'Countess', 'Ada'],
      ['Ada', 'Grace'],
    ])
  })

  it('follows the name of the user as long as it has none of its own', async () => {
    const { app, inTime, last } = await watched()
    await inTime(app.updateOwnTeamProfile({ teamId: labId, displayName: 'Countess' }))
    await inTime(app.updateUser({ displayName: 'Lovelace' }))
    expect(last()).toEqual(['Lovelace', 'Lovelace', ['Lovelace', 'Grace'], 'Countess'])
  })

  it('is not asked for again when the user changes something else', async () => {
    const { app, inTime, requests } = await watched()
    await inTime(app.updateUser({ clientMetadata: { theme: 'dark' } }))
    expect(requests).toEqual(['PATCH /users/me'])
  })
})

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
