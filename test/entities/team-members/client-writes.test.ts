import type { ClientApp } from 'rxauth'
import { labId, namesOf, opsId, teamWorld, watch } from '../teams/team-world'

const removal = 'DELETE /team-memberships/{teamId}/{userId}'

const image = 'data:image/png;base64,AAAA'

describe.each([
  ['deleting a team', (app: ClientApp) => app.deleteTeam({ teamId: opsId }), 'DELETE /teams/{teamId}'],
  ['leaving a team', (app: ClientApp) => app.leaveTeam({ teamId: opsId }), removal],
  [
    'removing oneself from a team',
    async (app: ClientApp) => {
      const user = await app.user$.get()
      return app.removeTeamMember({ teamId: opsId, userId: user?.id ?? '' })
    },
    removal,
  ],
])('%s', (_, end, route) => {
  async function watched() {
    const one = await teamWorld()
    await one.inTime(one.app.selectTeam({ teamId: opsId }))
    const { app } = one
    const shown = {
      teams: await watch(one, app.teams$, namesOf),
      team: await watch(one, app.team$({ teamId: opsId }), team => team?.displayName),
      selected: await watch(one, app.user$, user => [user?.selectedTeamId, user?.selectedTeam?.displayName]),
      members: await watch(one, app.teamMembers$({ teamId: opsId }), namesOf),
      profile: await watch(one, app.ownTeamProfile$({ teamId: opsId }), profile => profile?.displayName),
      may: await watch(one, app.can$({ permissionId: '$update_team', teamId: opsId }), can => can),
    }
    return { ...one, shown }
  }

  it('shows the end of the membership in every store when the promise resolves', async () => {
    const { app, inTime, shown } = await watched()
    await inTime(end(app))
    const last = Object.fromEntries(Object.entries(shown).map(([name, values]) => [name, values.at(-1)]))
    expect(last).toEqual({
      teams: ['Lab'],
      team: undefined,
      selected: [null, undefined],
      members: [],
      profile: undefined,
      may: false,
    })
    for (const store of [app.teamMembers$({ teamId: opsId }), app.team$({ teamId: opsId })])
      expect(store.snapshot).not.toHaveProperty('error')
  })

  it('by a user who is no member any more succeeds if it only ends the membership', async () => {
    const { app, server, adaId, inTime, shown, platform } = await watched()
    await inTime(server.removeTeamMemberById({ teamId: opsId, userId: adaId }))
    if (route === removal) {
      await inTime(end(app))
      expect(shown.teams.at(-1)).toEqual(['Lab'])
      return
    }
    const refusal = { code: 'TEAM_MEMBERSHIP_NOT_FOUND' }
    await expect(inTime(end(app))).rejects.toMatchObject(refusal)
    expect(await inTime(server.teamById$({ teamId: opsId }).get())).not.toBeNull()
    // An earlier attempt that got a readable answer has not deleted it either.
    platform.faults.next(route, { status: 429, retryAfter: '1' })
    await expect(inTime(end(app))).rejects.toMatchObject(refusal)
  })
})

describe('removing a member', () => {
  it('without the right to do so throws', async () => {
    const { app, inTime } = await teamWorld()
    const [, eve] = await inTime(app.teamMembers$({ teamId: labId }).get())
    await expect(inTime(app.removeTeamMember({ teamId: labId, userId: eve!.userId }))).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { permissionId: '$remove_members' },
    })
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
