import { oauthWorld } from '../oauth-world'
import { accessTokenOf, ada, expectRefusal, type Ask, type World } from '../wire-world'
import { callback, grace, signUpWorld } from '../sign-up-world'

describe('a text', () => {
  // At most 64 characters before the @, and 63 in a label; the rest is filled with labels.
  const emailOf = (length: number) => {
    const domain = `${'b.'.repeat(90)}example.com`
    return `${'a'.repeat(length - domain.length - 1)}@${domain}`
  }

  const calls: [what: string, line: string, how: (length: number) => Ask][] = [
    [
      'e-mail of a sign-up',
      'POST /auth/password/sign-up',
      length => ({ body: { ...grace, email: emailOf(length), verification_callback_url: callback } }),
    ],
    [
      'e-mail of a sign-in code',
      'POST /auth/otp/send-sign-in-code',
      length => ({ body: { email: emailOf(length), callback_url: callback } }),
    ],
    ['display name', 'PATCH /users/me', length => ({ body: { display_name: 'x'.repeat(length) } })],
    [
      'display name that a server sets',
      `PATCH /users/${ada.id}`,
      length => ({ access: 'server', body: { display_name: 'x'.repeat(length) } }),
    ],
    [
      'display name of a new user',
      'POST /users',
      length => ({ access: 'server', body: { display_name: 'x'.repeat(length) } }),
    ],
  ]
  it.each(calls)('has 256 characters at most on the newer wire: %s', async (_, line, how) => {
    for (const [wire, length, isTaken] of [
      ['2026', 256, true],
      ['2026', 257, false],
      ['2.8.18', 257, true],
    ] as const) {
      const world: World = oauthWorld({ magicLinkEnabled: true }, { wire })
      const answer = await world.ask(line, { accessToken: await accessTokenOf(world), ...how(length) })
      if (isTaken) expect(answer.status).toBeLessThan(300)
      else expect(expectRefusal(answer, 'SCHEMA_ERROR')['message']).toContain('must be at most 256 characters long')
    }
  })

  it('has that limit for the primary address, too', async () => {
    const world = signUpWorld()
    const body = { email: emailOf(257), callback_url: callback }
    const how = { accessToken: await accessTokenOf(world), body }
    expectRefusal(await world.ask('POST /contact-channels/send-verification-code', how), 'SCHEMA_ERROR')
  })
})
