import { demanding, newer, restricted, unverified } from '../world-2026'
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

  it('does not exist if the project requires no verification', async () => {
    const world = newer({ seed: { users: [unverified] } })
    const accessToken = await accessTokenOf(world, unverified.email)
    expect((await world.ask('GET /users/me', { accessToken })).body.is_restricted).toBe(false)
  })
})
