import { hooked, typesOf } from './webhook-world'
import { ada, grace } from '../../world'

type Hooked = Awaited<ReturnType<typeof hooked>>

describe("the webhooks of a server's calls", () => {
  // Promise: webhooks-as-hosted
  it('about teams, members and permissions come in order', async () => {
    const one = await hooked({ seed: { users: [ada, grace] } })
    const { server, settled, news, graceId } = one
    const teamId = await newTeam(one)
    expect(await news()).toMatchObject([
      { type: 'team.created', data: { id: teamId, display_name: 'Ops', server_metadata: null } },
    ])
    await settled(server.addTeamMemberById({ teamId, userId: graceId }))
    expect(await news()).toEqual([
      { type: 'team_membership.created', data: { team_id: teamId, user_id: graceId } },
      { type: 'team_permission.created', data: { id: 'team_member', team_id: teamId, user_id: graceId } },
    ])
  })

  it('for a deleted user begin with the end of each membership', async () => {
    const one = await hooked()
    const teamIds = [await newTeam(one), await newTeam(one)]
    await one.news()
    await one.settled(one.server.deleteUserById({ userId: one.adaId }))
    expect(await one.news()).toEqual([
      ...teamIds.map(team_id => ({ type: 'team_membership.deleted', data: { team_id, user_id: one.adaId } })),
      { type: 'user.deleted', data: { id: one.adaId, teams: teamIds.map(id => ({ id })) } },
    ])
  })
})

describe("the webhooks of a client's calls", () => {
  // Promise: webhooks-as-hosted
  it('are not sent for reads, sign-ins, new sessions, seeds and refused calls', async () => {
    const { settled, app, newApp, news, server, adaId, clock, platform } = await hooked()
    await settled(app.user$.get())
    // The access token has expired by then, so a refresh notes the user's activity.
    await clock.advance(3_600_000)
    const seen = async () => (await settled(server.userById$({ userId: adaId }).get()))?.lastActiveAt.getTime() ?? 0
    const before = await seen()
    await settled(newApp().signInWithPassword({ email: ada.email, password: ada.password }))
    await settled(newApp().signInWithPassword({ email: ada.email, password: 'wrong' }))
    await settled(server.createUser({ primaryEmail: ada.email, primaryEmailAuthEnabled: true }))
    await settled(server.createSession({ userId: adaId }))
    await platform.seed({ users: [{ email: 'eve@example.com' }], teams: [{ displayName: 'Seeded' }] })
    await clock.advance(60_000)
    expect(await seen()).toBeGreaterThan(before)
    expect(await news()).toEqual([])
  })

  // Promise: webhooks-as-hosted
  it('are sent for changes and grants without an effect too', async () => {
    const one = await hooked({ seed: { users: [ada, grace], permissions: [{ id: 'beta', scope: 'project' }] } })
    const { server, settled, news, adaId } = one
    const teamId = await newTeam(one)
    const granted = { userId: adaId, permissionId: 'beta' }
    await settled(server.grantProjectPermission(granted))
    await news()
    await settled(server.updateUserById({ userId: adaId }))
    await settled(server.updateTeamById({ teamId, displayName: 'Ops' }))
    await settled(server.grantProjectPermission(granted))
    await settled(server.grantTeamPermission({ teamId, userId: adaId, permissionId: 'team_admin' }))
    const granting = ['project_permission.created', 'team_permission.created']
    expect(typesOf(await news())).toEqual(['user.updated', 'team.updated', ...granting])
  })
})

async function newTeam({ server, settled, adaId }: Hooked): Promise<string> {
  const team = await settled(server.createTeamById({ displayName: 'Ops', creatorUserId: adaId }))
  if (!team.ok) throw team.error
  return team.value.id
}
