import { accessTokenOf, expectRefusal } from '../wire-world'
import { callback, signUpWorld } from '../sign-up-world'

describe('a text', () => {
  // At most 64 characters before the @, and 63 in a label; the rest is filled with labels.
  const emailOf = (length: number) => {
    const domain = `${'b.'.repeat(90)}example.com`
    return `${'a'.repeat(length - domain.length - 1)}@${domain}`
  }

  it('has that limit for the primary address, too', async () => {
    const world = signUpWorld()
    const body = { email: emailOf(257), callback_url: callback }
    const how = { accessToken: await accessTokenOf(world), body }
    expectRefusal(await world.ask('POST /contact-channels/send-verification-code', how), 'SCHEMA_ERROR')
  })
})
