import { accessTokenOf, expectRefusal, wireWorld, type Ask } from '../wire-world'
import { newer, seed } from '../users-world'

describe('the primary address that an app sets on the newer wire', () => {
  it('cannot be verified by apps, nor set on the reference wire', async () => {
    const { me } = await newer()
    expectRefusal(await me('PATCH /users/me', { primary_email_verified: true }), 'SCHEMA_ERROR')
    expectRefusal(await me('PATCH /users/me', { primary_email: 'x' }), 'SCHEMA_ERROR')
    const world = wireWorld({ seed })
    const how: Ask = { accessToken: await accessTokenOf(world), body: { primary_email: 'lovelace@example.com' } }
    expectRefusal(await world.ask('PATCH /users/me', how), 'SCHEMA_ERROR')
  })
})
