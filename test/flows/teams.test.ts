import type { ClientApp } from 'rxauth'
import { ways } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }
const grace = { email: 'grace@example.com', password: 'battery staple', displayName: 'Grace' }
const removal = 'DELETE /team-memberships/{teamId}/{userId}'

describe.each(ways)('members of teams, %s,', (name, open) => {
  let way: Way
  beforeEach(async () => {
    way = await open({ seed: { project: { config: { clientTeamCreationEnabled: true } }, users: [ada, grace] } })
  })
  afterEach(() => way.close())

  async function signIn({ email, password }: typeof ada): Promise<ClientApp> {
    const app = way.newApp()
    expect((await app.signInWithPassword({ email, password })).ok).toBe(true)
    return app
  }

  /** Ada's new team with Grace in it. */
  async function team() {
    const [adas, graces] = [await signIn(ada), await signIn(grace)]
    const { id: teamId } = await adas.createTeam({ displayName: 'Ops' })
    const server = way.newServerApp()
    const userId = (await graces.user$.get())!.id
    expect((await server.addTeamMemberById({ teamId, userId })).ok).toBe(true)
    return { adas, graces, teamId, userId }
  }

  it('create a team, rename it, select it, and remove each other', async () => {
    const { adas, graces, teamId, userId } = await team()
    await adas.selectTeam({ teamId })
    await adas.updateTeam({ teamId, displayName: 'Operations' })
    expect((await adas.user$.get())?.selectedTeam?.displayName).toBe('Operations')
    expect((await graces.team$({ teamId }).refresh())?.displayName).toBe('Operations')
    await graces.updateOwnTeamProfile({ teamId, displayName: 'Admiral' })
    const members = await adas.teamMembers$({ teamId }).refresh()
    expect(members.map(({ displayName }) => displayName)).toEqual(['Ada', 'Admiral'])
    await expect(graces.removeTeamMember({ teamId, userId: members[0]!.userId })).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
    })
    await adas.removeTeamMember({ teamId, userId })
    expect(await graces.teams$.refresh()).toEqual([])
    expect(await graces.teamMembers$({ teamId }).refresh()).toEqual([])
    await adas.deleteTeam({ teamId })
    expect(await adas.teams$.refresh()).toEqual([])
    expect((await adas.user$.refresh())?.selectedTeamId).toBeNull()
  })

  it('see granted and revoked permissions with the next refresh', async () => {
    const { adas, graces, teamId } = await team()
    const check = { permissionId: '$update_team', teamId } as const
    expect([await adas.can$(check).get(), await graces.can$(check).get()]).toEqual([true, false])
    expect(graces.can({ permissionId: '$read_members', teamId })).toBe(true)
    const server = way.newServerApp()
    const userId = (await adas.user$.get())!.id
    await server.revokeTeamPermission({ teamId, userId, permissionId: 'team_admin' })
    expect(await server.isPermitted({ userId, ...check, maxAgeMillis: 0 })).toBe(false)
    expect(await adas.can$(check).refresh()).toBe(false)
    await expect(adas.updateTeam({ teamId, displayName: 'x' })).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
    })
  })

  it.each([
    ['leaving', removal, (app: ClientApp, teamId: string) => app.leaveTeam({ teamId })],
    ['deleting', 'DELETE /teams/{teamId}', (app: ClientApp, teamId: string) => app.deleteTeam({ teamId })],
  ])('see that %s is done although the answer was lost', async (_, route, end) => {
    const { adas, teamId } = await team()
    way.platform.faults.next(route, { loseResponse: true })
    await end(adas, teamId)
    expect(await adas.teams$.refresh()).toEqual([])
    expect(way.requests.filter(line => /^DELETE .* (200|404)$/.test(line))).toHaveLength(2)
  })

  it('see that a removal is done although the answer was lost', async () => {
    const { adas, teamId, userId } = await team()
    way.platform.faults.next(removal, { loseResponse: true })
    await adas.removeTeamMember({ teamId, userId })
    expect(await adas.teamMembers$({ teamId }).refresh()).toHaveLength(1)
  })

  it('see a new team although the answer was lost', async () => {
    const app = await signIn(ada)
    const shown: number[] = []
    const subscription = app.teams$.subscribe(all => shown.push(all.length))
    await app.teams$.get()
    way.platform.faults.next('POST /teams', { loseResponse: true })
    await expect(app.createTeam({ displayName: 'Ops' })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await app.teams$.refresh()).toHaveLength(1)
    expect(shown.at(-1)).toBe(1)
    subscription.unsubscribe()
  })

  it.each([
    ['wait when they are asked to', { status: 429, retryAfter: '1' }, true],
    ['are told of a server that fails', { status: 500 }, false],
    ['are told of an answer that is no answer', { body: 'wrong-code' }, false],
  ] as const)('%s', async (_, fault, works) => {
    const { adas, teamId } = await team()
    const subscription = adas.teams$.subscribe()
    await adas.teams$.get()
    way.platform.faults.next('PATCH /teams/{teamId}', fault)
    const call = adas.updateTeam({ teamId, displayName: 'Operations' })
    if (works) await call
    else
      await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(REQUEST_FAILED|INVALID_RESPONSE)$/) })
    // After a refresh the store shows what the platform has.
    await adas.teams$.refresh()
    const done = works || 'body' in fault
    expect(adas.teams$.snapshot).toMatchObject({
      unconfirmed: 0,
      value: [{ displayName: done ? 'Operations' : 'Ops' }],
    })
    subscription.unsubscribe()
  })

  it('who sign out in the middle see no team, and the answer changes nothing', async () => {
    const { adas, graces, teamId } = await team()
    const shown: number[] = []
    const subscription = adas.teams$.subscribe(all => shown.push(all.length))
    await adas.teams$.get()
    way.platform.faults.next('PATCH /teams/{teamId}', { delayMillis: 50 })
    const renamed = adas.updateTeam({ teamId, displayName: 'Operations' }).catch((error: unknown) => error)
    await adas.signOut()
    if (name === 'in process') await way.pass(1000)
    await renamed
    expect(shown.at(-1)).toBe(0)
    const { email, password } = grace
    expect((await adas.signInWithPassword({ email, password })).ok).toBe(true)
    const [now, truth] = [await adas.team$({ teamId }).refresh(), await graces.team$({ teamId }).refresh()]
    expect(now).toEqual(truth)
    subscription.unsubscribe()
  })
})
