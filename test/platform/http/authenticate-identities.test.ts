import { decodeJwt } from 'jose'
import { localProject } from '../../../src/core/defaults'
import { accessTokenOf, ada, ask as askOf, expectRefusal, isAlive, wireWorld } from '../wire-world'
import type { Answer, Ask, World } from '../wire-world'
import { admitted, anonymous, newer, projectId, restricted, unverified } from '../world-2026'

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
