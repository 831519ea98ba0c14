import { ada, wireWorld } from '../wire-world'

describe('tokensFor', () => {
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
