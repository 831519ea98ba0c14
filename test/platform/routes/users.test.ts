import type { ProjectConfig, SeedUser } from 'rxauth/platform'
import wire from '../../wire/new-user.json'
import { ada, expectAnswer, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'
import { anonymous, demanding } from '../world-2026'

const nobody = '00000000-0000-4000-8000-000000000000'

/** Of `U*U`. */
const bcryptHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

const github = [{ id: 'github', type: 'shared' as const }]

describe('the list of users', () => {
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

  it('refuses a provider account of another user', async () => {
    const { users } = make()
    const first = (await users('POST', wire.request)).body
    const { oauth_providers } = wire.request
    expectPlain(await users('POST', { oauth_providers }), 400)
    expect((await users(`GET /${first.id}`)).body.oauth_providers).toEqual(oauth_providers)
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
