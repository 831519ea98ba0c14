import * as v from 'valibot'
import type { ClientApp } from 'rxauth'
import { fromWire } from '../../../src/core/wire'
import { Team } from '../../../src/definitions/client/teams'
import recorded from '../../wire/current-user.json'
import { ada, grace, world } from '../../world'
import { labId, namesOf, opsId, teamWorld, watch } from './team-world'

const lab = { id: labId, displayName: 'Lab', profileImageUrl: null, clientMetadata: null, clientReadOnlyMetadata: null }
const unknownId = '00000000-0000-4000-8000-000000000000'

it('a team is what the platform sends, without fields for servers only', () => {
  const wire = { ...recorded.selected_team, created_at_millis: 1, server_metadata: { secret: 1 } }
  expect(v.parse(Team, fromWire(Team, wire))).toEqual({
    id: recorded.selected_team.id,
    displayName: 'Analytical',
    profileImageUrl: null,
    clientMetadata: null,
    clientReadOnlyMetadata: null,
  })
})

describe('the teams of the signed-in user', () => {
  it('are listed, and read one by one', async () => {
    const { app, settled } = await teamWorld()
    expect(namesOf(await settled(app.teams$.get()))).toEqual(['Ops', 'Lab'])
    expect(await settled(app.team$({ teamId: labId }).get())).toEqual(lab)
    expect(await settled(app.team$({ teamId: unknownId }).get())).toBeNull()
  })

  it('are none while signed out, without a request', async () => {
    const { newApp, settled, requests } = await teamWorld()
    const app = newApp()
    expect(await settled(app.teams$.get())).toEqual([])
    expect(await settled(app.team$({ teamId: opsId }).get())).toBeNull()
    expect(requests).toEqual([])
  })
})

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

  it('is taken back everywhere if the platform refuses', async () => {
    const { app, platform, inTime, list, single, selected } = await watched()
    platform.faults.next('PATCH /teams/{teamId}', { status: 400 })
    await expect(inTime(app.updateTeam({ teamId: opsId, displayName: 'X' }))).rejects.toMatchObject({ status: 400 })
    expect(list.map(([name]) => name)).toEqual(['Ops', 'X', 'Ops'])
    expect([single, selected]).toEqual([
      ['Ops', 'X', 'Ops'],
      ['Ops', 'X', 'Ops'],
    ])
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

  it('replays over values that the platform sends meanwhile', async () => {
    const { app, platform, server, clock, settled, inTime, list } = await watched()
    platform.faults.next('PATCH /teams/{teamId}', { delayMillis: 5000 })
    const renamed = app.updateTeam({ teamId: opsId, displayName: 'Operations' })
    await clock.advance(100)
    await settled(server.updateTeamById({ teamId: labId, displayName: 'Laboratory' }))
    void app.teams$.refresh()
    await clock.advance(1000)
    expect(list.at(-1)).toEqual(['Operations', 'Laboratory'])
    await inTime(renamed)
    expect(list.every(([name], index) => index === 0 || name === 'Operations')).toBe(true)
    expect(list.at(-1)).toEqual(['Operations', 'Laboratory'])
  })
})

const removal = 'DELETE /team-memberships/{teamId}/{userId}'

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

  it('takes it off at once, and puts it back if the platform refuses', async () => {
    const { app, platform, inTime, shown } = await watched()
    platform.faults.next(route, { status: 400 })
    await expect(inTime(end(app))).rejects.toMatchObject({ status: 400 })
    expect(shown.teams).toEqual([['Ops', 'Lab'], ['Lab'], ['Ops', 'Lab']])
    expect(shown.selected.map(([id]) => id)).toEqual([opsId, null, opsId])
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

describe('a write to a team', () => {
  const teamId = opsId
  it.each<[name: string, write: (app: ClientApp) => Promise<unknown>]>([
    ['createTeam', app => app.createTeam({ displayName: 'x' })],
    ['updateTeam', app => app.updateTeam({ teamId, displayName: 'x' })],
    ['deleteTeam', app => app.deleteTeam({ teamId })],
    ['leaveTeam', app => app.leaveTeam({ teamId })],
    ['selectTeam', app => app.selectTeam({ teamId })],
    ['removeTeamMember', app => app.removeTeamMember({ teamId, userId: unknownId })],
    ['updateOwnTeamProfile', app => app.updateOwnTeamProfile({ teamId, displayName: 'x' })],
  ])('sends nothing while signed out: %s', async (_, write) => {
    const { newApp, settled, requests } = await teamWorld()
    await expect(settled(write(newApp()))).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(requests).toEqual([])
  })
})

describe('two kits on one platform', () => {
  it('show another user’s changes within one refresh', async () => {
    const one = await teamWorld()
    const other = one.newApp({ tokens: await one.tokensOf(ada) })
    const shown = await watch(one, other.teams$, namesOf)
    await one.inTime(one.app.updateTeam({ teamId: opsId, displayName: 'Operations' }))
    await one.inTime(one.app.leaveTeam({ teamId: labId }))
    await one.inTime(other.teams$.refresh())
    expect(shown.at(-1)).toEqual(['Operations'])
    const graces = one.newApp({ tokens: await one.tokensOf(grace) })
    expect(namesOf(await one.inTime(graces.teams$.get()))).toEqual(['Operations'])
  })
})
