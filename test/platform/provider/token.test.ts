import { createLocalJWKSet, jwtVerify } from 'jose'
import { grace, standard } from '../oauth-world'
import { asClient, codeFor } from './provider-world'

describe('the local provider', () => {
  it('signs id tokens', async () => {
    const world = await asClient()
    const { status, body } = await world.redeem(await codeFor(world, world.authorizeAt))
    expect(status).toBe(200)
    const keys = createLocalJWKSet((await world.visit(`${world.issuer}/jwks.json`)).body)
    const { payload } = await jwtVerify(body.id_token, keys, {
      issuer: world.issuer,
      audience: standard.clientId,
      currentDate: new Date(world.clock.now()),
    })
    expect(payload).toMatchObject({
      sub: grace.accountId,
      email: grace.email,
      email_verified: true,
      name: 'Grace',
      nonce: 'n',
    })
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email profile repo' })
  })

  it('also authenticates clients by a basic header', async () => {
    const world = await asClient()
    const code = await codeFor(world, world.authorizeAt)
    const authorization = `Basic ${btoa(`${standard.clientId}:${standard.clientSecret}`)}`
    expect((await world.redeem(code, { client_id: '', client_secret: '' }, { authorization })).status).toBe(200)
  })

  it.each([
    ['invalid_client', { client_secret: 'x' }, 401],
    ['invalid_client', { client_id: 'x' }, 401],
    ['unsupported_grant_type', { grant_type: 'password' }, 400],
    ['invalid_grant', { code: 'x' }, 400],
    ['invalid_grant', { code_verifier: 'x' }, 400],
    ['invalid_grant', { redirect_uri: 'x' }, 400],
  ])('answers %s to %j', async (error, change, status) => {
    const world = await asClient()
    const answer = await world.redeem(await codeFor(world, world.authorizeAt), change)
    expect([answer.status, answer.body]).toEqual([status, { error }])
  })

  it('lets a code be used once, and for a minute', async () => {
    const world = await asClient()
    const code = await codeFor(world, world.authorizeAt)
    expect((await world.redeem(code)).status).toBe(200)
    expect((await world.redeem(code)).body).toEqual({ error: 'invalid_grant' })
    const late = await codeFor(world, world.authorizeAt)
    await world.clock.advance(60_000)
    expect((await world.redeem(late)).body).toEqual({ error: 'invalid_grant' })
  })

  it('refreshes its tokens, and refuses user info without one', async () => {
    const world = await asClient()
    const first = (await world.redeem(await codeFor(world, world.authorizeAt))).body
    const userinfo = (token: string) =>
      world.visit(`${world.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    await world.clock.advance(3_600_000)
    expect((await userinfo(first.access_token)).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token as string }
    const second = (await world.redeem(null, refresh)).body
    expect(Object.keys(second)).toEqual(['access_token', 'token_type', 'expires_in', 'scope'])
    expect((await userinfo(second.access_token)).status).toBe(200)
    expect((await userinfo(first.refresh_token)).status).toBe(401)
    expect((await world.visit(`${world.issuer}/userinfo`)).status).toBe(401)
  })
})
