import { decodeJwt } from 'jose'
import { localProject } from '../../../src/core/defaults'
import wire from '../../wire/refresh-grant.json'
import { ada, expectPlain, expectRefusal, formsOf, signInAda, toAnswer, wireWorld } from '../wire-world'
import type { Answer, World } from '../wire-world'
import { app, grace, led, newer, oauthWorld } from '../oauth-world'

const client = { client_id: localProject.projectId, client_secret: localProject.publishableClientKey }

describe('an authorization code on the newer wire', () => {
  it('is refused in plain text with another redirect URI, and works afterwards', async () => {
    const { signIn, exchange } = newer()
    const code = led(await signIn(grace), 'code')
    expectPlain(await exchange(code, { redirect_uri: `${app}/other` }), 400)
    expect((await exchange(code)).status).toBe(200)
    const reference = oauthWorld()
    const old = led(await reference.signIn(grace), 'code')
    expectRefusal(await reference.exchange(old, { redirect_uri: `${app}/other` }), 'REDIRECT_URL_NOT_WHITELISTED')
  })
})

/** In the form that kits send: without the platform's headers. */
async function grant({ platform }: World, fields: Record<string, string>, asJson = false): Promise<Answer> {
  const all = { grant_type: 'refresh_token', ...client, ...fields }
  const response = await platform.fetch(
    new Request(`${platform.options.baseUrl}/api/v1/auth/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': asJson ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: asJson ? JSON.stringify(all) : new URLSearchParams(all).toString(),
    }),
  )
  return toAnswer(response)
}

describe('the refresh grant', () => {
  it.each([false, true])('answers a new access token of the same session (JSON body: %s)', async asJson => {
    const world = wireWorld()
    const tokens = await signInAda(world)
    await world.clock.advance(1000)
    const { status, body, headers } = await grant(world, { refresh_token: tokens.refresh_token }, asJson)
    expect([status, formsOf(body)]).toEqual([200, wire.answer])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'legacy' })
    expect(headers.get('pragma')).toBe('no-cache')
    const [before, after] = [decodeJwt(tokens.access_token), decodeJwt(body.access_token)]
    expect(after).toEqual({ ...before, iat: Number(before.iat) + 1, exp: Number(before.exp) + 1 })
  })

  it('accepts the only scope, and the branch in the client id', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    for (const fields of [{ scope: 'legacy' }, { client_id: `${client.client_id}#main` }])
      expect((await grant(world, { refresh_token, ...fields })).status).toBe(200)
  })

  it.each<[what: string, fields: Record<string, string>, code: string]>([
    ['an unknown token', { refresh_token: 'x' }, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'],
    ['a wrong secret', { refresh_token: 'x', client_secret: 'x' }, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET'],
    ['an unknown project', { refresh_token: 'x', client_id: 'x' }, 'INVALID_OAUTH_CLIENT_ID_OR_SECRET'],
    [
      'an unknown branch',
      { refresh_token: 'x', client_id: `${client.client_id}#dev` },
      'INVALID_OAUTH_CLIENT_ID_OR_SECRET',
    ],
    ['an unknown grant type', { grant_type: 'password' }, 'SCHEMA_ERROR'],
    ['another scope', { refresh_token: 'x', scope: 'all' }, 'INVALID_SCOPE'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'http://localhost', code_verifier: 'x' },
      'INVALID_AUTHORIZATION_CODE',
    ],
  ])('refuses %s', async (_, fields, code) => {
    const details = expectRefusal(await grant(wireWorld(), fields), code)
    if (code === 'INVALID_OAUTH_CLIENT_ID_OR_SECRET') expect(details).toEqual({ client_id: null })
  })

  const codeGrant = { grant_type: 'authorization_code', code_verifier: 'x' }
  it.each<[fields: Record<string, string>, said: string]>([
    [{}, 'refresh_token'],
    [{ refresh_token: '' }, 'refresh_token'],
    [codeGrant, 'Missing parameter: code'],
    [{ ...codeGrant, code: 'x' }, 'Missing parameter: redirect_uri'],
  ])('answers an OAuth error to a grant with %j: %s', async (fields, said) => {
    const { status, headers, body } = await grant(wireWorld(), fields)
    expect([status, headers.get('x-stack-known-error')]).toEqual([400, null])
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: expect.stringMatching(`${said}$|^.*refresh_token`),
    })
  })

  it.each([
    [31_535_999_999, 200],
    [31_536_000_000, 401],
  ])('answers %i ms after the sign-in with %i', async (millis, status) => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    await world.clock.advance(millis)
    expect((await grant(world, { refresh_token })).status).toBe(status)
  })

  it('is refused after the user was deleted', async () => {
    const world = wireWorld()
    const { access_token: accessToken, refresh_token } = await signInAda(world)
    await world.ask('DELETE /users/me', { access: 'server', accessToken })
    expectRefusal(await grant(world, { refresh_token }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })

  it('belongs to one project', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    const client_secret = 'this-publishable-client-key-is-for-local-development-only'
    const answer = await grant(world, { refresh_token, client_id: 'internal', client_secret })
    expectRefusal(answer, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })
})

describe('rotation', () => {
  it('answers a new refresh token each time', async () => {
    const world = wireWorld({ rotation: true, seed: { users: [ada] } })
    const { refresh_token: first } = await signInAda(world)
    const { body } = await grant(world, { refresh_token: first })
    expect(formsOf(body)).toEqual(wire.rotated)
    const second = await grant(world, { refresh_token: body.refresh_token })
    expect(second.status).toBe(200)
    expect(new Set([first, body.refresh_token, second.body.refresh_token]).size).toBe(3)
  })

  it.each([
    ['by default', true, 60_000],
    ['when told', { graceMillis: 5 }, 5],
  ] as const)('gives the same successor for a while %s', async (_, rotation, graceMillis) => {
    const world = wireWorld({ rotation, seed: { users: [ada] } })
    const { refresh_token: first } = await signInAda(world)
    const { refresh_token: second } = (await grant(world, { refresh_token: first })).body
    await grant(world, { refresh_token: second })
    await world.clock.advance(graceMillis)
    expect((await grant(world, { refresh_token: first })).body.refresh_token).toBe(second)
  })

  it.each([
    ['by default', true, 60_001],
    ['told nothing', {}, 60_001],
    ['when told', { graceMillis: 5 }, 6],
  ] as const)('ends the session when a replaced token is used after that, %s', async (_, rotation, millis) => {
    const world = wireWorld({ rotation, seed: { users: [ada] } })
    const { refresh_token: first } = await signInAda(world)
    const { refresh_token: second } = (await grant(world, { refresh_token: first })).body
    await world.clock.advance(millis)
    expectRefusal(await grant(world, { refresh_token: first }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
    expectRefusal(await grant(world, { refresh_token: second }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })
})
