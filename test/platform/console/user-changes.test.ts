import { createServerApp } from 'rxauth/server'
import { ada, team, wireWorld, type World } from '../wire-world'

const [grace, eve] = [{ email: 'grace@example.com' }, { email: 'eve@example.com' }]
const seed = {
  users: [ada, grace, eve],
  teams: [{ ...team, members: [{ email: ada.email }, { email: grace.email }] }],
}
const teamId = team.id

async function follow({ platform }: World, headers: Readonly<Record<string, string>>, query = '', method = 'GET') {
  return platform.fetch(new Request(`${platform.options.baseUrl}/__local__/changes${query}`, { method, headers }))
}

async function tokenOf({ platform }: World, email: string): Promise<string> {
  return (await platform.tokensFor(email)).read()!.accessToken!
}

/** A user who follows; `read` gives what was told since, each as "type team user". */
async function reader(world: World, email: string) {
  const response = await follow(world, { authorization: `Bearer ${await tokenOf(world, email)}` })
  let text = ''
  let hasEnded = false
  void (async () => {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
      text += new TextDecoder().decode(part)
    hasEnded = true
  })()
  return {
    hasEnded: () => hasEnded,
    read() {
      const told = text
        .split('\n\n')
        .flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Told] : []))
      text = ''
      return told.map(({ type, data }) => [
        type,
        data && Object.entries(data).flatMap(([key, id]) => (id ? [key] : [])),
      ])
    },
    text: () => text,
  }
}
type Told = { readonly type: string; readonly data?: Readonly<Record<string, string>> }

async function three(wire: '2.8.18' | '2026' = '2.8.18') {
  const world = wireWorld({ seed, wire })
  const readers = [await reader(world, ada.email), await reader(world, grace.email), await reader(world, eve.email)]
  const server = createServerApp(world.platform.serverOptions)
  const idOf = async (email: string) => (await server.users$({ query: email }).get()).items[0]!.id
  const told = async () => {
    await world.clock.advance(1)
    return readers.map(({ read }) => read())
  }
  await told()
  return { ...world, server, idOf, told }
}

const ofTeam = ['id', 'team_id']
const ofUser = ['id', 'user_id']
const ofMember = ['user_id', 'team_id']

describe.each(['2.8.18', '2026'] as const)('what users are told of changes, with the wire of %s', wire => {
  // Promise: local-changes
  it('is what happens to their team, to them, and to members of their team', async () => {
    const { server, idOf, told } = await three(wire)
    await server.updateTeamById({ teamId, displayName: 'Engines' })
    expect(await told()).toEqual([[['team.updated', ofTeam]], [['team.updated', ofTeam]], []])
    await server.updateUserById({ userId: ada.id, displayName: 'Ada' })
    expect(await told()).toEqual([[['user.updated', ofUser]], [['user.updated', ofUser]], []])
    await server.updateUserById({ userId: await idOf(eve.email), displayName: 'Eve' })
    expect(await told()).toEqual([[], [], [['user.updated', ofUser]]])
  })

  // Promise: local-changes
  it('is their removal from a team, and nothing of it after that', async () => {
    const { server, idOf, told } = await three(wire)
    await server.removeTeamMemberById({ teamId, userId: await idOf(grace.email) })
    const removed = ['team_membership.deleted', ofMember]
    expect(await told()).toEqual([[removed], [removed], []])
    await server.updateTeamById({ teamId, displayName: 'Engines' })
    await server.updateUserById({ userId: ada.id, displayName: 'Ada' })
    const updated = [['team.updated', ofTeam] as const, ['user.updated', ofUser] as const]
    expect(await told()).toEqual([updated, [], []])
    await server.deleteTeamById({ teamId })
    expect(await told()).toEqual([[['team.deleted', ofTeam]], [], []])
  })

  it('is the deletion of a member', async () => {
    const { server, idOf, told } = await three(wire)
    await server.deleteUserById({ userId: await idOf(grace.email) })
    const deleted = [['team_membership.deleted', ofMember] as const, ['user.deleted', ofUser] as const]
    expect(await told()).toEqual([deleted, deleted, []])
  })
})

// Promise: local-changes
it('ends when the access token expires, and keeps no process running until then', async () => {
  const world = wireWorld({ seed })
  const { hasEnded } = await reader(world, ada.email)
  await world.clock.advance(599_000)
  expect(hasEnded()).toBe(false)
  await world.clock.advance(1000)
  expect(hasEnded()).toBe(true)
})

describe('who follows changes', () => {
  // Promise: local-changes
  it.each([
    ['no token', {}],
    ['junk', { authorization: 'Bearer junk' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a token in another header', { 'x-stack-access-token': 'a.b.c' }],
  ])('is refused with %s', async (_what, headers) => {
    const response = await follow(wireWorld({ seed }), headers)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    expect(await response.json()).toEqual({ error: expect.stringContaining('authorization: Bearer') })
  })

  it('is refused with the token of a deleted user, and with an expired one', async () => {
    const world = wireWorld({ seed })
    const headers = { authorization: `Bearer ${await tokenOf(world, ada.email)}` }
    expect((await follow(world, headers, '', 'HEAD')).status).toBe(200)
    await world.clock.advance(600_001)
    expect((await follow(world, headers)).status).toBe(401)
    const late = { authorization: `Bearer ${await tokenOf(world, ada.email)}` }
    await createServerApp(world.platform.serverOptions).deleteUserById({ userId: ada.id })
    expect((await follow(world, late)).status).toBe(401)
  })

  it('may be a page of another origin, whose browser asks first', async () => {
    const { status, headers } = await follow(wireWorld({ seed }), { origin: 'http://localhost:3000' }, '', 'OPTIONS')
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, 'authorization'])
  })

  it('finds nothing on a strict platform', async () => {
    expect((await follow(wireWorld({ seed, compatibility: 'strict' }), {})).status).toBe(404)
  })
})
