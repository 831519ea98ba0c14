import { createServerApp, isPermitted } from 'rxauth/server'
import { opsId, projectPermissions, teamWorld, updateTeam } from '../teams/team-world'
import { backend } from '../users/users-world'

describe('a server', () => {
  it('asks whether a user may, as seldom as it wants to', async () => {
    const { server, adaId, graceId, settled, inTime, requests } = await teamWorld(projectPermissions)
    const may = (userId: string, options: object = {}) =>
      settled(isPermitted(server, { userId, ...updateTeam, ...options }))
    expect([await may(adaId), await may(adaId, { permissionId: 'team_admin' }), await may(graceId)]).toEqual([
      true,
      true,
      false,
    ])
    expect(requests).toHaveLength(2)
    await inTime(server.revokeTeamPermission({ teamId: opsId, userId: adaId, permissionId: 'team_admin' }))
    expect(await inTime(isPermitted(server, { userId: adaId, ...updateTeam, maxAgeMillis: 0 }))).toBe(false)
    expect(await inTime(isPermitted(server, { userId: adaId, permissionId: 'draft' }))).toBe(false)
  })
})

describe('whether a user may', () => {
  it.each([
    [undefined, 5000, false],
    [undefined, 5001, true],
    [1000, 1000, false],
    [1000, 1001, true],
    [60_000, 60_000, false],
    [0, 1, true],
  ])('with an answer that may be %p ms old is, %i ms after it was granted elsewhere: %s', async (maxAge, age, may) => {
    const { server, platform, settled, clock, adaId } = await backend()
    await platform.seed({ permissions: [{ id: 'publish', scope: 'project' }] })
    const granted = { userId: adaId, permissionId: 'publish' }
    const check = { ...granted, ...(maxAge !== undefined && { maxAgeMillis: maxAge }) }
    // Watched, so that it is not dropped before it is too old.
    server.projectPermissionsOf$({ userId: adaId }).subscribe({ error: () => undefined })
    expect(await settled(server.isPermitted(check))).toBe(false)
    await settled(createServerApp(platform.serverOptions).grantProjectPermission(granted))
    await clock.advance(age)
    const answer = server.isPermitted(check)
    await clock.advance(300)
    expect(await settled(answer)).toBe(may)
  })
})

describe('whether a user is permitted something', () => {
  it('rejects a caller that aborts, before or during the check', async () => {
    const { server, settled, adaId, clock, platform, requests } = await backend()
    await platform.seed({ permissions: [{ id: 'publish', scope: 'project' }] })
    const check = { userId: adaId, permissionId: 'publish' }
    const { signal } = new AbortController()
    const before = requests.length
    await expect(settled(server.isPermitted(check, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(requests).toHaveLength(before)
    platform.faults.next('GET /project-permissions', { delayMillis: 1000 })
    const caller = new AbortController()
    const [left, stayed] = [server.isPermitted(check, { signal: caller.signal }), server.isPermitted(check, { signal })]
    left.catch(() => undefined)
    await clock.advance(500)
    caller.abort()
    await expect(settled(left)).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(500)
    expect(await settled(stayed)).toBe(false)
    expect(requests.slice(before)).toEqual(['GET /project-permissions'])
  })
})
