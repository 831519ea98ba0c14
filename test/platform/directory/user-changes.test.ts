import { accessTokenOf, ada, expectRefusal, wireWorld, type Ask } from '../wire-world'
import { newer, seed } from '../users-world'

describe('the primary address that an app sets on the newer wire', () => {
  const channels = async ({ me }: Awaited<ReturnType<typeof newer>>) => {
    const { body } = await me('GET /contact-channels?user_id=me')
    return (body.items as Record<string, unknown>[]).map(({ id: _, user_id: __, type: ___, ...channel }) => channel)
  }
  const old = { value: ada.email, is_primary: false, is_verified: true, used_for_auth: true }

  it('is the existing channel with its flags, where it does not sign in', async () => {
    const world = await newer()
    const channel = { user_id: 'me', type: 'email', value: 'lovelace@example.com', used_for_auth: false }
    await world.me('POST /contact-channels', channel)
    expect((await world.me('PATCH /users/me', { primary_email: channel.value })).status).toBe(200)
    expect(await channels(world)).toEqual([
      old,
      { value: channel.value, is_primary: true, is_verified: false, used_for_auth: false },
    ])
    // The former one did not sign in: no address is refused.
    expect((await world.me('PATCH /users/me', { primary_email: ada.email })).status).toBe(200)
  })

  it('cannot be verified by apps, nor set on the reference wire', async () => {
    const { me } = await newer()
    expectRefusal(await me('PATCH /users/me', { primary_email_verified: true }), 'SCHEMA_ERROR')
    expectRefusal(await me('PATCH /users/me', { primary_email: 'x' }), 'SCHEMA_ERROR')
    const world = wireWorld({ seed })
    const how: Ask = { accessToken: await accessTokenOf(world), body: { primary_email: 'lovelace@example.com' } }
    expectRefusal(await world.ask('PATCH /users/me', how), 'SCHEMA_ERROR')
  })
})
