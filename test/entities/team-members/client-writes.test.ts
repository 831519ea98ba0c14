import type { ClientApp } from 'rxauth'
import { ada } from '../../world'
import { labId, namesOf, opsId, teamWorld, watch } from '../teams/team-world'

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
  // Promise: refusal-is-not-done
  it('by a user who is no member any more succeeds if it only ends the membership', async () => {
    const one = await teamWorld()
    const { app, server, adaId, inTime, platform } = one
    const teams = await watch(one, app.teams$, namesOf)
    await inTime(server.removeTeamMemberById({ teamId: opsId, userId: adaId }))
    if (route === removal) {
      await inTime(end(app))
      expect(teams.at(-1)).toEqual(['Lab'])
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

  it('without an id does not end the own membership, while the own id is not known', async () => {
    const { newApp, tokensOf, inTime, requests } = await teamWorld()
    const app = newApp({ tokens: await tokensOf(ada) })
    requests.length = 0
    const removal = app.removeTeamMember({ teamId: labId, userId: null as never })
    await expect(inTime(removal)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'userId' } })
    expect(requests).toEqual([])
  })
})
