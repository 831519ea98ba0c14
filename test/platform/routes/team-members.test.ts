import wire from '../../wire/teams.json'
import { accessTokenOf, ada, expectPlain, expectRefusal, team } from '../wire-world'
import { eve, grace, image, nobody, teamWorld } from '../team-world'

const profile = (userId: string) => `/team-member-profiles/${team.id}/${userId}`
const membership = (userId: string) => `/team-memberships/${team.id}/${userId}`
const list = (query = '') => `GET /team-member-profiles?team_id=${team.id}${query}`
const ofGrace = { ...wire.member, user_id: grace.id, display_name: 'Grace' }

describe('adding a member', () => {
  it('is refused in this order: form, user, team, membership', async () => {
    const { asServer } = await teamWorld()
    expectRefusal(await asServer(`POST ${membership(eve.id)}`), 'SCHEMA_ERROR')
    expectRefusal(await asServer(`POST /team-memberships/${nobody}/${nobody}`, {}), 'USER_NOT_FOUND')
    expectRefusal(await asServer(`POST /team-memberships/${nobody}/${eve.id}`, {}), 'TEAM_NOT_FOUND')
    expectRefusal(await asServer(`POST ${membership(ada.id)}`, {}), 'TEAM_MEMBERSHIP_ALREADY_EXISTS')
    expectRefusal(await asServer(`POST ${membership('me')}`, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })
})

describe('ending a membership', () => {
  it('of another user needs $remove_members for a client', async () => {
    const { as } = await teamWorld()
    const unpermitted = await as(ada.email, `DELETE ${membership(grace.id)}`)
    const needed = { team_id: team.id, user_id: ada.id, permission_id: '$remove_members' }
    expect(expectRefusal(unpermitted, 'TEAM_PERMISSION_REQUIRED')).toEqual(needed)
    const byEve = await as(eve.email, `DELETE ${membership(grace.id)}`)
    expect(expectRefusal(byEve, 'TEAM_MEMBERSHIP_NOT_FOUND')).toEqual({ team_id: team.id, user_id: eve.id })
    for (const who of ['me', grace.id])
      expectRefusal(await as(null, `DELETE ${membership(who)}`), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    const able = await teamWorld({ permissions: ['$remove_members'] })
    expect((await able.as(ada.email, `DELETE ${membership(grace.id)}`)).status).toBe(200)
    expectRefusal(await able.as(ada.email, `DELETE ${membership(nobody)}`), 'USER_NOT_FOUND')
    const ofEve = await able.as(ada.email, `DELETE ${membership(eve.id)}`)
    expect(expectRefusal(ofEve, 'TEAM_MEMBERSHIP_NOT_FOUND')).toEqual({ team_id: team.id, user_id: eve.id })
  })

  it('needs only an existing membership from a server', async () => {
    const { asServer } = await teamWorld()
    expect((await asServer(`DELETE ${membership(grace.id)}`)).body).toEqual({ success: true })
    expectRefusal(await asServer(`DELETE ${membership(grace.id)}`), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await asServer(`DELETE ${membership(nobody)}`), 'USER_NOT_FOUND')
  })
})

describe('the members', () => {
  it('are listed for a client in the order in which they joined', async () => {
    const { as, asServer } = await teamWorld()
    await asServer(`POST ${membership(eve.id)}`, {})
    await asServer(`DELETE ${membership(ada.id)}`)
    await asServer(`POST ${membership(ada.id)}`, {})
    const items = [ofGrace, { ...ofGrace, user_id: eve.id, display_name: 'Eve' }, wire.member]
    expect((await as(ada.email, list())).body).toEqual({ items, is_paginated: false })
    expect((await as(ada.email, list(`&user_id=${grace.id}`))).body.items).toEqual([ofGrace])
  })

  it('need for a client a user, team, membership and $read_members, in this order', async () => {
    const { as } = await teamWorld({ permissions: [] })
    expectRefusal(await as(null, 'GET /team-member-profiles'), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectPlain(await as(ada.email, 'GET /team-member-profiles'), 400)
    expectPlain(await as(ada.email, 'GET /team-member-profiles?user_id=me'), 400)
    expectRefusal(await as(null, list()), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expectRefusal(await as(eve.email, list()), 'TEAM_MEMBERSHIP_NOT_FOUND')
    for (const line of [list(), list(`&user_id=${grace.id}`), `GET ${profile(grace.id)}`, `GET ${profile(nobody)}`]) {
      const details = expectRefusal(await as(ada.email, line), 'TEAM_PERMISSION_REQUIRED')
      expect(details['permission_id']).toBe('$read_members')
    }
    expect((await as(ada.email, list('&user_id=me'))).body.items).toEqual([wire.member])
    expect((await as(ada.email, `GET ${profile('me')}`)).body).toEqual(wire.member)
  })

  it('include their users for a server, by team, by user, or all', async () => {
    const { asServer } = await teamWorld()
    const user = (await asServer(`GET /users/${grace.id}`)).body as object
    expect((await asServer(`GET ${profile(grace.id)}`)).body).toEqual({ ...ofGrace, user })
    expect((await asServer(list())).body.items[1]).toEqual({ ...ofGrace, user })
    expect((await asServer(`GET /team-member-profiles?user_id=${grace.id}`)).body.items).toEqual([{ ...ofGrace, user }])
    expect((await asServer('GET /team-member-profiles')).body.items).toHaveLength(2)
    expect((await asServer(list(`&user_id=${eve.id}`))).body.items).toEqual([])
    expectRefusal(await asServer(`GET /team-member-profiles?team_id=${nobody}`), 'TEAM_NOT_FOUND')
    expectRefusal(await asServer(`GET /team-member-profiles?user_id=${nobody}`), 'USER_NOT_FOUND')
    expectRefusal(await asServer(`GET /team-member-profiles/${nobody}/${ada.id}`), 'TEAM_NOT_FOUND')
    expectRefusal(await asServer(`GET ${profile(nobody)}`), 'USER_NOT_FOUND')
    expectRefusal(await asServer(`GET ${profile(eve.id)}`), 'TEAM_MEMBERSHIP_NOT_FOUND')
  })
})

describe('the profile of a member', () => {
  it("is a client's own", async () => {
    const { as } = await teamWorld({ permissions: [] })
    const change = { display_name: 'Countess', profile_image_url: image }
    expect((await as(ada.email, `PATCH ${profile('me')}`, change)).body).toEqual({ ...wire.member, ...change })
    expect((await as(ada.email, `PATCH ${profile(ada.id)}`, {})).body).toEqual({ ...wire.member, ...change })
    expect((await as(ada.email, 'GET /users/me')).body).toMatchObject({ display_name: 'Ada', profile_image_url: null })
    expectPlain(await as(ada.email, `PATCH ${profile(grace.id)}`, change), 403)
    expectPlain(await as(ada.email, `PATCH ${profile('me')}`, { profile_image_url: 'https://x.example/' }), 400)
    expectRefusal(await as(ada.email, `PATCH ${profile('me')}`, { display_name: null }), 'SCHEMA_ERROR')
    expectRefusal(await as(eve.email, `PATCH ${profile('me')}`, {}), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await as(null, `PATCH ${profile(ada.id)}`, {}), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })

  it('takes missing fields from the user', async () => {
    const { as } = await teamWorld()
    await as(ada.email, `PATCH ${profile('me')}`, { profile_image_url: image })
    await as(ada.email, 'PATCH /users/me', { display_name: 'Lovelace' })
    const shown = async () => (await as(ada.email, `GET ${profile('me')}`)).body as object
    expect(await shown()).toEqual({ ...wire.member, display_name: 'Lovelace', profile_image_url: image })
    await as(ada.email, `PATCH ${profile('me')}`, { profile_image_url: null })
    expect(await shown()).toEqual({ ...wire.member, display_name: 'Lovelace' })
  })

  it("is any member's for a server", async () => {
    const { asServer, ask, ...world } = await teamWorld()
    const change = { display_name: '', profile_image_url: 'https://x.example/' }
    const { body } = await asServer(`PATCH ${profile(grace.id)}`, change)
    expect(body).toEqual({ ...ofGrace, ...change, user: expect.objectContaining({ display_name: 'Grace' }) as object })
    const accessToken = await accessTokenOf({ ...world, ask })
    const own = await ask(`PATCH ${profile('me')}`, { access: 'server', accessToken, body: { display_name: 'x' } })
    expect(own.body.user_id).toBe(ada.id)
    expectRefusal(await asServer(`PATCH ${profile(eve.id)}`, {}), 'TEAM_MEMBERSHIP_NOT_FOUND')
  })
})
