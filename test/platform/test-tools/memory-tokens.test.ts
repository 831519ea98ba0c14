import { ada, wireWorld } from '../wire-world'

describe('tokensFor', () => {
  it('gives a store with a real session of the user', async () => {
    const world = wireWorld()
    const tokens = await world.platform.tokensFor('Ada@Example.com')
    const held = tokens.read()
    expect((await world.ask('GET /users/me', { accessToken: held?.accessToken })).body.id).toBe(ada.id)
    const headers = { 'x-stack-refresh-token': held?.refreshToken ?? '' }
    expect((await world.ask('POST /auth/sessions/current/refresh', { headers })).status).toBe(200)
  })

  it('replaces its tokens only if they are unchanged', async () => {
    const tokens = await wireWorld().platform.tokensFor(ada.email)
    const held = tokens.read()
    expect(tokens.replace({ accessToken: null, refreshToken: 'other' }, null)).toBe(false)
    expect(tokens.read()).toBe(held)
    expect([tokens.replace(held, null), tokens.read()]).toEqual([true, null])
    expect([tokens.replace(null, held), tokens.read()]).toEqual([true, held])
  })

  it('rejects if no user has the address', async () => {
    await expect(wireWorld().platform.tokensFor('x@example.com')).rejects.toThrow(
      'there is no user with the e-mail address "x@example.com"; seed one, or sign up first',
    )
  })
})
