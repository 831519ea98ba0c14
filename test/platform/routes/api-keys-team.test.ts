import type { Mail } from 'rxauth/platform'
import { accessTokenOf, ada, expectPlain, expectRefusal, team, wireWorld, type Answer, type Ask } from '../wire-world'

const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' } as const
const nobody = '00000000-0000-4000-8000-000000000000'
const asServer = { access: 'server' } as const
const request = { team_id: team.id, description: 'deploy', expires_at_millis: null, is_public: true }
const keyIn = ({ body }: Answer) => body as { readonly id: string; readonly value: string }

/** Ada manages the team's keys, Grace is a member without that permission. */
async function make(config: object = { allowTeamApiKeys: true, allowUserApiKeys: true }) {
  const members = [
    { email: ada.email, permissions: ['team_admin'] },
    { email: grace.email, permissions: ['team_member'] },
  ]
  const world = wireWorld({ seed: { project: { config }, users: [ada, grace], teams: [{ ...team, members }] } })
  const asAda = { accessToken: await accessTokenOf(world) }
  const asGrace = { accessToken: await accessTokenOf(world, grace.email) }
  const create = (change: object = {}, how: Ask = asAda) =>
    world.ask('POST /team-api-keys', { body: { ...request, ...change }, ...how })
  const check = (kind: string, api_key: string) =>
    world.ask(`POST /${kind}-api-keys/check`, { ...asServer, body: { api_key } })
  return { ...world, asAda, asGrace, create, check }
}

describe('the API keys of a team', () => {
  it('that are found in public cause a mail to the members that may manage them', async () => {
    const { create, ask, platform, clock } = await make()
    const { value } = keyIn(await create({ is_public: false }))
    const mails: Mail[] = []
    platform.mail$.subscribe(mail => mails.push(mail))
    await ask('POST /integrations/credential-scanning/revoke', { access: null, body: { api_key: value } })
    await clock.advance(0)
    expect(mails.map(({ to }) => to)).toEqual([ada.email])
    expect(mails[0]?.text).toContain(team.displayName)
  })

  it('are unknown to a client without the permission, and refused to one without a user', async () => {
    const { create, ask, asGrace } = await make()
    const { id } = keyIn(await create())
    const one = `/team-api-keys/${id}?team_id=${team.id}`
    const refused = async (how: Ask, code: string, team_id: string = team.id) => {
      expectRefusal(await ask(`GET /team-api-keys?team_id=${team_id}`, how), code)
      expectRefusal(await create({ team_id }, how), code)
      expectRefusal(await ask(`GET ${one}`, how), code)
      expectRefusal(await ask(`PATCH ${one}`, { ...how, body: { revoked: true } }), code)
    }
    await refused(asGrace, 'API_KEY_NOT_FOUND')
    await refused(asGrace, 'API_KEY_NOT_FOUND', nobody)
    await refused({}, 'USER_AUTHENTICATION_REQUIRED')
    expect((await ask(`GET ${one}`, asServer)).body.manually_revoked_at_millis).toBeUndefined()
    expectRefusal(await create({ team_id: nobody }, asServer), 'TEAM_NOT_FOUND')
  })

  it('are refused at every level if teams have none, with the name of the setting', async () => {
    const { create, check, ask } = await make({ allowUserApiKeys: true })
    for (const answer of [
      await create({}, {}),
      await check('team', 'x'),
      await ask(`GET /team-api-keys?team_id=${team.id}`, asServer),
      await ask(`GET /team-api-keys/${nobody}?team_id=${team.id}`, asServer),
      await ask(`PATCH /team-api-keys/${nobody}?team_id=${team.id}`, { ...asServer, body: { description: 'x' } }),
    ]) {
      expectPlain(answer, 400)
      expect(answer.text).toBe('This project does not have API keys of teams: switch on allowTeamApiKeys.')
    }
  })
})
