import { grace, led, newer, oauthWorld, sub } from '../oauth-world'
import { accessTokenOf, isAlive } from '../wire-world'

describe('linking accounts on the newer wire', () => {
  it('takes several of one provider', async () => {
    const world = newer()
    const link = { type: 'link', token: await accessTokenOf(world) }
    for (const accountId of ['1', '2', '2'])
      expect(led(await world.signIn({ ...grace, accountId }, link), 'code')).not.toBeNull()
    const me = await world.ask('GET /users/me', { accessToken: link.token })
    expect(me.body.oauth_providers).toMatchObject([
      { id: 'github', account_id: '1' },
      { id: 'github', account_id: '2' },
    ])
  })
})

describe('an anonymous user who signs in at a provider', () => {
  async function anonymous(world: ReturnType<typeof newer>) {
    const { body } = await world.ask('POST /auth/anonymous/sign-up')
    return body as { readonly access_token: string; readonly refresh_token: string; readonly user_id: string }
  }

  it('becomes the new user, with the same id and session', async () => {
    const world = newer()
    const before = await anonymous(world)
    const back = await world.signIn(grace, { token: before.access_token })
    const { body } = await world.exchange(led(back, 'code'))
    expect([sub(body.access_token), body.is_new_user]).toEqual([before.user_id, true])
    expect((await world.ask('GET /users/me', { accessToken: body.access_token })).body).toMatchObject({
      id: before.user_id,
      display_name: 'Grace',
      primary_email: grace.email,
      is_anonymous: false,
      is_restricted: false,
    })
    expect(await isAlive(world, before.refresh_token)).toBe(true)
  })

  it('stays anonymous if the account has a user already', async () => {
    const world = newer()
    const first = await world.exchange(led(await world.signIn(grace), 'code'))
    const before = await anonymous(world)
    const again = await world.exchange(led(await world.signIn(grace, { token: before.access_token }), 'code'))
    expect(sub(again.body.access_token)).toBe(sub(first.body.access_token))
    const headers = { 'x-stack-allow-anonymous-user': 'true' }
    const me = await world.ask('GET /users/me', { accessToken: before.access_token, headers })
    expect(me.body).toMatchObject({ is_anonymous: true, oauth_providers: [] })
  })

  it('stays apart from the new user on the reference wire', async () => {
    const world = oauthWorld()
    const before = await anonymous(world)
    const { body } = await world.exchange(led(await world.signIn(grace, { token: before.access_token }), 'code'))
    expect(sub(body.access_token)).not.toBe(before.user_id)
  })
})
