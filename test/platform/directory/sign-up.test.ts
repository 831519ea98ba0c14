import { accessTokenOf, ada, expectRefusal, isAlive, type Ask } from '../wire-world'
import { admitted, anonymous, newer } from '../world-2026'
import { callback, grace, signUpWorld } from '../sign-up-world'

describe('a sign-up that carries an anonymous token', () => {
  const grace = {
    email: 'grace@example.com',
    password: 'correct horse',
    verification_callback_url: 'http://localhost/',
  }

  it('turns the anonymous user into a named one by a password, and ends its sessions', async () => {
    const world = newer()
    const before = await anonymous(world)
    const signUp = { accessToken: before.access_token, headers: admitted, body: grace }
    const answer = await world.ask('POST /auth/password/sign-up', signUp)
    expect([answer.status, answer.body.user_id]).toEqual([200, before.user_id])
    expect(await isAlive(world, before.refresh_token)).toBe(false)
    expect(await isAlive(world, answer.body.refresh_token)).toBe(true)
    const me = await world.ask('GET /users/me', { accessToken: answer.body.access_token })
    expect(me.body).toMatchObject({
      id: before.user_id,
      primary_email: grace.email,
      primary_email_verified: false,
      has_password: true,
      is_anonymous: false,
    })
    expect(
      (await world.ask('POST /auth/password/sign-in', { body: { ...grace, verification_callback_url: undefined } }))
        .body.user_id,
    ).toBe(before.user_id)
  })

  it('signs in the user of the address, and leaves the anonymous user unchanged', async () => {
    const world = newer()
    const before = await anonymous(world)
    const how: Ask = { accessToken: before.access_token, headers: admitted, body: { ...grace, email: ada.email } }
    const added = { would_work_if_email_was_verified: 'boolean' }
    expectRefusal(await world.ask('POST /auth/password/sign-up', how), 'USER_EMAIL_ALREADY_EXISTS', added)
    const me = await world.ask('GET /users/me', { accessToken: before.access_token, headers: admitted })
    expect(me.body).toMatchObject({ is_anonymous: true, primary_email: null })
    expect(await isAlive(world, before.refresh_token)).toBe(true)
  })

  it('creates another user for a token that is not anonymous', async () => {
    const world = newer()
    const how: Ask = { accessToken: await accessTokenOf(world), body: grace }
    const answer = await world.ask('POST /auth/password/sign-up', how)
    expect([answer.status, answer.body.user_id === ada.id]).toEqual([200, false])
  })
})

describe('a sign-up by password', () => {
  it('needs no address for verification, and then sends no mail', async () => {
    const world = signUpWorld()
    const subjects: string[] = []
    world.platform.mail$.subscribe(({ subject }) => subjects.push(subject))
    expect((await world.ask('POST /auth/password/sign-up', { body: grace })).status).toBe(200)
    expect(subjects).toEqual([])
    const body = { ...grace, email: 'other@example.com', verification_callback_url: callback }
    expect((await world.ask('POST /auth/password/sign-up', { body })).status).toBe(200)
    expect(subjects).toEqual(['Verify your e-mail address at Local project'])
  })
})
