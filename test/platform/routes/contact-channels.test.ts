import wire from '../../wire/contact-channels.json'
import { ada, accessTokenOf, expectAnswer, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'

const [channel] = wire.items
const callback_url = 'http://localhost:3000/handler/email-verification'
const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const
const nobody = '00000000-0000-4000-8000-000000000000'

async function make(verified = false) {
  const world = wireWorld({ seed: { users: [{ ...ada, verified }, grace] } })
  const accessToken = await accessTokenOf(world)
  const list = (query = '?user_id=me', how: Ask = { accessToken }) => world.ask(`GET /contact-channels${query}`, how)
  const { id } = (await list()).body.items[0] as { readonly id: string }
  const send = (path: string, change: object = {}, how: Ask = { accessToken }) =>
    world.ask(`POST /contact-channels/${path}/send-verification-code`, { body: { callback_url, ...change }, ...how })
  return { ...world, accessToken, list, id, send }
}

describe('the contact channels', () => {
  it('are listed for their owner', async () => {
    const { list, id } = await make(true)
    const expected = { items: [{ ...channel, id }], is_paginated: false }
    expect((await list()).body).toEqual(expected)
    expect((await list(`?user_id=${ada.id}&contact_channel_id=${id.toUpperCase()}`)).body).toEqual(expected)
    expect((await list(`?user_id=me&contact_channel_id=${nobody}`)).body.items).toEqual([])
  })
})

describe('verifying an address', () => {
  it('is refused in plain text if the channel was deleted', async () => {
    const world = await make()
    const { accessToken } = world
    await world.send(`me/${world.id}`)
    await world.ask('PATCH /users/me', { access: 'server', accessToken, body: { primary_email: null } })
    const { code } = await world.platform.mailbox(ada.email).next()
    expectPlain(await world.ask('POST /contact-channels/verify', { body: { code } }), 400)
  })

  it.each([true, false])('is for the address, in any channel of the user, here another one: %s', async isThere => {
    const world = await make()
    const { accessToken } = world
    await world.send(`me/${world.id}`)
    const { code } = await world.platform.mailbox(ada.email).next()
    await world.ask(`PATCH /contact-channels/me/${world.id}`, { accessToken, body: { value: 'new@example.com' } })
    const body = { user_id: 'me', type: 'email', value: ada.email, used_for_auth: false }
    if (isThere) await world.ask('POST /contact-channels', { accessToken, body })
    expectAnswer(await world.ask('POST /contact-channels/verify', { body: { code } }), isThere ? 200 : 400)
    expect((await world.list()).body.items).toMatchObject([
      { value: 'new@example.com', is_verified: false },
      ...(isThere ? [{ value: ada.email, is_verified: true }] : []),
    ])
  })

  it('is checked in this order: user, own user, channel, verified, trusted', async () => {
    const world = await make()
    const untrusted = { callback_url: 'https://evil.example' }
    const malformed = { callback_url: 5, more: 1 }
    for (const who of ['me', ada.id])
      for (const [path, change] of [[world.id, untrusted] as const, ['nothing', malformed] as const])
        expectRefusal(await world.send(`${who}/${path}`, change, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    const asServer = await world.send('me/nothing', malformed, { access: 'server' })
    expectRefusal(asServer, 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectRefusal(await world.send(`${ada.id}/nothing`, {}, { access: 'server' }), 'SCHEMA_ERROR')
    expectPlain(await world.send(`${grace.id}/${world.id}`, untrusted), 400)
    const unknown = await world.send(`${nobody}/${world.id}`, untrusted, { access: 'server' })
    expect(expectRefusal(unknown, 'USER_ID_DOES_NOT_EXIST')).toEqual({ user_id: nobody })
    expectPlain(await world.send(`me/${nobody}`, untrusted), 404)
    expectRefusal(await world.send(`me/${world.id}`, untrusted), 'REDIRECT_URL_NOT_WHITELISTED')
    const verified = await make(true)
    expectRefusal(await verified.send(`me/${verified.id}`, untrusted), 'EMAIL_ALREADY_VERIFIED')
    expectRefusal(await world.send('me/nothing'), 'SCHEMA_ERROR')
  })

  it('in the older way verifies the primary address, unless it is verified already', async () => {
    const { ask, accessToken, platform } = await make()
    const line = 'POST /contact-channels/send-verification-code'
    const send = (change: object, how: Ask = { accessToken }) =>
      ask(line, { body: { email: ada.email, callback_url, ...change }, ...how })
    expect((await send({})).body).toEqual({ success: true })
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
    const other = { email: 'x@example.com', primary_email: ada.email }
    expect(expectRefusal(await send({ email: other.email }), 'EMAIL_IS_NOT_PRIMARY_EMAIL')).toEqual(other)
    const untrusted = { callback_url: 'https://evil.example' }
    expectRefusal(await send(untrusted), 'REDIRECT_URL_NOT_WHITELISTED')
    expectRefusal(await send({ email: 'x@example' }), 'SCHEMA_ERROR')
    expectRefusal(await send({}, {}), 'SCHEMA_ERROR')
    await ask('PATCH /users/me', { access: 'server', accessToken, body: { primary_email: null } })
    const without = { email: ada.email, primary_email: null }
    expect(expectRefusal(await send({}), 'EMAIL_IS_NOT_PRIMARY_EMAIL')).toEqual(without)
    const verified = await make(true)
    const how = { accessToken: verified.accessToken, body: { email: ada.email, ...untrusted } }
    expectRefusal(await verified.ask(line, how), 'EMAIL_ALREADY_VERIFIED')
  })
})
