import { ada, expectPlain, expectRefusal, signInAda, wireWorld, type Ask } from '../wire-world'

const nobody = '00000000-0000-4000-8000-000000000000'
const callback_url = 'http://localhost/v'
const grace = { id: '5a8f0e1c-7d4f-4e9a-8e0f-4b6f7a9c0111', email: 'grace@example.com', password: ada.password }

/** Ada's session and one of her channels; Grace exists too. */
async function make() {
  const world = wireWorld({ seed: { users: [{ ...ada, verified: false }, grace] } })
  const { access_token: accessToken } = await signInAda(world)
  const list = await world.ask(`GET /contact-channels?user_id=${ada.id}`, { access: 'server' })
  const channelId = String(list.body.items[0].id)
  const asAda = (line: string, how: Ask = {}) => world.ask(line, { accessToken, ...how })
  return { ...world, asAda, accessToken, channelId }
}

describe('"me"', () => {
  it.each(['client', 'server', 'admin'] as const)('is the user of the access token, at %s level', async access => {
    const { asAda, channelId, ask } = await make()
    expect((await asAda('GET /users/me', { access })).body.id).toBe(ada.id)
    expect((await asAda('GET /contact-channels?user_id=me', { access })).body.items).toHaveLength(1)
    expect((await asAda(`GET /contact-channels/me/${channelId}`, { access })).body.user_id).toBe(ada.id)
    expect((await asAda('GET /auth/sessions?user_id=me', { access })).body.items[0].is_current_session).toBe(true)
    const body = { callback_url }
    const sent = await asAda(`POST /contact-channels/me/${channelId}/send-verification-code`, { access, body })
    expect(sent.body).toEqual({ success: true })
    if (access === 'client') return
    const { access_token } = (await asAda('POST /auth/sessions', { access, body: { user_id: 'me' } })).body
    expect((await ask('GET /users/me', { accessToken: access_token })).body.id).toBe(ada.id)
  })

  it.each([
    ['GET /users/me', {}],
    ['PATCH /users/me', { body: {} }],
    ['DELETE /users/me', {}],
    ['GET /contact-channels?user_id=me', {}],
    [`GET /contact-channels/me/${nobody}`, {}],
    [`POST /contact-channels/me/${nobody}/send-verification-code`, { body: { callback_url } }],
    ['GET /auth/sessions?user_id=me', {}],
    [`DELETE /auth/sessions/${nobody}?user_id=me`, {}],
    ['POST /connected-accounts/me/nonsense/access-token', { body: {} }],
    ['GET /user-api-keys?user_id=me', {}],
    ['POST /user-api-keys', { body: { user_id: 'me', description: 'x', expires_at_millis: null } }],
    ['GET /emails/notification-preference/me', {}],
    [`PATCH /emails/notification-preference/me/${nobody}`, { body: { enabled: true } }],
  ])('%s without a user has its own error, before other rows are looked up', async (line, how) => {
    const { ask } = wireWorld()
    for (const access of ['client', 'server', 'admin'] as const)
      expectRefusal(await ask(line, { ...how, access }), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })

  it('has its meaning in the fields of users only', async () => {
    const answer = await wireWorld().ask('GET /users?team_id=me', { access: 'server' })
    expectRefusal(answer, 'SCHEMA_ERROR')
    expectRefusal(await wireWorld().ask('GET /users?user_id=me', { access: 'server' }), 'SCHEMA_ERROR')
  })

  it('of a new session needs a user, too', async () => {
    const answer = await wireWorld().ask('POST /auth/sessions', { access: 'server', body: { user_id: 'me' } })
    expectRefusal(answer, 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })
})

describe("a client that names another user's id", () => {
  it.each([grace.id, nobody])('gets 403, whether or not %s exists', async id => {
    const { asAda, channelId } = await make()
    expectPlain(await asAda(`GET /contact-channels?user_id=${id}`), 403)
    expectPlain(await asAda(`GET /contact-channels/${id}/${channelId}`), 403)
    expectPlain(await asAda(`GET /auth/sessions?user_id=${id}`), 403)
    expectPlain(await asAda(`POST /connected-accounts/${id}/github/access-token`, { body: {} }), 403)
  })

  it('may send its own id instead of "me"', async () => {
    const { asAda, channelId } = await make()
    expect((await asAda(`GET /contact-channels?user_id=${ada.id}`)).body.items).toHaveLength(1)
    expect((await asAda(`GET /contact-channels/${ada.id}/${channelId}`)).status).toBe(200)
    expect((await asAda(`GET /auth/sessions?user_id=${ada.id}`)).body.items).toHaveLength(1)
  })

  it('must send one', async () => {
    const { asAda } = await make()
    expectPlain(await asAda('GET /contact-channels'), 403)
    for (const access of ['client', 'server'] as const)
      expectRefusal(await asAda('GET /auth/sessions', { access }), 'SCHEMA_ERROR')
  })
})
