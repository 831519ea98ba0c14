import type { ClientApp } from 'rxauth'
import { ways, type Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }
const grace = { email: 'grace@example.com', password: 'battery staple', displayName: 'Grace' }

describe.each(ways)('members of teams, %s,', (_, open) => {
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
})
