import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose'
import { anonymous, demanding, newer, projectId, unverified } from '../world-2026'
import { accessTokenOf, ada, expectRefusal, wireWorld, type World } from '../wire-world'

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
    ['', 2],
    ['?include_restricted=true', 4],
    ['?include_anonymous=true', 6],
    ['?include_anonymous=true&include_restricted=true', 6],
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
    expect(verified.map(({ status }) => status === 'fulfilled')).toEqual([true, count > 2, count > 4])
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
