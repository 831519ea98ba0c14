import { expectRefusal, signInAda, wireWorld } from '../wire-world'

describe('an image', () => {
  async function setting(profile_image_url: unknown, access: 'client' | 'server') {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    return world.ask('PATCH /users/me', { access, accessToken, body: { profile_image_url } })
  }

  it.each(['', ' ', 'a.png', '/a.png', 'https://example.com/a b.png', 'https://'])('is never %j', async url => {
    for (const access of ['client', 'server'] as const) expectRefusal(await setting(url, access), 'SCHEMA_ERROR')
  })

  it.each([
    [1_000_000, 200],
    [1_000_001, 400],
  ])('of %i characters answers %i', async (length, status) => {
    const url = 'https://example.com/'.padEnd(length, 'a')
    expect((await setting(url, 'server')).status).toBe(status)
  })
})
