import type { ProjectConfig, SeedUser } from 'rxauth/platform'
import wire from '../../wire/new-user.json'
import { ada, expectAnswer, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'
import { anonymous, demanding, restricted, unverified } from '../world-2026'

const nobody = '00000000-0000-4000-8000-000000000000'

/** Of `U*U`. */
const bcryptHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

const github = [{ id: 'github', type: 'shared' as const }]

describe('the list of users', () => {
  it.each([
    ['', [ada.email]],
    ['?include_restricted=true', [ada.email, unverified.email, restricted.email]],
    ['?include_anonymous=true', [ada.email, unverified.email, restricted.email, null]],
    ['?include_anonymous=false', [ada.email]],
  ])('has ordinary users unless the query asks for more: "%s"', async (query, emails) => {
    const world = demanding()
    await anonymous(world)
    const { body } = await world.ask(`GET /users${query}`, { access: 'server' })
    const users = body.items as { readonly primary_email: string | null }[]
    expect(users.map(user => user.primary_email)).toEqual(emails)
    expect(users[0]).toMatchObject({ is_restricted: false, restricted_reason: null })
  })

  it('has anonymous users only on request, which must include them', async () => {
    const world = demanding()
    await anonymous(world)
    const list = (query: string) => world.ask(`GET /users?${query}`, { access: 'server' })
    const { body } = await list('include_anonymous=true&only_anonymous=true')
    const users = body.items as { readonly is_anonymous: boolean }[]
    expect(users.map(user => user.is_anonymous)).toEqual([true])
    for (const query of ['only_anonymous=true', 'only_anonymous=true&include_anonymous=false'])
      expectPlain(await list(query), 400)
  })

  it('fills each page while there are more', async () => {
    const world = demanding()
    await anonymous(world)
    const { body } = await world.ask('GET /users?limit=1', { access: 'server' })
    expect([body.items.length, body.pagination]).toEqual([1, { next_cursor: null }])
  })
})

function make(config: Partial<ProjectConfig> = {}, users: readonly SeedUser[] = [ada]) {
  const world = wireWorld({ seed: { project: { config: { oauthProviders: github, ...config } }, users } })
  const users_ = (line: string, body?: unknown, how: Ask = {}) => {
    const [method = '', path = ''] = line.split(' ')
    return world.ask(`${method} /users${path}`, { access: 'server', ...(body !== undefined && { body }), ...how })
  }
  return { ...world, users: users_ }
}

describe('creating a user', () => {
  it.each([
    ['with everything', wire.request, wire.answer],
    ['with nothing', {}, wire.empty],
  ])('%s answers every field', async (_, request, answer) => {
    const { users } = make()
    const { status, body } = await users('POST', request)
    expect([status, { ...body, id: typeof body.id }]).toEqual([201, answer])
    expect((await users(`GET /${body.id}`)).body).toEqual(body)
  })

  it('imports a bcrypt hash', async () => {
    const { users, ask } = make()
    const email = { primary_email: 'grace@example.com', primary_email_auth_enabled: true }
    expect((await users('POST', { ...email, password_hash: bcryptHash })).body.has_password).toBe(true)
    const signIn = (password: string) =>
      ask('POST /auth/password/sign-in', { body: { email: email.primary_email, password } })
    expect((await signIn('U*U')).status).toBe(200)
    expectRefusal(await signIn('U*V'), 'EMAIL_PASSWORD_MISMATCH')
  })

  it('lets the user sign in with a password of any length, and stores a TOTP secret without requiring it', async () => {
    const { users, ask } = make()
    const { body } = await users('POST', { ...wire.request, totp_secret_base64: 'AAAA' })
    expect(body.requires_totp_mfa).toBe(false)
    const credentials = { email: 'grace@example.com', password: 'x' }
    expect((await ask('POST /auth/password/sign-in', { body: credentials })).status).toBe(200)
  })

  it.each([
    ['the name', wire.request, "Grace's Team"],
    ['the address', { primary_email: 'Grace@Example.com', display_name: '' }, "grace@example.com's Team"],
    ['nothing', {}, 'Personal Team'],
  ])('creates a team if the project says so, visible from the next read on, named after %s', async (_, sent, name) => {
    const { users } = make({ createTeamOnSignUp: true })
    const { body } = await users('POST', sent)
    expect([body.selected_team_id, body.selected_team]).toEqual([null, null])
    const read = (await users(`GET /${body.id}`)).body
    expect(read.selected_team).toMatchObject({ id: read.selected_team_id, display_name: name })
  })

  it('lets two users share an address unless both sign in with it', async () => {
    const { users } = make()
    expect((await users('POST', { primary_email: ada.email })).status).toBe(201)
    const taken = await users('POST', { primary_email: ada.email, primary_email_auth_enabled: true })
    expect(expectRefusal(taken, 'USER_EMAIL_ALREADY_EXISTS')).toEqual({ email: ada.email })
  })

  it('refuses a provider account of another user', async () => {
    const { users } = make()
    const first = (await users('POST', wire.request)).body
    const { oauth_providers } = wire.request
    expectPlain(await users('POST', { oauth_providers }), 400)
    expect((await users(`GET /${first.id}`)).body.oauth_providers).toEqual(oauth_providers)
  })

  it('creates anonymous users without a name', async () => {
    const { body } = await make().users('POST', { is_anonymous: true })
    expect(body).toMatchObject({ is_anonymous: true, display_name: null })
  })

  it.each<[what: string, body: object, answered?: number | string]>([
    ['a password and its hash', { password: 'x', password_hash: bcryptHash }],
    ['a hash of another kind', { password_hash: 'sha1:abc' }],
    ['a hash of too many rounds', { password_hash: `$2b$17$${'a'.repeat(53)}` }],
    ['a flag of an address that is not there', { primary_email_verified: true }],
    ['sign-in with an address that is not there', { primary_email_auth_enabled: true }],
    ['sign-in by code where there is none', { otp_auth_enabled: true }],
    ['a passkey', { passkey_auth_enabled: true }],
    ['a provider that is not enabled', { oauth_providers: [{ id: 'google', account_id: '1', email: null }] }],
    ['a selected team', { selected_team_id: nobody }, 'SCHEMA_ERROR'],
    ['an empty address', { primary_email: '' }, 'SCHEMA_ERROR'],
    ['an empty hash', { password_hash: '' }, 'SCHEMA_ERROR'],
    ['a provider without an account', { oauth_providers: [{ id: 'x' }] }, 'SCHEMA_ERROR'],
  ])('refuses %s: %j', async (_, body, answered = 400) => expectAnswer(await make().users('POST', body), answered))

  it('refuses a password if the project has no password sign-in', async () => {
    const { users } = make({ credentialEnabled: false })
    expectPlain(await users('POST', { password: 'x' }), 400)
    const { status, body } = await users('POST', {})
    expect([status, (await users(`PATCH /${body.id}`, { display_name: 'x' })).body.display_name]).toEqual([201, 'x'])
  })
})

describe('one user', () => {
  it('is changed and deleted', async () => {
    const { users } = make()
    const body = (await users(`PATCH /${ada.id}`, { display_name: 'Countess', server_metadata: 1 })).body
    expect(body).toMatchObject({ id: ada.id, display_name: 'Countess', server_metadata: 1 })
    expect((await users(`GET /${ada.id.toUpperCase()}`)).body).toEqual(body)
    expect((await users(`DELETE /${ada.id}`)).body).toEqual({ success: true })
    for (const line of ['GET', 'PATCH', 'DELETE'])
      expectRefusal(await users(`${line} /${ada.id}`, line === 'PATCH' ? {} : undefined), 'USER_NOT_FOUND')
  })
})

describe('the list of users', () => {
  const people = ['a', 'b', 'c', 'd'].map((name, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    displayName: `User ${name.toUpperCase()}`,
    email: `${name}@example.com`,
  }))

  async function list(query: string) {
    const world = make({}, people.slice(0, 2))
    await world.clock.advance(1)
    await world.platform.seed({ users: people.slice(2) })
    const { body } = await world.users(`GET ${query}`)
    expect(Object.keys(body)).toEqual(['items', 'is_paginated', 'pagination'])
    expect([body.is_paginated, Object.keys(body.pagination)]).toEqual([true, ['next_cursor']])
    const items = body.items as readonly { readonly primary_email: string }[]
    const names = items.map(({ primary_email }) => primary_email[0]).join('')
    const next = body.pagination.next_cursor as string | null
    return [names, next && people.find(({ id }) => id === next)?.email[0]]
  }

  const [first, , third] = people.map(({ id }) => id)
  it.each([
    ['', 'abcd', null],
    ['?limit=2', 'ab', 'c'],
    ['?limit=4', 'abcd', null],
    ['?limit=1000000', 'abcd', null],
    [`?limit=2&cursor=${third}`, 'cd', null],
    [`?limit=1&cursor=${third}`, 'c', 'd'],
    [`?cursor=${nobody.replace('0000-4', '0001-4')}`, '', null],
    ['?desc=true&limit=3', 'dcb', 'a'],
    ['?order_by=signed_up_at', 'abcd', null],
    ['?query=USER%20b', 'b', null],
    ['?query=C@exam', 'c', null],
    [`?query=${first}`, 'a', null],
    [`?query=${first!.slice(0, 20)}`, '', null],
    [`?team_id=${nobody}`, '', null],
  ])('with %j is %j, and continues with %j', async (query, names, next) => {
    expect(await list(query)).toEqual([names, next])
  })

  it('has the members of a team by their sign-up, not by when they joined', async () => {
    const world = make({}, people)
    const asServer = (line: string, body: object) => world.ask(line, { access: 'server', body })
    const team = (await asServer('POST /teams', { display_name: 'Team' })).body.id as string
    for (const { id } of [people[3]!, people[0]!, people[2]!])
      expect((await asServer(`POST /team-memberships/${team}/${id}`, {})).status).toBe(201)
    const namesOf = async (query: string) =>
      ((await world.users(`GET ?team_id=${team}&${query}`)).body.items as readonly { display_name: string }[])
        .map(({ display_name }) => display_name.at(-1))
        .join('')
    expect([await namesOf(''), await namesOf('desc=true'), await namesOf('limit=2')]).toEqual(['ACD', 'DCA', 'AC'])
    expect(await namesOf(`limit=2&cursor=${third}`)).toBe('CD')
  })

  it('has all users for an empty query, also those without name and address', async () => {
    const { users } = make()
    await users('POST', {})
    const counts = ['', 'a', '%25'].map(async query => (await users(`GET ?query=${query}`)).body.items.length as number)
    expect(await Promise.all(counts)).toEqual([2, 1, 1])
  })

  it.each(['limit=0', 'limit=x', 'limit=1.5', 'cursor=x', 'order_by=name', 'desc=1'])(
    'refuses %s by its form',
    async query => {
      expectRefusal(await make().users(`GET ?${query}`), 'SCHEMA_ERROR')
    },
  )
})
