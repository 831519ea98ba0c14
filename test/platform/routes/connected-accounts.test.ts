import { grace, oauthWorld } from '../oauth-world'
import { accessTokenOf, ada, expectPlain, expectRefusal } from '../wire-world'

describe('a token of a connected account', () => {
  const paths = [
    '/connected-accounts/me/github/access-token',
    `/connected-accounts/${ada.id}/github/access-token`,
    '/auth/oauth/connected-accounts/github/access-token',
  ]

  async function connected(scopes?: readonly string[]) {
    const world = oauthWorld()
    const token = await accessTokenOf(world)
    const scope = { type: 'link', token, provider_scope: 'repo gist' }
    await world.signIn({ ...grace, ...(scopes && { scopes }) }, scope)
    const ask = async (body: object = {}, path = paths[0]!) => {
      const accessToken = await accessTokenOf(world)
      return world.ask(`POST ${path}`, { accessToken, body })
    }
    return { ...world, ask, raw: world.ask }
  }

  it.each(paths)('is answered by %s, and valid at the provider', async path => {
    const { ask, visit, origin } = await connected()
    const { status, body } = await ask({ scope: 'repo  gist repo' }, path)
    expect([status, Object.keys(body)]).toEqual([201, ['access_token']])
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await visit(`${origin}/oauth-provider/github/userinfo`, { headers })).body).toEqual({
      sub: grace.accountId,
      email: grace.email,
      email_verified: true,
      name: 'Grace',
    })
  })

  it.each([
    [3_300_000, true],
    [3_300_001, false],
  ])('after %i ms is still the same: %s', async (millis, isSame) => {
    const { ask, clock, visit, origin } = await connected()
    const first = (await ask()).body.access_token
    await clock.advance(millis)
    const second = (await ask()).body.access_token
    expect(second === first).toBe(isSame)
    const headers = { authorization: `Bearer ${second}` }
    expect((await visit(`${origin}/oauth-provider/github/userinfo`, { headers })).status).toBe(200)
  })

  it.each([
    ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', 'spotify'],
    ['OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS', 'google'],
    ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'github'],
  ])('is refused with %s', async (code, provider) => {
    const world = oauthWorld()
    const how = { accessToken: await accessTokenOf(world), body: {} }
    expectRefusal(await world.ask(`POST /connected-accounts/me/${provider}/access-token`, how), code)
  })

  it("is the user's own, except for servers", async () => {
    const { raw } = await connected()
    const path = `POST /connected-accounts/${ada.id}/github/access-token`
    expectPlain(await raw(path, { body: {} }), 403)
    expect((await raw(path, { access: 'server', body: {} })).status).toBe(201)
    expectRefusal(await raw(`POST ${paths[0]}`, { body: {} }), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })
})
