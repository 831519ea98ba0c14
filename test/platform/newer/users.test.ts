import type { PlatformOptions } from 'rxauth/platform'
import owners from '../../wire/newer-owners.json'
import wire from '../../wire/newer-users.json'
import { accessTokenOf, ada, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'
import type { Ask } from '../wire-world'

const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com', verified: true }
const seed = { users: [ada, grace], teams: [{ ...team, members: [{ email: ada.email }] }] }

/** Ada and Grace on the newer wire; `me` is Ada. */
async function newer(options: PlatformOptions = {}) {
  const world = wireWorld({ wire: '2026', seed, ...options })
  const accessToken = await accessTokenOf(world)
  const as = (access: NonNullable<Ask['access']>) => (line: string, body?: unknown) =>
    world.ask(line, { access, accessToken, ...(body !== undefined && { body }) })
  return { ...world, me: as('client'), server: as('server') }
}

const scores = (bot: number, freeTrialAbuse: number) => ({ sign_up: { bot, free_trial_abuse: freeTrialAbuse } })

describe('a user on the newer wire', () => {
  it('is shown to apps with restrictions, and without the fields of servers', async () => {
    const { me } = await newer()
    expect((await me('GET /users/me')).body).toEqual(wire.user)
    expect((await me('PATCH /users/me', {})).body).toEqual(wire.user)
  })

  it('is shown to servers with country and risk, in every answer with a user', async () => {
    const { server, ask } = await newer()
    const expected = wire['user for servers']
    expect((await server('GET /users/me')).body).toEqual(expected)
    expect((await server('PATCH /users/me', {})).body).toEqual(expected)
    expect((await server(`GET /users/${ada.id}`)).body).toEqual(expected)
    expect((await server('GET /users')).body.items[0]).toEqual(expected)
    const member = `${team.id}/${ada.id}`
    expect((await server(`GET /team-member-profiles/${member}`)).body.user).toEqual(expected)
    expect((await server(`PATCH /team-member-profiles/${member}`, {})).body.user).toEqual(expected)
    expect((await server(`GET /team-member-profiles?team_id=${team.id}`)).body.items[0].user).toEqual(expected)
    const { body } = await ask('GET /internal/metrics', { access: 'admin' })
    expect(body.recently_registered).toContainEqual(expected)
  })

  it('is sent to webhooks as servers see it', async () => {
    const told: unknown[] = []
    const handler = async (request: Request) => {
      told.push(await request.json())
      return undefined
    }
    const { server, platform, clock } = await newer({ webhooks: [{ handler }] })
    const { body } = await server(`PATCH /users/${ada.id}`, { country_code: 'CH' })
    expect(body).toEqual({ ...wire['user for servers'], country_code: 'CH' })
    await clock.advance(0)
    await platform.webhooks.idle()
    expect(told).toEqual([{ type: 'user.updated', data: body }])
  })

  it('has the country and the risk that a server sets', async () => {
    const { server } = await newer()
    const said = { country_code: 'CH', risk_scores: scores(7, 100) }
    const made = await server('POST /users', said)
    expect([made.status, made.body]).toMatchObject([201, said])
    expect((await server(`GET /users/${made.body.id as string}`)).body).toMatchObject(said)
    const other = { country_code: null, risk_scores: scores(0, 3) }
    expect((await server(`PATCH /users/${made.body.id as string}`, other)).body).toMatchObject(other)
    expect((await server('PATCH /users/me', said)).body).toMatchObject(said)
    expect((await server('PATCH /users/me', { display_name: 'Countess' })).body).toMatchObject(said)
  })

  it.each([{ country_code: 'CH' }, { risk_scores: scores(1, 1) }])('cannot set %j itself', async body => {
    const { me } = await newer()
    expectRefusal(await me('PATCH /users/me', body), 'SCHEMA_ERROR')
  })

  it.each([
    { risk_scores: scores(101, 0) },
    { risk_scores: scores(0, -1) },
    { risk_scores: null },
    { country_code: {} },
  ])('is refused with %j', async body => {
    const { server } = await newer()
    expectRefusal(await server(`PATCH /users/${ada.id}`, body), 'SCHEMA_ERROR')
  })

  it('has no country, no risk and no restrictions on the reference wire', async () => {
    const world = wireWorld({ seed })
    const read = await world.ask(`GET /users/${ada.id}`, { access: 'server' })
    expect(read.text).not.toMatch(/country|risk|restrict/)
    for (const body of [{ country_code: 'CH' }, { risk_scores: scores(1, 1) }])
      for (const line of ['POST /users', `PATCH /users/${ada.id}`])
        expectRefusal(await world.ask(line, { access: 'server', body }), 'SCHEMA_ERROR')
  })
})

describe('the primary address that an app sets on the newer wire', () => {
  const channels = async ({ me }: Awaited<ReturnType<typeof newer>>) => {
    const { body } = await me('GET /contact-channels?user_id=me')
    return (body.items as Record<string, unknown>[]).map(({ id: _, user_id: __, type: ___, ...channel }) => channel)
  }
  const old = { value: ada.email, is_primary: false, is_verified: true, used_for_auth: true }

  it('is a new channel, unverified, beside the one before', async () => {
    const world = await newer()
    const changed = await world.me('PATCH /users/me', { primary_email: 'Lovelace@Example.com' })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...wire.user, primary_email: 'lovelace@example.com', primary_email_verified: false },
    ])
    expect(await channels(world)).toEqual([
      old,
      { value: 'lovelace@example.com', is_primary: true, is_verified: false, used_for_auth: false },
    ])
  })

  it('is the existing channel with its flags', async () => {
    const world = await newer()
    await world.me('PATCH /users/me', { primary_email: 'lovelace@example.com' })
    expect((await world.me('PATCH /users/me', { primary_email: ada.email })).body).toEqual(wire.user)
    expect(await channels(world)).toEqual([
      { ...old, is_primary: true },
      { value: 'lovelace@example.com', is_primary: false, is_verified: false, used_for_auth: false },
    ])
  })

  it('may be null', async () => {
    const world = await newer()
    const { body } = await world.me('PATCH /users/me', { primary_email: null })
    expect(body).toEqual({ ...wire.user, primary_email: null, primary_email_verified: false })
    expect(await channels(world)).toEqual([old])
  })

  it('cannot be verified by apps, nor set on the reference wire', async () => {
    const { me } = await newer()
    expectRefusal(await me('PATCH /users/me', { primary_email_verified: true }), 'SCHEMA_ERROR')
    expectRefusal(await me('PATCH /users/me', { primary_email: 'x' }), 'SCHEMA_ERROR')
    const world = wireWorld({ seed })
    const how: Ask = { accessToken: await accessTokenOf(world), body: { primary_email: 'lovelace@example.com' } }
    expectRefusal(await world.ask('PATCH /users/me', how), 'SCHEMA_ERROR')
  })
})

