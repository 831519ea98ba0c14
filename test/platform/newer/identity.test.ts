import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import type { PlatformOptions } from 'rxauth/platform'
import { localProject } from '../../../src/core/local-project'
import { accessTokenOf, ada, ask as askOf, expectPlain, expectRefusal, isAlive, wireWorld } from '../wire-world'
import type { Answer, Ask, World } from '../wire-world'

const { projectId } = localProject
const admitted = { 'x-stack-allow-anonymous-user': 'true' }
const unverified = { email: 'grace@example.com', password: 'correct horse' }
const restricted = { email: 'eve@example.com', password: 'correct horse', verified: true, restricted: true } as const

const newer = (options: PlatformOptions = {}) => wireWorld({ wire: '2026', ...options })
const demanding = () =>
  newer({ seed: { project: { config: { requireEmailVerification: true } }, users: [ada, unverified, restricted] } })

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly user_id: string
}

async function anonymous({ ask }: World): Promise<Tokens> {
  const { body } = await ask('POST /auth/anonymous/sign-up')
  return body as Tokens
}

describe('an unknown release', () => {
  it('is none', () => {
    expect(() => wireWorld({ wire: '2025' as never })).toThrow('wire "2025" is unknown')
  })
})

describe('an access token of the newer wire', () => {
  it("has its user's claims in snake case", async () => {
    const world = newer()
    const token = await accessTokenOf(world)
    const now = world.clock.now() / 1000
    const { refresh_token_id: session, ...claims } = decodeJwt(token)
    expect(claims).toEqual({
      iss: `http://localhost:8102/api/v1/projects/${projectId}`,
      aud: projectId,
      sub: ada.id,
      iat: now,
      exp: now + 600,
      project_id: projectId,
      branch_id: 'main',
      role: 'authenticated',
      name: 'Ada',
      email: ada.email,
      email_verified: true,
      selected_team_id: null,
      signed_up_at: now,
      is_anonymous: false,
      is_restricted: false,
      restricted_reason: null,
      requires_totp_mfa: false,
    })
    const { body } = await world.ask('GET /auth/sessions?user_id=me', { accessToken: token })
    expect(body.items[0]).toMatchObject({ id: session, is_current_session: true })
  })

  it.each([
    ['anonymous', ':anon', 'projects-anonymous-users', { type: 'anonymous' }],
    ['restricted', ':restricted', 'projects-restricted-users', { type: 'email_not_verified' }],
  ] as const)('of an %s user has an audience and an issuer of its own', async (kind, ending, path, reason) => {
    const world = demanding()
    const token =
      kind === 'anonymous' ? (await anonymous(world)).access_token : await accessTokenOf(world, unverified.email)
    expect(decodeJwt(token)).toMatchObject({
      aud: projectId + ending,
      iss: `http://localhost:8102/api/v1/${path}/${projectId}`,
      is_anonymous: kind === 'anonymous',
      is_restricted: true,
      restricted_reason: reason,
    })
  })

  it.each([
    ['', 1],
    ['?include_restricted=true', 2],
    ['?include_anonymous=true', 3],
    ['?include_anonymous=true&include_restricted=true', 3],
  ])('is verified with the keys of /jwks.json%s, which has %i', async (query, count) => {
    const world = demanding()
    const tokens = [
      await accessTokenOf(world),
      await accessTokenOf(world, unverified.email),
      (await anonymous(world)).access_token,
    ]
    const { body } = await world.ask(`GET /projects/${projectId}/.well-known/jwks.json${query}`, { access: null })
    const keys = createLocalJWKSet(body as JSONWebKeySet)
    const currentDate = new Date(world.clock.now())
    const verified = await Promise.allSettled(tokens.map(token => jwtVerify(token, keys, { currentDate })))
    expect(verified.map(({ status }) => status === 'fulfilled')).toEqual([true, count > 1, count > 2])
    expect(body.keys).toHaveLength(count)
  })

  it('is verified with keys that may be kept for an hour; those of the reference wire may not', async () => {
    const line = `GET /projects/${projectId}/.well-known/jwks.json`
    const cached = async (world: World) => (await world.ask(line, { access: null })).headers.get('cache-control')
    expect(await cached(newer())).toBe('public, max-age=3600')
    expect(await cached(wireWorld())).toBe('no-store, max-age=0')
  })

  it('names its user in the error when it has expired', async () => {
    const world = newer()
    const accessToken = await accessTokenOf(world)
    await world.clock.advance(600_000)
    const added = { project_id: 'string', user_id: 'string', refresh_token_id: 'string' }
    expect(expectRefusal(await world.ask('GET /users/me', { accessToken }), 'ACCESS_TOKEN_EXPIRED', added)).toEqual({
      expired_at_millis: world.clock.now(),
      project_id: projectId,
      user_id: ada.id,
      refresh_token_id: decodeJwt(accessToken)['refresh_token_id'],
    })
  })
})

