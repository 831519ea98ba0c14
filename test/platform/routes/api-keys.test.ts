import type { Mail } from 'rxauth/platform'
import { checksum } from '../../../src/platform/directory/api-keys'
import wire from '../../wire/api-keys.json'
import { accessTokenOf, ada, expectPlain, expectRefusal, formsOf, wireWorld } from '../wire-world'
import type { Answer, Ask } from '../wire-world'

const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const
const nobody = '00000000-0000-4000-8000-000000000000'
const request = wire['user-request']
const asServer = { access: 'server' } as const

async function make(config: object = { allowUserApiKeys: true }) {
  const world = wireWorld({ seed: { project: { config }, users: [ada, grace] } })
  const accessToken = await accessTokenOf(world)
  const asAda = (line: string, how: Ask = {}) => world.ask(line, { accessToken, ...how })
  const create = (change: object = {}, how: Ask = { accessToken }) =>
    world.ask('POST /user-api-keys', { body: { ...request, ...change }, ...how })
  const check = (api_key: string) => world.ask('POST /user-api-keys/check', { ...asServer, body: { api_key } })
  return { ...world, accessToken, asAda, create, check }
}

/** The key in an answer. */
const keyIn = ({ body }: Answer) => body as (typeof wire)['user-first-view']

describe('creating an API key of a user', () => {
  it('answers 200 and the complete key, once', async () => {
    const { create, asAda } = await make()
    const answer = await create()
    expect(answer.status).toBe(200)
    const body = keyIn(answer)
    const expected = wire['user-first-view']
    const masked = { value: '', created_at_millis: 0, id: '' }
    expect(formsOf(body)).toEqual(formsOf(expected))
    expect({ ...body, ...masked }).toEqual({ ...expected, ...masked })
    const listed = { ...wire.user, ...body, value: { last_four: body.value.slice(-4) } }
    expect((await asAda('GET /user-api-keys?user_id=me')).body).toEqual({ items: [listed], is_paginated: false })
    expect((await asAda(`GET /user-api-keys/${body.id}`)).body).toEqual(listed)
  })

  it.each([
    [false, /^sk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}user1574ck4u7h[0-9a-f]{8}$/],
    [true, /^pk_[0-9a-hjkmnp-tv-z]{45}[0-9a-f]{32}user3574ck4u7h[0-9a-f]{8}$/],
  ])('writes the key in the documented format, public: %s', async (is_public, format) => {
    const body = keyIn(await (await make()).create({ is_public }))
    expect(body.value).toMatch(format)
    expect(body.value.slice(48, 80)).toBe(body.id.replaceAll('-', ''))
    expect(body.value.slice(-8)).toBe(checksum(body.value.slice(0, -8)).toString(16).padStart(8, '0'))
  })

  it('leaves out unset times, and accepts an expiry in the past', async () => {
    const { create } = await make()
    expect(Object.keys((await create({ expires_at_millis: null })).body)).not.toContain('expires_at_millis')
    expect((await create({ expires_at_millis: 5 })).body.expires_at_millis).toBe(5)
  })

  it('is checked in this order: "me", switched on, signed in, own user, who may be anyone for servers', async () => {
    const off = await make({})
    expectRefusal(await off.create({}, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectPlain(await off.create({ user_id: ada.id }, {}), 400)
    const { create } = await make()
    expectRefusal(await create({ user_id: ada.id }, {}), 'USER_AUTHENTICATION_REQUIRED')
    for (const user_id of [grace.id, nobody]) expectPlain(await create({ user_id }), 403)
    expect((await create({ user_id: ada.id })).status).toBe(200)
    expect((await create({ user_id: grace.id }, asServer)).body.user_id).toBe(grace.id)
    expectRefusal(await create({ user_id: nobody }, asServer), 'USER_NOT_FOUND')
  })
})

describe('the API keys of a user', () => {
  it('are read one by one, checked in this order: switched on, known, signed in, own', async () => {
    const { create, ask, asAda } = await make()
    const { id } = (await create({ user_id: grace.id }, asServer)).body
    const line = `GET /user-api-keys/${id}`
    expectPlain(await (await make({})).ask(line), 400)
    expectRefusal(await ask(`GET /user-api-keys/${nobody}`), 'API_KEY_NOT_FOUND')
    expectRefusal(await ask(line), 'USER_AUTHENTICATION_REQUIRED')
    expectPlain(await asAda(line), 403)
    expect((await ask(line, asServer)).body.user_id).toBe(grace.id)
    expect((await ask(`${line}?user_id=${ada.id}`, asServer)).status).toBe(200)
    expectRefusal(await ask(`${line}?team_id=${nobody}`, asServer), 'SCHEMA_ERROR')
  })
})

describe('changing an API key of a user', () => {
  it('of another user is refused to a client, not to a server', async () => {
    const { create, asAda, ask } = await make()
    const { id } = (await create({ user_id: grace.id }, asServer)).body
    const line = `PATCH /user-api-keys/${id}`
    const body = { revoked: true }
    expectPlain(await asAda(line, { body }), 403)
    expectRefusal(await ask(line, { body }), 'USER_AUTHENTICATION_REQUIRED')
    expect((await ask(line, { ...asServer, body })).status).toBe(200)
  })
})

describe('checking an API key of a user', () => {
  it('says why it does not work: unknown, revoked, expired, in this order', async () => {
    const { create, check, asAda, clock } = await make()
    const { id, value } = keyIn(await create({ expires_at_millis: clock.now() + 1000 }))
    for (const text of ['', 'x', value.slice(0, -1), value.toUpperCase()])
      expectRefusal(await check(text), 'API_KEY_NOT_FOUND')
    await clock.advance(999)
    expect((await check(value)).status).toBe(200)
    await clock.advance(1)
    expectRefusal(await check(value), 'API_KEY_EXPIRED')
    await asAda(`PATCH /user-api-keys/${id}`, { body: { revoked: true } })
    expectRefusal(await check(value), 'API_KEY_REVOKED')
  })
})

describe('if users have no keys', () => {
  it.each([
    ['GET /user-api-keys?user_id=me', {}],
    ['POST /user-api-keys', { body: request }],
    ['POST /user-api-keys/check', { ...asServer, body: { api_key: 'x' } }],
    [`GET /user-api-keys/${nobody}`, {}],
    [`PATCH /user-api-keys/${nobody}`, { body: { description: 'x' } }],
  ] as const)('%s names the setting that lets them', async (line, how) => {
    const { asAda } = await make({ allowTeamApiKeys: true })
    const answer = await asAda(line, how)
    expectPlain(answer, 400)
    expect(answer.text).toBe('This project does not have API keys of users: switch on allowUserApiKeys.')
  })
})

describe('a key that is found in a public place', () => {
  const line = 'POST /integrations/credential-scanning/revoke'

  it('is revoked without any other key, in every project, with one mail to its owner', async () => {
    const { create, ask, check, platform, clock } = await make()
    const { value, description } = (await create()).body
    const mails: Mail[] = []
    platform.mail$.subscribe(mail => mails.push(mail))
    for (let times = 0; times < 2; times++)
      expect((await ask(line, { access: null, body: { api_key: value as string } })).body).toEqual({ success: true })
    expectRefusal(await check(value), 'API_KEY_REVOKED')
    await clock.advance(0)
    expect(mails).toMatchObject([{ to: ada.email, subject: expect.stringContaining('API key') }])
    expect(mails[0]?.text).toContain(description)
    // The mail must not contain the key.
    expect([mails[0]?.text, mails[0]?.html].join()).not.toContain(value)
  })

  it('stays unchanged if it is public, expired or unknown', async () => {
    const { create, ask, check } = await make()
    const found = (api_key: string) => ask(line, { access: null, body: { api_key } })
    const open = (await create({ is_public: true, expires_at_millis: null })).body.value
    expectRefusal(await found(open), 'PUBLIC_API_KEY_CANNOT_BE_REVOKED')
    expect((await check(open)).status).toBe(200)
    expectRefusal(await found((await create({ expires_at_millis: 5 })).body.value), 'API_KEY_EXPIRED')
    expectRefusal(await found('x'), 'API_KEY_NOT_FOUND')
  })
})
