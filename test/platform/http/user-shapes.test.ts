import { newer, seed } from '../users-world'
import wire from '../../wire/newer-users.json'
import { ada, expectRefusal, team, wireWorld } from '../wire-world'

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

  it.each([{ country_code: 'CH' }, { risk_scores: scores(1, 1) }])('cannot set %j itself', async body => {
    const { me } = await newer()
    expectRefusal(await me('PATCH /users/me', body), 'SCHEMA_ERROR')
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