describe('the invitations to a user on the newer wire', () => {
  const body = { team_id: team.id, email: grace.email, callback_url: 'http://localhost:3000/' }
  const eve = { email: 'eve@example.com' }

  async function invited(verified = true, config = {}) {
    const users = [ada, { ...grace, verified }, eve]
    const world = await newer({ seed: { ...seed, users, project: { config } } })
    const { body: sent } = await world.server('POST /team-invitations/send-code', body)
    const asUser = async (email: string, line: string, headers = {}) =>
      world.ask(line, { accessToken: await accessTokenOf(world, email), headers })
    const accept = (email: string, id: unknown = sent.id) =>
      asUser(email, `POST /team-invitations/${String(id)}/accept?user_id=me`, {
        'x-stack-allow-restricted-user': 'true',
      })
    return { ...world, asUser, accept, id: sent.id as string }
  }
  const none = { items: [], is_paginated: false }

  it('are listed to the user and to servers, with the names of their teams', async () => {
    const { asUser, server, id } = await invited()
    const expected = { items: [{ ...owners.invitation, id }], is_paginated: false }
    expect((await asUser(grace.email, 'GET /team-invitations?user_id=me')).body).toEqual(expected)
    expect((await asUser(grace.email, `GET /team-invitations?user_id=${grace.id}`)).body).toEqual(expected)
    expect((await server(`GET /team-invitations?user_id=${grace.id}`)).body).toEqual(expected)
    expect((await asUser(ada.email, 'GET /team-invitations?user_id=me')).body).toEqual(none)
  })

  it('include those to verified addresses only', async () => {
    const { asUser, accept } = await invited(false)
    expect((await asUser(grace.email, 'GET /team-invitations?user_id=me')).body).toEqual(none)
    expectRefusal(await accept(grace.email), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('are listed for one team or one user', async () => {
    const { me, server } = await invited()
    for (const query of ['', `?team_id=${team.id}&user_id=me`])
      expectRefusal(await me(`GET /team-invitations${query}`), 'SCHEMA_ERROR')
    expectPlain(await me(`GET /team-invitations?user_id=${grace.id}`), 403)
    expectRefusal(await server(`GET /team-invitations?user_id=${team.id}`), 'USER_NOT_FOUND')
    expectRefusal(await wireWorld().ask('GET /team-invitations?user_id=me'), 'SCHEMA_ERROR')
  })

  it('are accepted without the mail, once', async () => {
    const { accept, asUser } = await invited()
    const done = await accept(grace.email)
    expect([done.status, done.body]).toEqual([200, {}])
    const teams = await asUser(grace.email, 'GET /teams?user_id=me')
    expect(teams.body.items).toMatchObject([{ id: team.id }])
    expect((await asUser(grace.email, 'GET /team-invitations?user_id=me')).body).toEqual(none)
    expectRefusal(await accept(grace.email), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('are accepted by a server for the user', async () => {
    const { server, id } = await invited()
    expect((await server(`POST /team-invitations/${id}/accept?user_id=${grace.id}`)).body).toEqual({})
    expectRefusal(
      await server(`POST /team-invitations/${id}/accept?user_id=${grace.id}`),
      'VERIFICATION_CODE_NOT_FOUND',
    )
  })

  it('are refused for another user, a restricted one, and an unknown id', async () => {
    const { accept, me, id, asUser } = await invited()
    expectRefusal(await accept(ada.email), 'VERIFICATION_CODE_NOT_FOUND')
    expectRefusal(await accept(grace.email, team.id), 'VERIFICATION_CODE_NOT_FOUND')
    expectPlain(await me(`POST /team-invitations/${id}/accept?user_id=${grace.id}`), 403)
    expect((await asUser(grace.email, 'GET /team-invitations?user_id=me')).body.items).toHaveLength(1)
    const demanding = await invited(false, { requireEmailVerification: true })
    const refused = await demanding.accept(grace.email)
    expect(expectRefusal(refused, 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED')).toEqual({
      restricted_reason: { type: 'email_not_verified' },
    })
  })

  it('expire', async () => {
    const world = await invited()
    await world.clock.advance(7 * 86_400_000)
    const listed = await world.ask(`GET /team-invitations?user_id=${grace.id}`, { access: 'server' })
    expect(listed.body).toEqual(none)
    expectRefusal(await world.accept(grace.email), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('are accepted by their codes only on the reference wire', async () => {
    const answer = await wireWorld().ask(`POST /team-invitations/${team.id}/accept?user_id=me`)
    expectPlain(answer, 404)
  })
})
