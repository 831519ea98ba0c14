import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerApp, verifyWebhook } from 'rxauth/server'
import { createPlatform } from 'rxauth/platform'
import type { PlatformOptions, Webhook, WebhookDelivery, WebhookEndpoint } from 'rxauth/platform'
import { ada, grace, world } from '../../world'
import { oauthWorld } from '../oauth-world'

interface Body {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A platform that delivers to a handler, which fails while `fails` is above zero. */
async function hooked(platform: PlatformOptions = {}) {
  const told: Body[] = []
  const ids: (string | null)[] = []
  const state = { fails: 0 }
  const endpoint: WebhookEndpoint = {
    async handler(request) {
      const got = request
      ids.push(got.headers.get('svix-id'))
      if (state.fails > 0) {
        state.fails--
        return new Response(null, { status: 500 })
      }
      told.push((await got.json()) as Body)
      return undefined
    },
  }
  const one = await world({ platform: { webhooks: [endpoint], seed: { users: [ada, grace] }, ...platform } })
  const deliveries: WebhookDelivery[] = []
  one.platform.webhooks.deliveries$.subscribe(delivery => deliveries.push(delivery))
  const server = createServerApp(one.platform.serverOptions)
  const [adaId = '', graceId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  /** The events since the last call. */
  const news = async () => {
    await one.clock.advance(0)
    await one.platform.webhooks.idle()
    return told.splice(0)
  }
  return { ...one, server, told, ids, state, deliveries, news, adaId, graceId }
}

type Hooked = Awaited<ReturnType<typeof hooked>>

const typesOf = (bodies: readonly Body[]) => bodies.map(({ type }) => type)

async function newTeam({ server, settled, adaId }: Hooked): Promise<string> {
  const team = await settled(server.createTeamById({ displayName: 'Ops', creatorUserId: adaId }))
  if (!team.ok) throw team.error
  return team.value.id
}

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

  it('about teams, members and permissions come in order', async () => {
    const one = await hooked({ seed: { users: [ada, grace], permissions: [{ id: 'beta', scope: 'project' }] } })
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
    await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
    await settled(server.revokeTeamPermission({ teamId, userId: graceId, permissionId: 'team_member' }))
    await settled(server.updateTeamMemberProfileById({ teamId, userId: graceId, displayName: 'G' }))
    await settled(server.grantProjectPermission({ userId: graceId, permissionId: 'beta' }))
    await settled(server.revokeProjectPermission({ userId: graceId, permissionId: 'beta' }))
    expect(typesOf(await news())).toEqual([
      'team.updated',
      'team_permission.deleted',
      'project_permission.created',
      'project_permission.deleted',
    ])
    await settled(server.updateUserById({ userId: graceId, selectedTeamId: teamId }))
    await settled(server.removeTeamMemberById({ teamId, userId: graceId }))
    expect(typesOf(await news())).toEqual(['user.updated', 'team_membership.deleted'])
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
    const config = { clientTeamCreationEnabled: true, clientUserDeletionEnabled: true, createTeamOnSignUp: true }
    const { settled, newApp, news } = await hooked({ seed: { project: { config }, users: [ada, grace] } })
    const app = newApp()
    await settled(
      app.signUpWithPassword({
        email: 'eve@example.com',
        password: 'correct horse',
        verificationCallbackUrl: 'http://localhost/verify',
      }),
    )
    expect(await news()).toMatchObject([
      { type: 'team.created', data: { display_name: "eve@example.com's Team" } },
      { type: 'user.created', data: { selected_team: null, selected_team_id: null } },
    ])
    await settled(app.updateUser({ displayName: 'Eve' }))
    expect(await news()).toMatchObject([{ type: 'user.updated', data: { display_name: 'Eve' } }])
    await settled(app.createTeam({ displayName: 'Mine' }))
    expect(typesOf(await news())).toEqual(['team.created'])
    await settled(app.deleteUser())
    expect(typesOf(await news())).toEqual(['team_membership.deleted', 'team_membership.deleted', 'user.deleted'])
  })

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
    expect(typesOf(await news())).toEqual([
      'user.updated',
      'team.updated',
      'project_permission.created',
      'team_permission.created',
    ])
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

describe('a delivery', () => {
  it("that fails is repeated at Svix's intervals, with the same id and a new signature", async () => {
    const one = await hooked()
    const { state, server, settled, clock, deliveries, told, ids, platform } = one
    state.fails = 99
    await settled(server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 999_999]) {
      await clock.advance(seconds * 1000)
      await platform.webhooks.idle()
    }
    expect(deliveries).toHaveLength(8)
    expect(new Set(ids).size).toBe(1)
    expect(deliveries.map(({ attempt, isDelivered, status }) => [attempt, isDelivered, status])).toEqual(
      Array.from({ length: 8 }, (_, index) => [index + 1, false, 500]),
    )
    expect(deliveries.map(({ nextAt }) => nextAt === null)).toEqual([...Array<boolean>(7).fill(false), true])
    expect(told).toEqual([])
  })

  it('that succeeded is not repeated', async () => {
    const one = await hooked()
    one.state.fails = 1
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    await one.clock.advance(4999)
    expect(await one.news()).toEqual([])
    await one.clock.advance(1)
    expect(typesOf(await one.news())).toEqual(['team.created'])
    await one.clock.advance(99_999_999)
    expect(one.deliveries.map(({ isDelivered }) => isDelivered)).toEqual([false, true])
  })

  it('that waits for its next attempt holds up no later one', async () => {
    const one = await hooked()
    one.state.fails = 1
    await one.settled(one.server.createTeamById({ displayName: 'first' }))
    await one.settled(one.server.createTeamById({ displayName: 'second' }))
    await one.news().then(news => expect(news).toMatchObject([{ data: { display_name: 'second' } }]))
    await one.clock.advance(5000)
    expect(await one.news()).toMatchObject([{ data: { display_name: 'first' } }])
  })

  it('waits for the answer to the one before it, for 15 s at most', async () => {
    const asked: string[] = []
    const handler = async (request: unknown) => {
      asked.push(((await (request as Request).json()) as Body).data['display_name'] as string)
      return new Promise<undefined>(() => undefined)
    }
    const one = await hooked({ webhooks: [{ handler }] })
    for (const displayName of ['first', 'second']) await one.settled(one.server.createTeamById({ displayName }))
    await one.clock.advance(14_999)
    expect(asked).toEqual(['first'])
    await one.clock.advance(1)
    await one.clock.advance(0)
    expect(asked).toEqual(['first', 'second'])
    expect(one.deliveries).toMatchObject([{ status: null, isDelivered: false, attempt: 1 }])
  })

  it('is repeated by replay, unless its id is unknown', async () => {
    const one = await hooked()
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    const [first] = await one.news()
    const [id = ''] = one.ids as string[]
    await one.clock.advance(600_000)
    await one.platform.webhooks.replay(id)
    expect(await one.news()).toEqual([first])
    expect(one.ids).toEqual([id, id])
    await expect(one.platform.webhooks.replay('msg_none')).rejects.toThrow('msg_none')
  })

  it('goes to every endpoint, with its own secret, until that is removed', async () => {
    const one = await hooked({ webhooks: [] })
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const types: string[] = []
    const take = async (request: Request, key: string) => {
      types.push((await verifyWebhook(request, key, { clock: one.clock })).type)
      return undefined
    }
    const remove = one.platform.webhooks.add({ handler: request => take(request, secret), secret })
    one.platform.webhooks.add({ handler: request => take(request, one.platform.webhooks.secret) })
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    expect(types).toEqual(['team.created', 'team.created'])
    remove()
    await one.settled(one.server.createTeamById({ displayName: 'Dev' }))
    await one.news()
    expect(types).toHaveLength(3)
    expect(one.deliveries.every(({ isDelivered }) => isDelivered)).toBe(true)
  })

  it('of a handler that throws has failed', async () => {
    const one = await hooked({ webhooks: [{ handler: () => Promise.reject(new Error('mine')) }] })
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    expect(one.deliveries).toMatchObject([{ status: null, isDelivered: false, url: null }])
  })

  it('is sent to an address over HTTP', async () => {
    const types: string[] = []
    const receiver = createServer((request, response) => {
      void verifyWebhook(request, platform.webhooks.secret).then(({ type }) => {
        types.push(type)
        response.statusCode = types.length === 1 ? 204 : 302
        response.end()
      })
    })
    await new Promise<void>(resolve => receiver.listen(0, resolve))
    const url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`
    const platform = createPlatform({ webhooks: [{ url }] })
    const deliveries: WebhookDelivery[] = []
    platform.webhooks.deliveries$.subscribe(delivery => deliveries.push(delivery))
    try {
      const server = createServerApp(platform.serverOptions)
      for (const displayName of ['Ops', 'Dev']) await server.createTeamById({ displayName })
      await platform.webhooks.idle()
      expect(types).toEqual(['team.created', 'team.created'])
      // A redirect does not count as delivered.
      expect(deliveries).toMatchObject([
        { url, status: 204, isDelivered: true, nextAt: null },
        { url, status: 302, isDelivered: false },
      ])
    } finally {
      platform.dispose()
      receiver.closeAllConnections()
      await new Promise(resolve => receiver.close(resolve))
    }
  })

  it('is refused for an invalid address', () => {
    expect(() => createPlatform({ webhooks: [{ url: 'mailto:ada@example.com' }] })).toThrow(/"mailto:ada@example.com"/)
    expect(() => createPlatform({ webhooks: [{ url: '/hook' }] })).toThrow(/"\/hook"/)
  })

  it('is not made after the platform is disposed', async () => {
    const one = await hooked()
    one.state.fails = 1
    await one.settled(one.server.createTeamById({ displayName: 'Ops' }))
    await one.news()
    let isComplete = false
    one.platform.webhooks.deliveries$.subscribe({ complete: () => (isComplete = true) })
    one.platform.dispose()
    await one.clock.advance(99_999_999)
    expect(isComplete).toBe(true)
    expect(one.told).toEqual([])
  })
})

describe('a fork', () => {
  it('sends its own events to the same endpoints', async () => {
    const one = await hooked()
    const fork = one.platform.fork()
    await one.settled(createServerApp(fork.serverOptions).createTeamById({ displayName: 'Ops' }))
    await fork.webhooks.idle()
    expect(typesOf(one.told)).toEqual(['team.created'])
  })
})
