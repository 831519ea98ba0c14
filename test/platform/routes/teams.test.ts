import wire from '../../wire/teams.json'
import { ada, expectPlain, expectRefusal, team, wireWorld, accessTokenOf, type Ask, type World } from '../wire-world'
import { eve, grace, image, nobody, teamWorld, type TeamWorld } from '../team-world'

const one = `/teams/${team.id}`
const fresh = { ...wire.client, id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, display_name: 'Ops' }
const permissionsOf = async ({ asServer }: TeamWorld, teamId: string, userId: string) =>
  ((await asServer(`GET /team-permissions?team_id=${teamId}&user_id=${userId}`)).body.items as { id: string }[]).map(
    ({ id }) => id,
  )

describe('the teams', () => {
  it.each(['me', ada.id])('of a user are listed for a client: %s', async who => {
    const { as } = await teamWorld()
    const { body } = await as(ada.email, `GET /teams?user_id=${who}`)
    expect(body).toEqual({ items: [wire.client], is_paginated: false })
    expect((await as(eve.email, 'GET /teams?user_id=me')).body.items).toEqual([])
  })

  it.each(['', `?user_id=${grace.id}`, `?user_id=${nobody}`])('of others are refused to a client: %j', async query => {
    const { as } = await teamWorld()
    expectPlain(await as(ada.email, `GET /teams${query}`), 403)
    expectRefusal(await as(null, `GET /teams${query}`), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })

  it('are listed for servers, all or those of a user, oldest first', async () => {
    const world = await teamWorld()
    const { asServer, clock } = world
    await clock.advance(1000)
    const { id } = (await asServer('POST /teams', { display_name: 'Ops', creator_user_id: grace.id })).body
    const idsOf = async (query: string) =>
      ((await asServer(`GET /teams${query}`)).body.items as { id: string }[]).map(each => each.id)
    expect((await asServer('GET /teams')).body.items[0]).toEqual(wire.server)
    expect(await idsOf('')).toEqual([team.id, id])
    expect(await idsOf(`?user_id=${grace.id.toUpperCase()}`)).toEqual([team.id, id])
    expect(await idsOf(`?user_id=${ada.id}`)).toEqual([team.id])
    expect(await idsOf(`?user_id=${nobody}`)).toEqual([])
    expectRefusal(await asServer('GET /teams?user_id=ada'), 'SCHEMA_ERROR')
    expectRefusal(await asServer('GET /teams?user_id=me'), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })

  it('are read one by one', async () => {
    const { as, asServer } = await teamWorld()
    expect((await as(ada.email, `GET ${one.toUpperCase().replace('TEAMS', 'teams')}`)).body).toEqual(wire.client)
    expect((await asServer(`GET ${one}`)).body).toEqual(wire.server)
    expectRefusal(await as(null, `GET ${one}`), 'USER_AUTHENTICATION_REQUIRED')
    const details = expectRefusal(await as(eve.email, `GET ${one}`), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expect(details).toEqual({ team_id: team.id, user_id: eve.id })
    expectRefusal(await as(ada.email, `GET /teams/${nobody}`), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expect(expectRefusal(await asServer(`GET /teams/${nobody}`), 'TEAM_NOT_FOUND')).toEqual({ team_id: nobody })
  })
})

describe('creating a team', () => {
  it('is refused in this order: user, switched off, another user, image', async () => {
    const off = await teamWorld({ seed: { project: { config: { clientTeamCreationEnabled: false } } } })
    const on = await teamWorld()
    const other = { display_name: 'x', creator_user_id: grace.id, profile_image_url: 'https://x.example/' }
    for (const body of [{ display_name: 'x' }, other])
      expectRefusal(await off.as(null, 'POST /teams', body), 'USER_AUTHENTICATION_REQUIRED')
    const me = { display_name: 'x', creator_user_id: 'me' }
    expectRefusal(await off.as(null, 'POST /teams', me), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    const refused = await off.as(ada.email, 'POST /teams', other)
    expectPlain(refused, 403)
    expect(refused.text).toContain('switch on clientTeamCreationEnabled')
    expectPlain(await on.as(ada.email, 'POST /teams', other), 403)
    expectPlain(await on.as(ada.email, 'POST /teams', { ...other, creator_user_id: 'me' }), 400)
    expect((await on.asServer('GET /teams')).body.items).toHaveLength(1)
  })

  it('as a server has the named creator, or none', async () => {
    const world = await teamWorld()
    const { asServer } = world
    const made = await asServer('POST /teams', { display_name: 'Ops', creator_user_id: grace.id })
    expect(made.body).toEqual({ ...wire.server, ...fresh })
    expect(await permissionsOf(world, made.body.id, grace.id)).toEqual(['team_admin'])
    const { id } = (await asServer('POST /teams', { display_name: 'Empty' })).body
    expect((await asServer(`GET /team-member-profiles?team_id=${id}`)).body.items).toEqual([])
    for (const [creator_user_id, code] of [
      [nobody, 'USER_NOT_FOUND'],
      ['me', 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    ] as const)
      expectRefusal(await asServer('POST /teams', { display_name: 'x', creator_user_id }), code)
    expect((await asServer('GET /teams')).body.items).toHaveLength(3)
  })

  it('accepts the older way to name the caller', async () => {
    const world = await teamWorld()
    const accessToken = await accessTokenOf(world)
    const create = (adds: string, body: object = {}, by: Ask = { accessToken }) =>
      world.ask(`POST /teams?add_current_user=${adds}`, {
        access: 'server',
        body: { display_name: 'x', ...body },
        ...by,
      })
    for (const [adds, held] of [['true', ['team_admin']] as const, ['false', []] as const])
      expect(await permissionsOf(world, (await create(adds)).body.id as string, ada.id)).toEqual(held)
    expectPlain(await create('true', { creator_user_id: grace.id }), 400)
    expectRefusal(await create('maybe'), 'SCHEMA_ERROR')
    expectRefusal(await create('true', {}, {}), 'USER_AUTHENTICATION_REQUIRED')
  })
})

describe.each([
  ['PATCH', '$update_team', { display_name: 'New', profile_image_url: image, client_metadata: null }],
  ['DELETE', '$delete_team', undefined],
] as const)('%s a team', (method, permission, body) => {
  it(`needs ${permission} of a client`, async () => {
    const { as } = await teamWorld()
    expectRefusal(await as(null, `${method} ${one}`, body), 'USER_AUTHENTICATION_REQUIRED')
    expectRefusal(await as(eve.email, `${method} ${one}`, body), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await as(ada.email, `${method} /teams/${nobody}`, body), 'TEAM_MEMBERSHIP_NOT_FOUND')
    const details = expectRefusal(await as(ada.email, `${method} ${one}`, body), 'TEAM_PERMISSION_REQUIRED')
    expect(details).toEqual({ team_id: team.id, user_id: ada.id, permission_id: permission })
    const able = await teamWorld({ permissions: [permission] })
    expect((await able.as(ada.email, `${method} ${one}`, body)).status).toBe(200)
  })
})

describe('changing a team', () => {
  it('changes the given fields', async () => {
    const { as, asServer } = await teamWorld({ permissions: ['team_admin'] })
    const changed = await as(ada.email, `PATCH ${one}`, { client_metadata: { plan: 'pro' } })
    expect(changed.body).toEqual({ ...wire.client, client_metadata: { plan: 'pro' } })
    expect((await as(ada.email, `PATCH ${one}`, { display_name: '' })).body.display_name).toBe('')
    expect((await as(ada.email, `PATCH ${one}`, {})).body.client_metadata).toEqual({ plan: 'pro' })
    const more = { server_metadata: 1, client_read_only_metadata: 2, profile_image_url: 'https://x.example/' }
    expect((await asServer(`PATCH ${one}`, more)).body).toMatchObject({ ...more, client_metadata: { plan: 'pro' } })
    expect((await asServer(`PATCH ${one}`, { profile_image_url: null })).body.profile_image_url).toBeNull()
  })

  it("refuses a client's foreign image and server fields", async () => {
    const { as } = await teamWorld({ permissions: ['team_admin'] })
    expectPlain(await as(ada.email, `PATCH ${one}`, { profile_image_url: 'https://x.example/' }), 400)
    for (const body of [{ server_metadata: 1 }, { display_name: null }, undefined])
      expectRefusal(await as(ada.email, `PATCH ${one}`, body), 'SCHEMA_ERROR')
  })
})

describe('a new user', () => {
  const config = {
    createTeamOnSignUp: true,
    userDefaultPermissions: [{ id: 'publish' }],
    teamCreatorDefaultPermissions: [{ id: 'team_admin' }, { id: 'team_member' }],
  }
  const seed = { project: { config }, permissions: [{ id: 'publish', scope: 'project' as const }], users: [ada] }

  const email = 'new@example.com'
  it.each<[how: string, make: (world: World) => Promise<unknown>]>([
    [
      'signs up',
      ({ ask }) => {
        const body = { email, password: 'correct horse', verification_callback_url: 'http://localhost/x' }
        return ask('POST /auth/password/sign-up', { body })
      },
    ],
    [
      'is made by a server',
      async ({ ask }) => {
        const { body } = await ask('POST /users', { access: 'server', body: { primary_email: email } })
        expect(body).toMatchObject({ selected_team_id: null, selected_team: null })
      },
    ],
    ['is seeded', ({ platform }) => platform.seed({ users: [{ email }] })],
  ])('that %s creates its own team, selects it, and has the permissions of users', async (_, make) => {
    const world = wireWorld({ seed })
    await make(world)
    const userId = (await world.ask('GET /users?query=new@', { access: 'server' })).body.items[0].id as string
    const get = async (line: string) =>
      (await world.ask(`GET ${line}`, { access: 'server' })).body as Record<string, unknown>
    const [own] = (await get(`/teams?user_id=${userId}`))['items'] as { id: string; display_name: string }[]
    expect(own?.display_name).toBe("new@example.com's Team")
    expect((await get(`/users/${userId}`))['selected_team']).toEqual(own)
    const held = (await get(`/team-permissions?user_id=${userId}`))['items']
    expect(held).toEqual(['team_admin', 'team_member'].map(id => ({ id, user_id: userId, team_id: own?.id })))
    expect((await get(`/project-permissions?user_id=${userId}`))['items']).toEqual([{ id: 'publish', user_id: userId }])
  })
})
