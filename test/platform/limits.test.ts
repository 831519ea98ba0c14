import { ada, expectRefusal, signInAda, wireWorld } from './wire-world'

describe('an id', () => {
  it('is the same in capital letters', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const [channel] = (await world.ask('GET /contact-channels?user_id=me', { accessToken })).body.items
    const id = String(channel.id).toUpperCase()
    const read = await world.ask(`GET /contact-channels/${ada.id.toUpperCase()}/${id}`, { accessToken })
    expect([read.status, read.body]).toEqual([200, channel])
    const listed = await world.ask(`GET /contact-channels?contact_channel_id=${id}`, { access: 'server' })
    expect(listed.body.items).toEqual([channel])
  })

  it('is a UUID wherever it stands', async () => {
    const { ask } = wireWorld()
    for (const line of [
      '/users/x',
      '/users?cursor=x',
      '/users?team_id=x',
      '/contact-channels/x/me',
      '/internal/api-keys/x',
    ])
      expectRefusal(await ask(`GET ${line}`, { access: 'admin' }), 'SCHEMA_ERROR')
  })
})

describe('a password', () => {
  it.each([
    ['70 characters', 'x'.repeat(70), 200],
    ['71 characters', 'x'.repeat(71), 400],
    ['71 bytes', 'é'.repeat(35) + 'x', 200],
    ['72 bytes', 'é'.repeat(36), 400],
  ])('of %s answers %i', async (_, password, status) => {
    const body = { email: 'new@example.com', password, verification_callback_url: 'http://localhost/v' }
    const answer = await wireWorld().ask('POST /auth/password/sign-up', { body })
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'SCHEMA_ERROR')
  })
})