describe('an anonymous user', () => {
  it('is allowed in every project, even a strict one with sign-up off, and has no name', async () => {
    const world = newer({
      compatibility: 'strict',
      seed: { project: { config: { signUpEnabled: false, anonymousSignUpEnabled: false } } },
    })
    const { access_token: accessToken, user_id: id } = await anonymous(world)
    const me = await world.ask('GET /users/me', { accessToken, headers: admitted })
    expect([me.status, me.body]).toMatchObject([
      200,
      { id, display_name: null, is_anonymous: true, is_restricted: true, restricted_reason: { type: 'anonymous' } },
    ])
  })

  const calls: [line: string, how: Ask][] = [
    ['GET /users/me', {}],
    ['GET /users/me', { access: 'server' }],
    ['GET /projects/current', {}],
    ['GET /', {}],
    ['DELETE /auth/sessions/current', {}],
    ['POST /auth/password/sign-in', { body: { email: ada.email, password: ada.password } }],
  ]
  it.each(calls)('is refused without the header that admits it: %s %j', async (line, how) => {
    const world = newer()
    const { access_token: accessToken, refresh_token: refreshToken } = await anonymous(world)
    for (const headers of [
      {},
      { 'x-stack-allow-anonymous-user': 'false' },
      { 'x-stack-allow-restricted-user': 'true' },
    ])
      expectRefusal(await world.ask(line, { ...how, accessToken, headers }), 'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')
    // The refused sign-out has not ended the session.
    expect(await isAlive(world, refreshToken)).toBe(true)
    expect((await world.ask(line, { ...how, accessToken, headers: admitted })).status).toBe(200)
  })
})

describe('a restricted user', () => {
  it.each([
    ['of a project that demands verified addresses', unverified.email, 'email_not_verified'],
    ['by an administrator', restricted.email, 'restricted_by_administrator'],
  ])('%s is refused without a header that admits it', async (_, email, type) => {
    const world = demanding()
    const accessToken = await accessTokenOf(world, email)
    const answer = await world.ask('GET /users/me', { accessToken })
    expect(expectRefusal(answer, 'RESTRICTED_USER_NOT_ALLOWED')).toEqual({ restricted_reason: { type } })
    for (const name of ['x-stack-allow-anonymous-user', 'x-stack-allow-restricted-user']) {
      const { body } = await world.ask('GET /users/me', { accessToken, headers: { [name]: 'true' } })
      expect(body).toMatchObject({ is_restricted: true, restricted_reason: { type } })
    }
  })

  it('is restricted by the old token after the address is verified, and not by a new one', async () => {
    const world = demanding()
    const { body: tokens } = await world.ask('POST /auth/password/sign-in', { body: unverified })
    const { body: channels } = await world.ask('GET /contact-channels?user_id=me', {
      accessToken: tokens.access_token,
      headers: admitted,
    })
    await world.ask(`PATCH /contact-channels/me/${channels.items[0].id}`, {
      access: 'server',
      accessToken: tokens.access_token,
      headers: admitted,
      body: { is_verified: true },
    })
    expectRefusal(await world.ask('GET /users/me', { accessToken: tokens.access_token }), 'RESTRICTED_USER_NOT_ALLOWED')
    const headers = { 'x-stack-refresh-token': tokens.refresh_token }
    const { body } = await world.ask('POST /auth/sessions/current/refresh', { headers })
    const me = await world.ask('GET /users/me', { accessToken: body.access_token })
    expect(me.body).toMatchObject({ is_restricted: false, restricted_reason: null, primary_email_verified: true })
  })

  it('does not exist if the project requires no verification', async () => {
    const world = newer({ seed: { users: [unverified] } })
    const accessToken = await accessTokenOf(world, unverified.email)
    expect((await world.ask('GET /users/me', { accessToken })).body.is_restricted).toBe(false)
  })
})

