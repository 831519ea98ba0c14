import wire from '../../wire/sign-ins.json'
import { ada, accessTokenOf, expectPlain, expectRefusal, formsOf, wireWorld } from '../wire-world'
import type { SeedUser, ProjectConfig } from 'rxauth/platform'

const { send } = wire.otp

function make(config: Partial<ProjectConfig> = {}, users: readonly SeedUser[] = [ada]) {
  const world = wireWorld({ seed: { project: { config: { magicLinkEnabled: true, ...config } }, users } })
  const ask = (change: object = {}) => world.ask('POST /auth/otp/send-sign-in-code', { body: { ...send, ...change } })
  const signIn = (code: string) => world.ask('POST /auth/otp/sign-in', { body: { code } })
  /** What the link of a new mail has, and what its reader types with the nonce. */
  const mailed = async (email: string = send.email) => {
    const { nonce } = (await ask({ email })).body
    return `${(await world.platform.mailbox(email).next()).code}${nonce}`
  }
  const me = async (accessToken: string) => (await world.ask('GET /users/me', { accessToken })).body as object
  return { ...world, send: ask, signIn, mailed, me }
}

describe('sending a sign-in code', () => {
  it('answers the nonce, and mails a link and the six characters before it in upper case', async () => {
    const world = make()
    const { status, body } = await world.send({ callback_url: 'http://localhost:3000/m?a=1' })
    expect([status, formsOf(body)]).toEqual([200, wire.otp.sent])
    expect(body.nonce).toMatch(/^[0-9a-z]{39}$/)
    const mail = await world.platform.mailbox(send.email).next()
    expect(mail.code).toMatch(/^[0-9A-Z]{6}$/)
    expect(mail.links).toEqual([`http://localhost:3000/m?a=1&code=${mail.code?.toLowerCase()}${body.nonce}`])
    expect(mail.text.split('\n')).toContain(mail.code)
    expect(mail.html).toContain(`<p>${mail.code}</p>`)
  })

  it.each([
    ['js @stackframe/stack@2.5.37', false],
    ['js @stackframe/stack@2.4', false],
    ['js @stackframe/stack@2.5.38', true],
    ['js @stackframe/stack@2.10.1', true],
    ['js @stackframe/stack@10.0.0', true],
    ['js @stackframe/react@2.5.37', true],
    ['js @stackframe/stack@2.5.37-beta', true],
    ['nonsense', true],
  ])('mails the six characters to an app with the version %j: %s', async (version, isTyped) => {
    const world = make()
    const how = { body: send, headers: { 'x-stack-client-version': version } }
    const { nonce } = (await world.ask('POST /auth/otp/send-sign-in-code', how)).body
    const { code, text, subject, links } = await world.platform.mailbox(send.email).next()
    const sent = new URL(links[0]!).searchParams.get('code')!
    const typed = sent.slice(0, 6).toUpperCase()
    expect([code, nonce]).toEqual([isTyped ? typed : sent, sent.slice(6)])
    expect([text.includes(typed), subject.includes(typed)]).toEqual([isTyped, isTyped])
  })

  it('is refused in plain text if it is off, before all other checks', async () => {
    const off = make({ magicLinkEnabled: false, signUpEnabled: false })
    expectPlain(await off.send({ callback_url: 'https://evil.example' }), 403)
  })

  it('switches the method on at once for the user of a verified address', async () => {
    const world = make()
    const accessToken = await accessTokenOf(world)
    const me = async () => (await world.ask('GET /users/me', { accessToken })).body.otp_auth_enabled as boolean
    expect(await me()).toBe(false)
    await world.send({ email: ada.email })
    expect(await me()).toBe(true)
  })

  it('is refused for an unverified address, also to its own user, with any other sign-in methods', async () => {
    const users = [
      { ...ada, verified: false },
      { email: 'grace@example.org', verified: false },
    ]
    const world = make({ oauthAccountMergeStrategy: 'allow_duplicates' }, users)
    for (const { email } of users) {
      const how = { accessToken: await accessTokenOf(world, email), body: { ...send, email } }
      expectRefusal(await world.ask('POST /auth/otp/send-sign-in-code', how), 'USER_EMAIL_ALREADY_EXISTS')
    }
  })
})

describe('signing in with a code', () => {
  it('creates a verified user for a new address', async () => {
    const world = make()
    const { status, body } = await world.signIn(await world.mailed())
    expect([status, formsOf(body), body.is_new_user]).toEqual([200, wire.otp.answer, true])
    const address = { primary_email: send.email, primary_email_verified: true, auth_with_email: true }
    const made = { id: body.user_id, ...address, otp_auth_enabled: true, has_password: false }
    expect(await world.me(body.access_token)).toMatchObject(made)
  })

  it('signs a known user in, also if sign-up is off, and adds the method', async () => {
    const world = make({ signUpEnabled: false })
    await world.send({ email: ada.email })
    const link = (await world.platform.mailbox(ada.email).next()).links[0]!
    const { body } = await world.signIn(new URL(link).searchParams.get('code')!)
    expect(body).toMatchObject({ user_id: ada.id, is_new_user: false })
    expect(await world.me(body.access_token)).toMatchObject({ otp_auth_enabled: true, has_password: true })
  })

  it('creates a new user for an address that another user has but does not sign in with', async () => {
    const world = make()
    const accessToken = (await world.platform.tokensFor(ada.email)).read()?.accessToken
    await world.ask('PATCH /users/me', { access: 'server', accessToken, body: { primary_email_auth_enabled: false } })
    expect((await world.signIn(await world.mailed(ada.email))).body.is_new_user).toBe(true)
  })

  it.each([true, false])('compares the address case-sensitively, also if it is verified: %s', async verified => {
    const world = make({}, [{ ...ada, verified }])
    const answer = await world.signIn(await world.mailed('ADA@example.com'))
    expect(expectRefusal(answer, 'USER_EMAIL_ALREADY_EXISTS')).toEqual({ email: ada.email })
    await world.platform.seed({ project: { config: { signUpEnabled: false } } })
    expectRefusal(await world.send({ email: 'ADA@example.com' }), 'SIGN_UP_NOT_ENABLED')
  })
})
