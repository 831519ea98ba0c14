import signUp from '../../wire/password-sign-up.json'
import type { Seed } from 'rxauth/platform'
import { ada, expectRefusal, formsOf, wireWorld, type World } from '../wire-world'

const request = signUp.request
const ask = ({ ask: asked }: World, what: 'up' | 'in', body: object = request) =>
  asked(`POST /auth/password/sign-${what}`, { body })

describe('signing up with a password', () => {
  it('answers tokens and the new user only', async () => {
    const world = wireWorld()
    const { status, body } = await ask(world, 'up')
    expect([status, formsOf(body)]).toEqual([200, signUp.answer])
    expect(body.refresh_token).toMatch(/^[0-9a-hjkmnp-tv-z]{44}[08gr]$/)
    const user = (await world.ask('GET /users/me', { accessToken: body.access_token })).body
    const address = { primary_email: 'grace@example.com', primary_email_verified: false }
    expect(user).toMatchObject({ id: body.user_id, display_name: null, ...address, has_password: true })
  })

  it('stores the address in lower case', async () => {
    const world = wireWorld()
    await ask(world, 'up', { ...request, email: 'Grace@Example.com' })
    const { email, password } = request
    expect((await ask(world, 'in', { email, password })).status).toBe(200)
  })

  it('mails a link to the callback URL with a code', async () => {
    const world = wireWorld()
    const { platform, clock } = world
    await ask(world, 'up', { ...request, verification_callback_url: 'http://localhost:3000/verify?a=1&code=old#top' })
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
    const world = wireWorld({ seed: { project: { config: { createTeamOnSignUp: true } } } })
    const { body } = await ask(world, 'up')
    const user = (await world.ask('GET /users/me', { accessToken: body.access_token })).body
    expect(user.selected_team).toMatchObject({ id: user.selected_team_id, display_name: "grace@example.com's Team" })
  })

  const untrusted = { verification_callback_url: 'https://evil.example', password: '1234567' }
  // Each row has its own mistake and those of the rows below.
  it.each<[code: string, config: object, change: object]>([
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', { credentialEnabled: false, signUpEnabled: false }, untrusted],
    ['REDIRECT_URL_NOT_WHITELISTED', { signUpEnabled: false }, untrusted],
    ['PASSWORD_TOO_SHORT', { signUpEnabled: false }, { password: '1234567' }],
    ['SIGN_UP_NOT_ENABLED', { signUpEnabled: false }, {}],
    ['USER_EMAIL_ALREADY_EXISTS', {}, {}],
  ])('answers %s in its turn', async (code, config, change) => {
    const world = wireWorld({ seed: { project: { config }, users: [{ email: request.email }] } })
    const details = expectRefusal(await ask(world, 'up', { ...request, ...change }), code)
    if (code === 'PASSWORD_TOO_SHORT') expect(details).toEqual({ min_length: 8 })
    if (code === 'USER_EMAIL_ALREADY_EXISTS') expect(details).toEqual({ email: request.email })
  })

  it('lets one of two simultaneous sign-ups with the same address win', async () => {
    const world = wireWorld()
    const both = await Promise.all([1, 2].map(() => ask(world, 'up')))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('signing in with a password', () => {
  const body = { email: ada.email, password: ada.password }

  it('answers the same keys as signing up', async () => {
    const answer = await ask(wireWorld(), 'in', body)
    expect([answer.status, formsOf(answer.body)]).toEqual([200, signUp.answer])
    expect(answer.body.user_id).toBe(ada.id)
  })

  it.each<[what: string, change: object, seed: Seed, code?: string]>([
    ['an unknown address', { email: 'unknown@example.com' }, {}],
    ['a wrong password', { password: 'wrong' }, {}],
    ['another letter case than stored', { email: 'Ada@example.com' }, {}],
    ['a user who has no password', {}, { users: [{ email: ada.email }] }],
    [
      'a project without it',
      {},
      { project: { config: { credentialEnabled: false } } },
      'PASSWORD_AUTHENTICATION_NOT_ENABLED',
    ],
  ])('is refused for %s', async (_, change, seed, code = 'EMAIL_PASSWORD_MISMATCH') => {
    expectRefusal(await ask(wireWorld({ seed: { users: [ada], ...seed } }), 'in', { ...body, ...change }), code)
  })

  it('requires the second factor, but only after the right password', async () => {
    const world = wireWorld({ seed: { users: [{ ...ada, totpSecret: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }] } })
    const details = expectRefusal(await ask(world, 'in', body), 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    expect(details['attempt_code']).toMatch(/^[0-9a-z]{45}$/)
    expectRefusal(await ask(world, 'in', { ...body, password: 'wrong' }), 'EMAIL_PASSWORD_MISMATCH')
  })
})