describe('the reference wire', () => {
  it('has no restrictions and none of their fields', async () => {
    const world = wireWorld({
      seed: { project: { config: { requireEmailVerification: true } }, users: [unverified, restricted] },
    })
    for (const accessToken of [
      await accessTokenOf(world, unverified.email),
      await accessTokenOf(world, restricted.email),
      (await anonymous(world)).access_token,
    ]) {
      const me = await world.ask('GET /users/me', { accessToken })
      expect([me.status, Object.keys(me.body).filter(key => key.includes('restricted'))]).toEqual([200, []])
      expect(Object.keys(decodeJwt(accessToken)).sort()).toEqual(
        ['aud', 'branchId', 'exp', 'iat', 'iss', 'refreshTokenId', 'role', 'sub'].sort(),
      )
    }
    expectRefusal(
      await world.ask(`GET /projects/${projectId}/.well-known/jwks.json?include_anonymous=true`, { access: null }),
      'SCHEMA_ERROR',
    )
  })
})

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
      expectRefusal(await list(query), 'SCHEMA_ERROR')
  })

  it('fills each page while there are more', async () => {
    const world = demanding()
    await anonymous(world)
    const { body } = await world.ask('GET /users?limit=1', { access: 'server' })
    expect([body.items.length, body.pagination]).toEqual([1, { next_cursor: null }])
  })
})

describe('a sign-up that carries an anonymous token', () => {
  const grace = {
    email: 'grace@example.com',
    password: 'correct horse',
    verification_callback_url: 'http://localhost/',
  }

  it('turns the anonymous user into a named one by a password, and ends its sessions', async () => {
    const world = newer()
    const before = await anonymous(world)
    const signUp = { accessToken: before.access_token, headers: admitted, body: grace }
    const answer = await world.ask('POST /auth/password/sign-up', signUp)
    expect([answer.status, answer.body.user_id]).toEqual([200, before.user_id])
    expect(await isAlive(world, before.refresh_token)).toBe(false)
    expect(await isAlive(world, answer.body.refresh_token)).toBe(true)
    const me = await world.ask('GET /users/me', { accessToken: answer.body.access_token })
    expect(me.body).toMatchObject({
      id: before.user_id,
      primary_email: grace.email,
      primary_email_verified: false,
      has_password: true,
      is_anonymous: false,
    })
    expect(
      (await world.ask('POST /auth/password/sign-in', { body: { ...grace, verification_callback_url: undefined } }))
        .body.user_id,
    ).toBe(before.user_id)
  })

  it('turns it into a named one by a mailed code, and keeps its session', async () => {
    const world = newer({ seed: { project: { config: { magicLinkEnabled: true } } } })
    const before = await anonymous(world)
    const mails = world.platform.mailbox(grace.email)
    const body = { email: grace.email, callback_url: 'http://localhost/' }
    await world.ask('POST /auth/otp/send-sign-in-code', { body })
    const code = new URL((await mails.next()).links[0]!).searchParams.get('code')
    const how = { accessToken: before.access_token, headers: admitted, body: { code } }
    const answer = await world.ask('POST /auth/otp/sign-in', how)
    expect(answer.body).toMatchObject({ user_id: before.user_id, is_new_user: true })
    expect(await isAlive(world, before.refresh_token)).toBe(true)
    const me = await world.ask('GET /users/me', { accessToken: answer.body.access_token })
    expect(me.body).toMatchObject({ is_anonymous: false, primary_email_verified: true })
  })

  it('signs in the user of the address, and leaves the anonymous user unchanged', async () => {
    const world = newer()
    const before = await anonymous(world)
    const how: Ask = { accessToken: before.access_token, headers: admitted, body: { ...grace, email: ada.email } }
    const added = { would_work_if_email_was_verified: 'boolean' }
    expectRefusal(await world.ask('POST /auth/password/sign-up', how), 'USER_EMAIL_ALREADY_EXISTS', added)
    const me = await world.ask('GET /users/me', { accessToken: before.access_token, headers: admitted })
    expect(me.body).toMatchObject({ is_anonymous: true, primary_email: null })
    expect(await isAlive(world, before.refresh_token)).toBe(true)
  })

  it('creates another user for a token that is not anonymous', async () => {
    const world = newer()
    const how: Ask = { accessToken: await accessTokenOf(world), body: grace }
    const answer = await world.ask('POST /auth/password/sign-up', how)
    expect([answer.status, answer.body.user_id === ada.id]).toEqual([200, false])
  })
})

