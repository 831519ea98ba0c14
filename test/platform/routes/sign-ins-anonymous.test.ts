import wire from '../../wire/sign-ins.json'
import { expectRefusal, formsOf, wireWorld } from '../wire-world'

describe('signing up anonymously', () => {
  it('creates a user without an address, and signs in', async () => {
    const { ask } = wireWorld()
    const answer = await ask('POST /auth/anonymous/sign-up')
    expect([answer.status, formsOf(answer.body)]).toEqual([200, wire.anonymous.answer])
    expect((await ask('GET /users/me', { accessToken: answer.body.access_token })).body).toMatchObject({
      id: answer.body.user_id,
      display_name: 'Anonymous user',
      primary_email: null,
      is_anonymous: true,
      has_password: false,
    })
  })

  it('accepts an empty body and refuses any field', async () => {
    const { ask } = wireWorld()
    expect((await ask('POST /auth/anonymous/sign-up', { body: {} })).status).toBe(200)
    expectRefusal(await ask('POST /auth/anonymous/sign-up', { body: { name: 'Ada' } }), 'SCHEMA_ERROR')
  })

  it('stays apart from a later sign-up with an address', async () => {
    const { ask } = wireWorld()
    const { body } = await ask('POST /auth/anonymous/sign-up')
    const request = {
      email: 'grace@example.com',
      password: 'correct horse',
      verification_callback_url: 'http://localhost/',
    }
    const named = await ask('POST /auth/password/sign-up', { accessToken: body.access_token, body: request })
    expect([named.status, named.body.user_id === body.user_id]).toEqual([200, false])
    expect((await ask('GET /users/me', { accessToken: body.access_token })).body.is_anonymous).toBe(true)
  })

  it('becomes an ordinary user by a server, with the same id', async () => {
    const { ask } = wireWorld()
    const { body } = await ask('POST /auth/anonymous/sign-up')
    const change = { access: 'server', accessToken: body.access_token, body: { is_anonymous: false } } as const
    expect((await ask('PATCH /users/me', change)).body).toMatchObject({
      id: body.user_id,
      is_anonymous: false,
      display_name: 'Anonymous user',
    })
  })
})
