import { admitted, demanding, newer, restricted, unverified } from '../world-2026'
import { accessTokenOf, expectRefusal } from '../wire-world'

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
