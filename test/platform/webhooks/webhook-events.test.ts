import type { Webhook } from 'rxauth/platform'
import { hooked, typesOf } from './webhook-world'
import { ada, grace } from '../../world'
import { oauthWorld } from '../oauth-world'

type Hooked = Awaited<ReturnType<typeof hooked>>

describe("the webhooks of a server's calls", () => {
  it('about users have the user as servers see it', async () => {
    const one = await hooked()
    const { server, settled, news } = one
    const created = await settled(server.createUser({ primaryEmail: 'eve@example.com', serverMetadata: { crm: 1 } }))
    if (!created.ok) throw created.error
    const userId = created.value.id
    const [user] = await news()
    expect(user).toMatchObject({
      type: 'user.created',
      data: { id: userId, primary_email: 'eve@example.com', server_metadata: { crm: 1 }, selected_team: null },
    })
    expect(typeof user?.data['signed_up_at_millis']).toBe('number')
    await settled(server.updateUserById({ userId, displayName: 'Eve' }))
    await settled(server.updateUserById({ userId, password: 'correct horse' }))
    await settled(server.createContactChannelById({ userId, value: 'other@example.com', isPrimary: true }))
    const changes = await news()
    // Another primary address through contact channels has no event.
    expect(typesOf(changes)).toEqual(['user.updated', 'user.updated'])
    expect(changes.map(({ data }) => [data['display_name'], data['has_password'], data['primary_email']])).toEqual([
      ['Eve', false, 'eve@example.com'],
      ['Eve', true, 'eve@example.com'],
    ])
    await settled(server.deleteUserById({ userId }))
    expect(await news()).toEqual([{ type: 'user.deleted', data: { id: userId, teams: [] } }])
  })

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

  it('for a deleted team are a single event', async () => {
    const one = await hooked()
    const teamId = await newTeam(one)
    await one.settled(one.server.updateUserById({ userId: one.adaId, selectedTeamId: teamId }))
    await one.news()
    await one.settled(one.server.deleteTeamById({ teamId }))
    expect(await one.news()).toEqual([{ type: 'team.deleted', data: { id: teamId } }])
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
  it('are sent from the sign-up on', async () => {
    const config = { createTeamOnSignUp: true }
    const { settled, newApp, news } = await hooked({ seed: { project: { config }, users: [ada, grace] } })
    const app = newApp()
    const account = { email: 'eve@example.com', password: 'correct horse' }
    await settled(app.signUpWithPassword({ ...account, verificationCallbackUrl: 'http://localhost/verify' }))
    expect(await news()).toMatchObject([
      { type: 'team.created', data: { display_name: "eve@example.com's Team" } },
      { type: 'user.created', data: { selected_team: null, selected_team_id: null } },
    ])
    await settled(app.updateUser({ displayName: 'Eve' }))
    expect(await news()).toMatchObject([{ type: 'user.updated', data: { display_name: 'Eve' } }])
  })

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

  it('for a sign-up with a provider have its account', async () => {
    const { platform, signIn } = oauthWorld()
    const told: Webhook[] = []
    platform.webhooks$.subscribe(webhook => told.push(webhook))
    for (let times = 0; times < 2; times++) await signIn({ email: 'mary@example.com' })
    await platform.webhooks.idle()
    const oauth_providers = [{ id: 'github', account_id: 'mary@example.com', email: 'mary@example.com' }]
    expect(told).toMatchObject([{ type: 'user.created', data: { oauth_providers } }])
  })

  it("have the newer release's fields of users", async () => {
    const { settled, server, news } = await hooked({ wire: '2026' })
    await settled(server.createUser({ isAnonymous: true }))
    expect(await news()).toMatchObject([
      { type: 'user.created', data: { is_restricted: true, restricted_reason: { type: 'anonymous' } } },
    ])
  })
})

async function newTeam({ server, settled, adaId }: Hooked): Promise<string> {
  const team = await settled(server.createTeamById({ displayName: 'Ops', creatorUserId: adaId }))
  if (!team.ok) throw team.error
  return team.value.id
}