describe('a key', () => {
  const withoutKey = { 'x-stack-publishable-client-key': '' }
  const keyDemanded = { seed: { users: [ada], project: { config: { requirePublishableClientKey: true } } } }

  it('is optional for apps, unless the project demands it', async () => {
    expect((await newer().ask('GET /projects/current', { headers: withoutKey })).status).toBe(200)
    const answer = await newer(keyDemanded).ask('GET /projects/current', { headers: withoutKey })
    expect(expectRefusal(answer, 'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT')).toEqual({ project_id: projectId })
  })

  it.each([
    ['client', 'x-stack-publishable-client-key', 'pck_x', 'INVALID_PUBLISHABLE_CLIENT_KEY'],
    ['server', 'x-stack-secret-server-key', '', 'SERVER_AUTHENTICATION_REQUIRED'],
    ['admin', 'x-stack-super-secret-admin-key', '', 'ADMIN_AUTHENTICATION_REQUIRED'],
  ] as const)('is checked at %s level as before: %s "%s"', async (access, name, value, code) => {
    expectRefusal(await newer().ask('GET /projects/current', { access, headers: { [name]: value } }), code)
  })

  it.each([
    ['a public client', '__stack_public_client__', 200, 401],
    ['the key', localProject.publishableClientKey, 200, 200],
    ['nothing', '', 400, 400],
    ['something else', 'pck_x', 400, 400],
  ])("as a form's client secret: %s", async (_, secret, optional, demanded) => {
    for (const [options, status] of [
      [{}, optional],
      [keyDemanded, demanded],
    ] as const) {
      const world = newer(options)
      const { refreshToken } = (await world.platform.tokensFor(ada.email)).read()!
      const answer = await refresh(world, refreshToken ?? '', secret)
      expect(answer.status).toBe(status)
      if (status === 401) expectRefusal(answer, 'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT')
      if (status === 400) expectRefusal(answer, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET')
    }
  })

  it('for public clients is wrong on the reference wire', async () => {
    const world = wireWorld()
    const { refreshToken } = (await world.platform.tokensFor(ada.email)).read()!
    const answer = await refresh(world, refreshToken ?? '', '__stack_public_client__')
    expectRefusal(answer, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET')
  })

  async function refresh({ platform }: World, refreshToken: string, secret: string): Promise<Answer> {
    const form = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: projectId,
      client_secret: secret,
    }
    return askOf(platform, 'POST /auth/oauth/token', {
      access: null,
      raw: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }
})

describe('an unknown project', () => {
  it.each<[how: Ask]>([
    [{}],
    [{ headers: { 'x-stack-publishable-client-key': 'x' } }],
    [{ headers: { 'x-stack-publishable-client-key': '' } }],
    [{ access: 'server', headers: { 'x-stack-secret-server-key': '' } }],
    [{ headers: { 'x-stack-admin-access-token': 'x' } }],
  ])('is reported before its keys are checked: %j', async how => {
    const headers = { ...how.headers, 'x-stack-project-id': 'nothing' }
    const answer = await newer().ask('GET /projects/current', { ...how, headers })
    expect(expectRefusal(answer, 'CURRENT_PROJECT_NOT_FOUND')).toEqual({ project_id: 'nothing' })
  })
})

describe('a header', () => {
  it('may be sent under either name, and the newer one wins', async () => {
    const { ask } = newer()
    const key = { 'x-hexclave-publishable-client-key': localProject.publishableClientKey }
    const newNames = { ...key, 'x-hexclave-access-type': 'client', 'x-hexclave-project-id': projectId }
    expect((await ask('GET /projects/current', { access: null, headers: newNames })).status).toBe(200)
    const both = { 'x-hexclave-publishable-client-key': 'x' }
    expectRefusal(await ask('GET /projects/current', { headers: both }), 'INVALID_PUBLISHABLE_CLIENT_KEY')
    expectRefusal(
      await wireWorld().ask('GET /projects/current', { access: null, headers: newNames }),
      'ACCESS_TYPE_REQUIRED',
    )
  })

  it('keeps the body of a request with newer names', async () => {
    const body = { email: ada.email, password: ada.password }
    const headers = { 'x-hexclave-override-error-status': 'true' }
    const right = await newer().ask('POST /auth/password/sign-in', { body, headers })
    expect([right.status, right.body.user_id]).toEqual([200, ada.id])
  })

  it('of an answer is sent under both names', async () => {
    const how: Ask = { headers: { 'x-stack-override-error-status': 'true' } }
    const { status, headers } = await newer().ask('GET /users/me', how)
    expect(status).toBe(200)
    for (const brand of ['stack', 'hexclave']) {
      expect(headers.get(`x-${brand}-actual-status`)).toBe('400')
      expect(headers.get(`x-${brand}-known-error`)).toBe('CANNOT_GET_OWN_USER_WITHOUT_USER')
      for (const name of ['access-token', 'allow-anonymous-user', 'allow-restricted-user'])
        expect(headers.get('access-control-allow-headers')?.split(', ')).toContain(`x-${brand}-${name}`)
      for (const name of ['actual-status', 'known-error'])
        expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(`x-${brand}-${name}`)
    }
    const reference = await wireWorld().ask('GET /users/me', how)
    expect([...reference.headers.entries()].flat().join()).not.toMatch(/hexclave|allow-anonymous/)
  })

  it.each([
    ['2.8.18', 200],
    ['2026', 500],
  ] as const)('cannot have a failure of the platform %s sent as success', async (wire, status) => {
    const world = wireWorld({ wire })
    const headers = { 'x-stack-override-error-status': 'true' }
    const answer = await world.ask('POST /auth/passkey/register', {
      headers,
      accessToken: await accessTokenOf(world),
      body: { credential: {}, code: await passkeyCode(world) },
    })
    expect(answer.status).toBe(status)
    if (status === 500) expectPlain(answer, 500)
  })

  async function passkeyCode(world: World): Promise<string> {
    const accessToken = await accessTokenOf(world)
    const config = { passkeyEnabled: true }
    await world.platform.seed({ project: { config } })
    const { body } = await world.ask('POST /auth/passkey/initiate-passkey-registration', { accessToken })
    return body.code as string
  }
})
