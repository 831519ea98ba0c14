import signUp from '../../wire/password-sign-up.json'
import { ada, expectRefusal, formsOf, wireWorld } from '../wire-world'

const request = signUp.request

describe('signing up with a password', () => {
  it('answers tokens and the new user only', async () => {
    const { ask } = wireWorld()
    const { status, body } = await ask('POST /auth/password/sign-up', { body: request })
    expect([status, formsOf(body)]).toEqual([200, signUp.answer])
    expect(body.refresh_token).toMatch(/^[0-9a-hjkmnp-tv-z]{44}[08gr]$/)
    const user = (await ask('GET /users/me', { accessToken: body.access_token })).body
    expect(user).toMatchObject({
      id: body.user_id,
      display_name: null,
      primary_email: 'grace@example.com',
      primary_email_verified: false,
      has_password: true,
    })
  })

  it('stores the address in lower case', async () => {
    const { ask } = wireWorld()
    await ask('POST /auth/password/sign-up', { body: { ...request, email: 'Grace@Example.com' } })
    expect(
      (await ask('POST /auth/password/sign-in', { body: { email: request.email, password: request.password } })).status,
    ).toBe(200)
  })

  it('mails a link to the callback URL with a code', async () => {
    const { ask, platform, clock } = wireWorld()
    await ask('POST /auth/password/sign-up', {
      body: { ...request, verification_callback_url: 'http://localhost:3000/verify?a=1&code=old#top' },
    })
    const mail = await platform.mailbox('Grace@example.com').next()
    expect(mail.code).toMatch(/^[0-9a-z]{45}$/)
    expect(mail).toMatchObject({
      to: 'grace@example.com',
      links: [`http://localhost:3000/verify?a=1&code=${mail.code}#top`],
      sentAt: new Date(clock.now()),
    })
    expect(mail.text).toContain(mail.links[0])
  })

  it('creates a team for the user if the project says so', async () => {
    const { ask } = wireWorld({ seed: { project: { config: { createTeamOnSignUp: true } } } })
    const { body } = await ask('POST /auth/password/sign-up', { body: request })
    const user = (await ask('GET /users/me', { accessToken: body.access_token })).body
    expect(user.selected_team).toMatchObject({ id: user.selected_team_id, display_name: "grace@example.com's Team" })
  })

  // Each row has its own mistake and those of the rows below.
  it.each<[code: string, config: object, change: object]>([
    [
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
      { credentialEnabled: false, signUpEnabled: false },
      { verification_callback_url: 'https://evil.example', password: '1234567' },
    ],
    [
      'REDIRECT_URL_NOT_WHITELISTED',
      { signUpEnabled: false },
      { verification_callback_url: 'https://evil.example', password: '1234567' },
    ],
    ['PASSWORD_TOO_SHORT', { signUpEnabled: false }, { password: '1234567' }],
    ['SIGN_UP_NOT_ENABLED', { signUpEnabled: false }, {}],
    ['USER_EMAIL_ALREADY_EXISTS', {}, {}],
  ])('answers %s in its turn', async (code, config, change) => {
    const { ask } = wireWorld({ seed: { project: { config }, users: [{ email: request.email }] } })
    const details = expectRefusal(await ask('POST /auth/password/sign-up', { body: { ...request, ...change } }), code)
    if (code === 'PASSWORD_TOO_SHORT') expect(details).toEqual({ min_length: 8 })
    if (code === 'USER_EMAIL_ALREADY_EXISTS') expect(details).toEqual({ email: request.email })
  })

  it.each([
    ['8 characters', '12345678', 200],
    ['70 characters', 'x'.repeat(70), 200],
  ])('accepts a password of %s', async (_, password, status) => {
    expect((await wireWorld().ask('POST /auth/password/sign-up', { body: { ...request, password } })).status).toBe(
      status,
    )
  })

  it.each([
    ['a password of 71 characters', { password: 'x'.repeat(71) }],
    ['an address without a dotted domain', { email: 'grace@example' }],
    ['an address with an empty part', { email: 'grace..hopper@example.com' }],
    ['a relative callback URL', { verification_callback_url: '/handler' }],
    ['a callback URL with a space', { verification_callback_url: 'http://localhost/a b' }],
  ])('refuses %s by its form', async (_, change) => {
    expectRefusal(
      await wireWorld().ask('POST /auth/password/sign-up', { body: { ...request, ...change } }),
      'SCHEMA_ERROR',
    )
  })

  it('refuses an empty password as too short', async () => {
    expectRefusal(
      await wireWorld().ask('POST /auth/password/sign-up', { body: { ...request, password: '' } }),
      'PASSWORD_TOO_SHORT',
    )
  })

  it('lets one of two simultaneous sign-ups with the same address win', async () => {
    const { ask } = wireWorld()
    const both = await Promise.all([1, 2].map(() => ask('POST /auth/password/sign-up', { body: request })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('signing in with a password', () => {
  const body = { email: ada.email, password: ada.password }

  it('answers the same keys as signing up', async () => {
    const answer = await wireWorld().ask('POST /auth/password/sign-in', { body })
    expect([answer.status, formsOf(answer.body)]).toEqual([200, signUp.answer])
    expect(answer.body.user_id).toBe(ada.id)
  })

  it.each([
    ['an unknown address', { email: 'unknown@example.com' }],
    ['a wrong password', { password: 'wrong' }],
    ['another letter case than stored', { email: 'Ada@example.com' }],
  ])('answers the same for %s', async (_, change) => {
    expectRefusal(
      await wireWorld().ask('POST /auth/password/sign-in', { body: { ...body, ...change } }),
      'EMAIL_PASSWORD_MISMATCH',
    )
  })

  it('is a mismatch for a user who has no password', async () => {
    const { ask } = wireWorld({ seed: { users: [{ email: ada.email }] } })
    expectRefusal(await ask('POST /auth/password/sign-in', { body }), 'EMAIL_PASSWORD_MISMATCH')
  })

  it('is refused if the project has no password sign-in', async () => {
    const { ask } = wireWorld({ seed: { project: { config: { credentialEnabled: false } }, users: [ada] } })
    expectRefusal(await ask('POST /auth/password/sign-in', { body }), 'PASSWORD_AUTHENTICATION_NOT_ENABLED')
  })

  it('requires the second factor, but only after the right password', async () => {
    const { ask } = wireWorld({ seed: { users: [{ ...ada, totpSecret: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }] } })
    const refused = await ask('POST /auth/password/sign-in', { body })
    const details = expectRefusal(refused, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    expect(details['attempt_code']).toMatch(/^[0-9a-z]{45}$/)
    const wrong = await ask('POST /auth/password/sign-in', { body: { ...body, password: 'wrong' } })
    expectRefusal(wrong, 'EMAIL_PASSWORD_MISMATCH')
  })
})
