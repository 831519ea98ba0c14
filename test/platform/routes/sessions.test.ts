import { decodeJwt } from 'jose'
import { ada, expectRefusal, signInAda, wireWorld } from '../wire-world'

describe("refreshing with the platform's headers", () => {
  const line = 'POST /auth/sessions/current/refresh'

  it('answers an access token and nothing else, even with rotation', async () => {
    const world = wireWorld({ rotation: true, seed: { users: [ada] } })
    const { refresh_token } = await signInAda(world)
    const headers = { 'x-stack-refresh-token': refresh_token }
    const { status, body } = await world.ask(line, { headers })
    expect([status, Object.keys(body)]).toEqual([200, ['access_token']])
    expect(decodeJwt(body.access_token).sub).toBe(ada.id)
    expect((await world.ask(line, { headers })).status).toBe(200)
  })

  it('needs the header', async () => {
    expectRefusal(await wireWorld().ask(line), 'SCHEMA_ERROR')
  })

  it('refuses an unknown token', async () => {
    const answer = await wireWorld().ask(line, { headers: { 'x-stack-refresh-token': 'x' } })
    expectRefusal(answer, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })
})

describe('signing out', () => {
  const line = 'DELETE /auth/sessions/current'

  it('ends the refresh token; the access token works until it expires', async () => {
    const world = wireWorld()
    const { access_token: accessToken, refresh_token } = await signInAda(world)
    expect((await world.ask(line, { accessToken, body: {} })).body).toEqual({ success: true })
    const headers = { 'x-stack-refresh-token': refresh_token }
    expectRefusal(
      await world.ask('POST /auth/sessions/current/refresh', { headers }),
      'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    )
    expect((await world.ask('GET /users/me', { accessToken })).status).toBe(200)
    expectRefusal(await world.ask(line, { accessToken }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })

  it("leaves the user's other sessions alone", async () => {
    const world = wireWorld()
    const [one, other] = [await signInAda(world), await signInAda(world)]
    await world.ask(line, { accessToken: one.access_token })
    const headers = { 'x-stack-refresh-token': other.refresh_token }
    expect((await world.ask('POST /auth/sessions/current/refresh', { headers })).status).toBe(200)
  })

  it('without an access token is refused with the time of the request, refresh token or not', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    await world.clock.advance(1234)
    const answer = await world.ask(line, { headers: { 'x-stack-refresh-token': refresh_token } })
    expect(expectRefusal(answer, 'ACCESS_TOKEN_EXPIRED')).toEqual({ expired_at_millis: world.clock.now() })
  })
})
