import { decodeJwt } from 'jose'
import { localProject } from '../../../src/core/defaults'
import { accessTokenOf, ada, expectAnswer, expectRefusal, isAlive, wireWorld, type Ask } from '../wire-world'
import { admitted, anonymous, newer, projectId, restricted, unverified } from '../world-2026'

describe('an anonymous user', () => {
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
    const others = [{ 'x-stack-allow-anonymous-user': 'false' }, { 'x-stack-allow-restricted-user': 'true' }]
    for (const headers of [{}, ...others])
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
    const keys = `GET /projects/${projectId}/.well-known/jwks.json?include_anonymous=true`
    expectRefusal(await world.ask(keys, { access: null }), 'SCHEMA_ERROR')
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

  const wrong = 'INVALID_OAUTH_CLIENT_ID_OR_SECRET'
  it.each<
    [what: string, client_secret: string, optional: number | string, demanded: number | string, before: number | string]
  >([
    ['a public client', '__stack_public_client__', 200, 'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT', wrong],
    ['the key', localProject.publishableClientKey, 200, 200, 200],
    ['nothing', '', wrong, wrong, wrong],
    ['something else', 'pck_x', wrong, wrong, wrong],
  ])("as a form's client secret: %s", async (_, client_secret, optional, demanded, before) => {
    for (const [world, answered] of [
      [newer(), optional],
      [newer(keyDemanded), demanded],
      [wireWorld(), before],
    ] as const) {
      const refresh_token = (await world.platform.tokensFor(ada.email)).read()?.refreshToken ?? ''
      const form = { grant_type: 'refresh_token', refresh_token, client_id: projectId, client_secret }
      const raw = new URLSearchParams(form).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expectAnswer(await world.ask('POST /auth/oauth/token', { access: null, raw, headers }), answered)
    }
  })
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
