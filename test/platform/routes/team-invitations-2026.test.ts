import owners from '../../wire/newer-owners.json'
import { accessTokenOf, ada, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'
import { grace, newer, seed } from '../users-world'

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

  it('are listed for one team or one user', async () => {
    const { me, server } = await invited()
    for (const query of ['', `?team_id=${team.id}&user_id=me`])
      expectRefusal(await me(`GET /team-invitations${query}`), 'SCHEMA_ERROR')
    expectPlain(await me(`GET /team-invitations?user_id=${grace.id}`), 403)
    expect((await server(`GET /team-invitations?user_id=${team.id}`)).body).toEqual({ items: [], is_paginated: false })
    expectRefusal(await wireWorld().ask('GET /team-invitations?user_id=me'), 'SCHEMA_ERROR')
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
})
