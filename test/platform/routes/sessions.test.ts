import { decodeJwt } from 'jose'
import type { Wire } from 'rxauth/platform'
import wire from '../../wire/sessions.json'
import {
  ada,
  accessTokenOf,
  expectAnswer,
  expectPlain,
  expectRefusal,
  formsOf,
  isAlive,
  signInAda,
  wireWorld,
  type Ask,
} from '../wire-world'

describe("refreshing with the platform's headers", () => {
  const line = 'POST /auth/sessions/current/refresh'

  it('answers an access token only, even with rotation', async () => {
    const world = wireWorld({ rotation: true, seed: { users: [ada] } })
    const { refresh_token } = await signInAda(world)
    const headers = { 'x-stack-refresh-token': refresh_token }
    const { status, body } = await world.ask(line, { headers })
    expect([status, Object.keys(body)]).toEqual([200, ['access_token']])
    expect(decodeJwt(body.access_token).sub).toBe(ada.id)
    expect((await world.ask(line, { headers })).status).toBe(200)
  })

  it('needs the header, with a known token', async () => {
    const { ask } = wireWorld()
    expectRefusal(await ask(line), 'SCHEMA_ERROR')
    const headers = { 'x-stack-refresh-token': 'x' }
    expectRefusal(await ask(line, { headers }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })
})

describe('signing out', () => {
  const line = 'DELETE /auth/sessions/current'

  it('ends the refresh token and no other session; the access token works until it expires', async () => {
    const world = wireWorld()
    const [{ access_token: accessToken, refresh_token }, other] = [await signInAda(world), await signInAda(world)]
    expect((await world.ask(line, { accessToken, body: {} })).body).toEqual({ success: true })
    const headers = { 'x-stack-refresh-token': refresh_token }
    const refused = await world.ask('POST /auth/sessions/current/refresh', { headers })
    expectRefusal(refused, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
    expect((await world.ask('GET /users/me', { accessToken })).status).toBe(200)
    expectRefusal(await world.ask(line, { accessToken }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
    expect(await isAlive(world, other.refresh_token)).toBe(true)
  })

  it('without an access token is refused with the time of the request, refresh token or not', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    await world.clock.advance(1234)
    const answer = await world.ask(line, { headers: { 'x-stack-refresh-token': refresh_token } })
    expect(expectRefusal(answer, 'ACCESS_TOKEN_EXPIRED')).toEqual({ expired_at_millis: world.clock.now() })
  })

  it('with a token of a deleted user is refused', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    await world.ask('DELETE /users/me', { access: 'server', accessToken })
    expectRefusal(await world.ask(line, { accessToken }), 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
  })
})

const nobody = '00000000-0000-4000-8000-000000000000'

describe('the list of sessions', () => {
  it('is newest first, with the current one marked', async () => {
    const world = wireWorld()
    await world.clock.advance(1000)
    const old = await signInAda(world)
    await world.clock.advance(1000)
    await signInAda(world)
    await isAlive(world, old.refresh_token)
    const { status, body } = await world.ask('GET /auth/sessions?user_id=me', { accessToken: old.access_token })
    const [first, second] = body.items
    expect([status, first.created_at - second.created_at, first.is_current_session]).toEqual([200, 1000, false])
    const [expected] = wire.list.items
    expect({ ...body, items: [second] }).toEqual({ ...wire.list, items: [{ ...expected, id: second.id }] })
    expect(second.id).toBe(decodeJwt(old.access_token)['refreshTokenId'])
  })

  it('is newest first within one instant, too', async () => {
    const world = wireWorld()
    const [, { access_token: accessToken }] = [await signInAda(world), await signInAda(world)]
    const { body } = await world.ask('GET /auth/sessions?user_id=me', { accessToken })
    const items = body.items as readonly { readonly is_current_session: boolean }[]
    expect(items.map(each => each.is_current_session)).toEqual([true, false])
  })

  it('by the id of the user needs one who is signed in', async () => {
    const answer = await wireWorld().ask(`GET /auth/sessions?user_id=${ada.id}`)
    expectRefusal(answer, 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })
})

describe('creating a session as a server', () => {
  it('answers its tokens', async () => {
    const world = wireWorld()
    const { status, body } = await world.ask('POST /auth/sessions', { access: 'server', body: wire.create.request })
    expect([status, formsOf(body)]).toEqual([200, wire.create.answer])
    const list = (how: Ask) => world.ask(`GET /auth/sessions?user_id=${ada.id}`, how)
    for (const access of ['client', 'server'] as const)
      expect((await list({ access, accessToken: body.access_token })).body.items).toEqual([])
    expect((await list({ access: 'admin', accessToken: body.access_token })).body.items).toMatchObject([
      { is_impersonation: true, is_current_session: true },
    ])
    await world.clock.advance(59_999)
    expect(await isAlive(world, body.refresh_token)).toBe(true)
    await world.clock.advance(1)
    expect(await isAlive(world, body.refresh_token)).toBe(false)
  })

  it.each<[body: object, answered: number | string, said?: object]>([
    [{ user_id: nobody }, 'USER_ID_DOES_NOT_EXIST', { details: { user_id: nobody } }],
    [{ user_id: 'me' }, 'CANNOT_GET_OWN_USER_WITHOUT_USER'],
    // 367 days.
    [{ user_id: ada.id, expires_in_millis: 31_708_800_000 }, 200],
    [{ user_id: ada.id, expires_in_millis: 31_708_800_001 }, 'SCHEMA_ERROR'],
  ])('answers %j with %s', async (body, answered, said = {}) => {
    const answer = await wireWorld().ask('POST /auth/sessions', { access: 'server', body })
    expectAnswer(answer, answered)
    expect(answer.body).toMatchObject(said)
  })
})

describe('ending a session by its id', () => {
  async function make(wire: Wire = '2.8.18') {
    const world = wireWorld({ wire, seed: { users: [ada, { email: 'grace@example.com' }] } })
    const [here, there] = [await signInAda(world), await signInAda(world)]
    // With another case: ids ignore it.
    const id = String(decodeJwt(there.access_token)['refreshTokenId']).toUpperCase()
    const end = (path: string, how: Ask = { accessToken: here.access_token }) =>
      world.ask(`DELETE /auth/sessions/${path}`, how)
    return { ...world, here, there, id, end }
  }

  it('ends that session only', async () => {
    const world = await make()
    expect((await world.end(`${world.id}?user_id=me`)).body).toEqual({ success: true })
    expect(await isAlive(world, world.there.refresh_token)).toBe(false)
    expect(await isAlive(world, world.here.refresh_token)).toBe(true)
    expectPlain(await world.end(`${world.id}?user_id=me`), 404)
  })

  // Promise: platform-of-2026
  it.each([
    ['2.8.18', [200, 404, 404]],
    ['2.8.86', [200, 200, 500]],
    ['2026', [200, 200, 500]],
  ] as const)('three times at once is answered as release %s answers: %j', async (wire, statuses) => {
    const world = await make(wire)
    const { body } = await world.ask(`GET /auth/sessions?user_id=${ada.id}`, { access: 'server' })
    const path = `${body.items[0].id}?user_id=${ada.id}`
    const ended = await Promise.all([1, 2, 3].map(() => world.end(path, { access: 'server' })))
    expect(ended.map(({ status }) => status)).toEqual(statuses)
    expect(await isAlive(world, world.there.refresh_token)).toBe(false)
    expectPlain(await world.end(path, { access: 'server' }), 404)
  })

  it("is refused for the current one and other users' sessions, except to servers, and needs query and id", async () => {
    const world = await make()
    const { end, here, id } = world
    const accessToken = await accessTokenOf(world, 'grace@example.com')
    const own = String(decodeJwt(here.access_token)['refreshTokenId'])
    expectRefusal(await end(`${own}?user_id=me`), 'CANNOT_DELETE_CURRENT_SESSION')
    expectPlain(await end(`${id}?user_id=me`, { accessToken }), 404)
    expectPlain(await end(`${id}?user_id=${ada.id}`, {}), 404)
    for (const path of [id, 'x?user_id=me']) expectRefusal(await end(path), 'SCHEMA_ERROR')
    expectRefusal(await end(`${id}?user_id=me`, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectPlain(await end(`${nobody}?user_id=me`), 404)
    expect((await end(`${id}?user_id=${nobody}`, { access: 'server' })).status).toBe(200)
  })
})

describe('where a session was last used', () => {
  const place = {
    'x-forwarded-for': '203.0.113.7, 10.0.0.1',
    'x-vercel-ip-country': 'CH',
    'x-vercel-ip-country-region': 'ZH',
    'x-vercel-ip-city': 'Z%C3%BCrich',
    'x-vercel-ip-latitude': '47.37',
    'x-vercel-ip-longitude': '8.54',
    'x-vercel-ip-timezone': 'Europe/Zurich',
  }
  const told = {
    ip: '203.0.113.7',
    countryCode: 'CH',
    regionCode: 'ZH',
    cityName: 'Zürich',
    latitude: 47.37,
    longitude: 8.54,
    tzIdentifier: 'Europe/Zurich',
  }
  const refresh = 'POST /auth/sessions/current/refresh'

  async function make() {
    const world = wireWorld()
    const { access_token: accessToken, refresh_token } = await signInAda(world)
    const use = (headers: Readonly<Record<string, string>>) =>
      world.ask(refresh, { headers: { 'x-stack-refresh-token': refresh_token, ...headers } })
    const listed = async () =>
      (await world.ask('GET /auth/sessions?user_id=me', { accessToken })).body.items[0] as Record<string, unknown>
    return { ...world, use, listed }
  }

  it("is known behind a proxy, with the hosted platform's field names", async () => {
    const { use, listed } = await make()
    expect(await listed()).not.toHaveProperty('last_used_at_end_user_ip_info')
    await use(place)
    expect(await listed()).toMatchObject({ last_used_at_end_user_ip_info: told })
    await use({ 'x-forwarded-for': '198.51.100.9', 'x-vercel-ip-city': '%', 'x-vercel-ip-latitude': 'north' })
    expect((await listed())['last_used_at_end_user_ip_info']).toEqual({ ip: '198.51.100.9', cityName: '%' })
    await use({})
    expect((await listed())['last_used_at_end_user_ip_info']).toEqual({ ip: '198.51.100.9', cityName: '%' })
  })

  it('may be seeded, with its times', async () => {
    const [createdAt, lastUsedAt] = [new Date('2025-01-01'), new Date('2025-02-01')]
    const sessions = [{ createdAt, lastUsedAt, lastUsedFrom: { ip: '203.0.113.7', cityName: null } }, {}]
    const { ask, clock } = wireWorld({ seed: { users: [{ ...ada, sessions }] } })
    const { body } = await ask(`GET /auth/sessions?user_id=${ada.id}`, { access: 'server' })
    expect(body.items).toMatchObject([
      { created_at: clock.now(), last_used_at: clock.now() },
      {
        created_at: createdAt.getTime(),
        last_used_at: lastUsedAt.getTime(),
        last_used_at_end_user_ip_info: { ip: '203.0.113.7', cityName: null },
      },
    ])
    expect(body.items[0]).not.toHaveProperty('last_used_at_end_user_ip_info')
  })
})
