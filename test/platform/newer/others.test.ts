import type { PlatformOptions, Wire } from 'rxauth/platform'
import { owner } from '../owner-world'
import { here, passkeyWorld, shop } from '../passkey-world'
import { accessTokenOf, ada, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'
import type { Answer, Ask, World } from '../wire-world'

const newer = (options: PlatformOptions = {}) => wireWorld({ wire: '2026', ...options })
const admitted = { 'x-stack-allow-anonymous-user': 'true' }

describe('the login of a program on the newer wire', () => {
  interface Started {
    readonly login_code: string
    readonly polling_code: string
  }
  const start = async ({ ask }: World, body: object = {}) => (await ask('POST /auth/cli', { body })).body as Started
  const complete = ({ ask }: World, body: object) => ask('POST /auth/cli/complete', { body })
  const adasSession = async ({ platform }: World) => (await platform.tokensFor(ada.email)).read()?.refreshToken ?? ''
  interface Anonymous {
    readonly refresh_token: string
    readonly user_id: string
  }
  const anonymous = async ({ ask }: World) => (await ask('POST /auth/anonymous/sign-up')).body as Anonymous

  it('is completed only with a session of the project', async () => {
    const world = newer()
    const { login_code, polling_code } = await start(world)
    for (const body of [{ login_code }, { login_code, refresh_token: 'x' }])
      expectPlain(await complete(world, body), 400)
    expect((await world.ask('POST /auth/cli/poll', { body: { polling_code } })).body).toEqual({ status: 'waiting' })
    const refresh_token = await adasSession(world)
    const done = await complete(world, { login_code, refresh_token })
    expect([done.status, done.body]).toEqual([200, { success: true }])
    expect((await world.ask('POST /auth/cli/poll', { body: { polling_code } })).body).toEqual({
      status: 'success',
      refresh_token,
    })
  })

  it('is not completed with a session that has ended', async () => {
    const world = newer()
    const { login_code } = await start(world, { expires_in_millis: 86_400_000 })
    const refresh_token = await adasSession(world)
    await world.clock.advance(31_536_000_000)
    const fresh = await start(world)
    expectPlain(await complete(world, { login_code: fresh.login_code, refresh_token }), 400)
    expectPlain(await complete(world, { login_code, refresh_token }), 400)
  })

  it('says whether the program has an anonymous session, and gives it to the browser once', async () => {
    const world = newer()
    const plain = await start(world)
    const check = (login_code: string) => complete(world, { login_code, mode: 'check' })
    const claim = (login_code: string) => complete(world, { login_code, mode: 'claim-anon-session' })
    expect((await check(plain.login_code)).body).toEqual({ cli_session_state: 'none' })
    expectPlain(await claim(plain.login_code), 400)
    const { refresh_token, user_id } = await anonymous(world)
    const { login_code } = await start(world, { anon_refresh_token: refresh_token })
    expect((await check(login_code)).body).toEqual({ cli_session_state: 'anonymous' })
    const { body } = await claim(login_code)
    expect(body).toEqual({ access_token: expect.any(String), refresh_token })
    const me = await world.ask('GET /users/me', { accessToken: body.access_token, headers: admitted })
    expect(me.body.id).toBe(user_id)
    expect((await check(login_code)).body).toEqual({ cli_session_state: 'none' })
    expectPlain(await claim(login_code), 400)
    const done = await complete(world, { login_code, mode: 'complete', refresh_token: await adasSession(world) })
    expect(done.body).toEqual({ success: true })
  })

  it('starts with the session of an anonymous user or with none', async () => {
    const world = newer()
    for (const anon_refresh_token of ['x', await adasSession(world)])
      expectPlain(await world.ask('POST /auth/cli', { body: { anon_refresh_token } }), 400)
  })

  it.each<[line: string, body: object]>([
    ['POST /auth/cli', { anon_refresh_token: 'x' }],
    ['POST /auth/cli/complete', { login_code: 'x', refresh_token: 'x', mode: 'check' }],
    ['POST /auth/cli/complete', { login_code: 'x' }],
  ])('has no such fields on the reference wire: %s %j', async (line, body) => {
    expectRefusal(await wireWorld().ask(line, { body }), 'SCHEMA_ERROR')
  })

  it('stores any token on the reference wire', async () => {
    const world = wireWorld()
    const { login_code } = await start(world)
    expect((await complete(world, { login_code, refresh_token: 'x' })).body).toEqual({ success: true })
  })
})

describe('a passkey of an untrusted origin', () => {
  it.each<[wire: Wire, code: string]>([
    ['2026', 'PASSKEY_REGISTRATION_FAILED'],
    ['2.8.18', 'PASSKEY_AUTHENTICATION_FAILED'],
  ])('is, at its registration on %s, %s', async (wire, code) => {
    const { register } = await passkeyWorld({ ...shop, allowLocalhost: false }, ada, wire)
    expectRefusal(await register(here), code)
    expect((await register('https://shop.example.com')).status).toBe(200)
  })

  it('cannot sign in, on the newer wire too', async () => {
    const { register, enter, platform } = await passkeyWorld(shop, ada, '2026')
    await register()
    await platform.seed({ project: { config: { allowLocalhost: false } } })
    expectRefusal(await enter(), 'PASSKEY_AUTHENTICATION_FAILED')
  })
})

describe('an invitation to a team on the newer wire', () => {
  const grace = { email: 'grace@example.com', password: 'correct horse' }
  const eve = { email: 'eve@example.com', verified: true }

  async function invited(wire: Wire, requireEmailVerification = false, verified = !requireEmailVerification) {
    const world = wireWorld({
      wire,
      seed: {
        project: { config: { requireEmailVerification } },
        users: [ada, { ...grace, verified }, eve],
        teams: [{ ...team, members: [{ email: ada.email, permissions: ['team_admin'] }] }],
      },
    })
    const mails = world.platform.mailbox(grace.email)
    const body = { team_id: team.id, email: grace.email.toUpperCase(), callback_url: here }
    await world.ask('POST /team-invitations/send-code', { access: 'server', body })
    const { code } = await mails.next()
    const as = async (email: string, line: string): Promise<Answer> => {
      const how: Ask = { accessToken: await accessTokenOf(world, email), headers: admitted, body: { code } }
      return world.ask(line, how)
    }
    const accept = (email: string) => as(email, 'POST /team-invitations/accept')
    const details = (email: string) => as(email, 'POST /team-invitations/accept/details')
    const check = () => world.ask('POST /team-invitations/accept/check-code', { body: { code } })
    return { ...world, accept, details, check }
  }

  it('is for the user with the address, and stays unused by another one, who does not see the team', async () => {
    const { accept, details } = await invited('2026')
    expectRefusal(await details(eve.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    expectRefusal(await accept(eve.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    expect((await details(grace.email)).body).toEqual({ team_id: team.id, team_display_name: team.displayName })
    expect((await accept(grace.email)).status).toBe(200)
  })

  it('is refused for the user with the address until it is verified', async () => {
    const { accept, details, ask } = await invited('2026', false, false)
    expectRefusal(await details(grace.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    expectRefusal(await accept(grace.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    const { body } = await ask(`GET /users?query=${grace.email}`, { access: 'server' })
    const verified = { primary_email_verified: true }
    await ask(`PATCH /users/${String(body.items[0].id)}`, { access: 'server', body: verified })
    expect((await accept(grace.email)).status).toBe(200)
  })

  it('is refused for a restricted user', async () => {
    const { accept, details } = await invited('2026', true)
    for (const refused of [await details(grace.email), await accept(grace.email)])
      expect(expectRefusal(refused, 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED')).toEqual({
        restricted_reason: { type: 'email_not_verified' },
      })
  })

  it('is for any user on the reference wire', async () => {
    const { accept } = await invited('2.8.18', true)
    expect((await accept(eve.email)).status).toBe(200)
  })

  it.each(['2.8.18', '2026'] as const)('counts one attempt when it is accepted, on wire %s', async wire => {
    const { accept, check } = await invited(wire)
    for (let tries = 1; tries <= 19; tries++) expect((await check()).status).toBe(200)
    expect((await accept(grace.email)).status).toBe(200)
    const late = await invited(wire)
    for (let tries = 1; tries <= 20; tries++) expect((await late.check()).status).toBe(200)
    expectRefusal(await late.accept(grace.email), 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
  })
})

describe('a project of an owner', () => {
  async function withOwner(wire: Wire) {
    const { asOwner } = await owner(wireWorld({ wire }))
    const { body } = await asOwner('GET /teams?user_id=me')
    const [own] = body.items as { readonly id: string }[]
    return { asOwner, ownTeamId: own?.id }
  }
  const named = { display_name: 'Shop' }

  it('needs a team of the owner on the newer wire', async () => {
    const { asOwner, ownTeamId } = await withOwner('2026')
    expectRefusal(await asOwner('POST /internal/projects', named), 'SCHEMA_ERROR')
    expectPlain(await asOwner('POST /internal/projects', { ...named, owner_team_id: team.id }), 403)
    const made = await asOwner('POST /internal/projects', { ...named, owner_team_id: ownTeamId })
    expect([made.status, made.body.display_name]).toEqual([201, 'Shop'])
    expect((await asOwner('GET /internal/projects')).body.items).toHaveLength(1)
  })

  it('has no such team on the reference wire', async () => {
    const { asOwner, ownTeamId } = await withOwner('2.8.18')
    expect(ownTeamId).toBeUndefined()
    expect((await asOwner('POST /internal/projects', named)).status).toBe(201)
    expectRefusal(await asOwner('POST /internal/projects', { ...named, owner_team_id: team.id }), 'SCHEMA_ERROR')
  })

  it.each<[wire: Wire, domain: string, status: number]>([
    ['2026', 'https://*.example.com:*', 200],
    ['2026', 'https://*.example.com:*/app', 200],
    ['2026', 'https://', 400],
    ['2.8.18', 'https://*.example.com:*', 400],
  ])('on %s is told to trust %s: %i', async (wire, domain, status) => {
    const config = { domains: [{ domain, handler_path: '/handler' }] }
    const answer = await wireWorld({ wire }).ask('PATCH /internal/projects/current', {
      access: 'admin',
      body: { config },
    })
    expect(answer.status).toBe(status)
  })
})
