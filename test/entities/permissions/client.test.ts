import { can$ } from 'rxauth'
import { labId, opsId, teamWorld, updateTeam, watch } from '../teams/team-world'

describe('can', () => {
  // Promise: can-until-known
  it('is undefined until it is known, and sends no request itself', async () => {
    const { app, clock, settled, requests } = await teamWorld()
    expect(app.can(updateTeam)).toBeUndefined()
    await clock.advance(1000)
    expect(requests).toEqual([])
    await settled(app.can$(updateTeam).get())
    expect(app.can(updateTeam)).toBe(true)
    expect(app.can({ ...updateTeam, permissionId: 'nothing' })).toBe(false)
    expect(app.can({ ...updateTeam, teamId: labId })).toBeUndefined()
    expect(app.can({ permissionId: '$update_team' })).toBeUndefined()
  })

  it('makes one request for all questions about a team', async () => {
    const one = await teamWorld()
    const { app, requests } = one
    for (const permissionId of ['$update_team', '$delete_team', 'nothing'])
      await watch(one, app.can$({ permissionId, teamId: opsId }), may => may)
    expect(requests).toEqual(['GET /team-permissions'])
  })

  it('is one store however often it is asked for', async () => {
    const one = await teamWorld()
    let computed = 0
    const store = one.app.derive(read => {
      computed++
      return read(can$(one.app, updateTeam))
    })
    const shown = await watch(one, store, may => may)
    await one.inTime(one.app.teamPermissions$({ teamId: opsId }).refresh())
    expect(shown).toEqual([true])
    expect(computed).toBeLessThan(5)
  })

  // Promise: can-until-known
  it('changes with the next refresh after a revoke elsewhere', async () => {
    const one = await teamWorld()
    const { app, server, adaId, inTime } = one
    const shown = await watch(one, app.can$(updateTeam), may => may)
    await inTime(server.revokeTeamPermission({ teamId: opsId, userId: adaId, permissionId: 'team_admin' }))
    expect(shown).toEqual([true])
    await inTime(app.teamPermissions$({ teamId: opsId }).refresh())
    expect(shown).toEqual([true, false])
    await inTime(server.grantTeamPermission({ teamId: opsId, userId: adaId, permissionId: '$update_team' }))
    await inTime(app.can$(updateTeam).refresh())
    expect(shown).toEqual([true, false, true])
  })

  it('keeps its value when a refresh fails, with the error', async () => {
    const one = await teamWorld()
    const { app, platform, inTime } = one
    await watch(one, app.can$(updateTeam), may => may)
    platform.faults.next('GET /team-permissions', { status: 500 })
    await expect(inTime(app.can$(updateTeam).refresh())).rejects.toMatchObject({ status: 500 })
    expect(app.can(updateTeam)).toBe(true)
    expect(app.can$(updateTeam).snapshot).toMatchObject({ status: 'ready', error: { status: 500 } })
  })
})
