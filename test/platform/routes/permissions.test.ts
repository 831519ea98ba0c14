import wire from '../../wire/teams.json'
import { ada, expectAnswer, expectPlain, expectRefusal, team } from '../wire-world'
import { eve, grace, nobody, teamWorld } from '../team-world'

const system = [
  '$delete_team',
  '$invite_members',
  '$manage_api_keys',
  '$read_members',
  '$remove_members',
  '$update_team',
]
const permissions = [
  { id: 'publish', scope: 'project', contains: ['draft'] },
  { id: 'draft', scope: 'project', contains: ['publish'] },
  { id: 'edit', scope: 'team', contains: ['edit', 'gone', 'publish', 'team_member'] },
] as const
const seed = { permissions }
const inTeam = (userId: string, id: string) => `/team-permissions/${team.id}/${userId}/${encodeURIComponent(id)}`
const inProject = (userId: string, id: string) => `/project-permissions/${userId}/${encodeURIComponent(id)}`
const grant = (id: string, userId: string = ada.id) => ({ id, user_id: userId, team_id: team.id })
const idsIn = (body: unknown) => (body as { items: { id: string }[] }).items.map(({ id }) => id)

describe('the permissions in a team', () => {
  it('are the direct ones, or all contained ones on request', async () => {
    const { as } = await teamWorld({ permissions: ['team_admin'] })
    const list = async (query: string) =>
      (await as(ada.email, `GET /team-permissions?user_id=me${query}`)).body as object
    expect(await list('')).toEqual({ items: [grant('team_admin')], is_paginated: false })
    expect(await list('&recursive=false')).toEqual(await list(''))
    expect(idsIn(await list('&recursive=true'))).toEqual([...system, 'team_admin'])
    expect(idsIn(await list('&recursive=true&permission_id=$read_members'))).toEqual(['$read_members'])
    expect(idsIn(await list('&permission_id=$read_members'))).toEqual([])
    expect(idsIn(await list(`&team_id=${nobody}&recursive=true`))).toEqual([])
    expectRefusal(await as(ada.email, 'GET /team-permissions?user_id=me&recursive=yes'), 'SCHEMA_ERROR')
    expectRefusal(await as(ada.email, 'GET /team-permissions?user_id=me&permission_id=$x'), 'SCHEMA_ERROR')
  })
})

describe.each(['team', 'project'])('the permissions of a %s', scope => {
  it.each(['', `?user_id=${grace.id}`, `?user_id=${nobody}`])('of others are refused to a client: %j', async query => {
    const { as } = await teamWorld()
    expectPlain(await as(ada.email, `GET /${scope}-permissions${query}`), 403)
    expectRefusal(await as(null, `GET /${scope}-permissions${query}`), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })
})

describe('the permissions in the whole project', () => {
  it('are granted, listed and revoked', async () => {
    const { as, asServer } = await teamWorld({ seed })
    expectAnswer(await asServer(`POST ${inProject(ada.id, 'publish')}`, {}), 201, wire['project-permission'])
    expect((await asServer(`POST ${inProject(ada.id, 'publish')}`, {})).status).toBe(201)
    const list = async (query: string) =>
      (await as(ada.email, `GET /project-permissions?user_id=me${query}`)).body as object
    expect(await list('')).toEqual({ items: [wire['project-permission']], is_paginated: false })
    expect(idsIn(await list('&recursive=true'))).toEqual(['draft', 'publish'])
    expect(idsIn(await list('&recursive=true&permission_id=draft'))).toEqual(['draft'])
    expect((await asServer('GET /project-permissions')).body.items).toEqual([wire['project-permission']])
    expect((await asServer(`DELETE ${inProject(ada.id, 'publish')}`)).body).toEqual({ success: true })
    expect(idsIn(await list('&recursive=true'))).toEqual([])
  })

  it('are refused in this order: user, permission, scope', async () => {
    const { asServer } = await teamWorld({ seed })
    expectRefusal(await asServer(`POST ${inProject(ada.id, 'publish')}`), 'SCHEMA_ERROR')
    expectRefusal(await asServer(`POST ${inProject(nobody, 'gone')}`, {}), 'USER_NOT_FOUND')
    for (const id of ['gone', '$read_members'])
      expect(expectRefusal(await asServer(`POST ${inProject(ada.id, id)}`, {}), 'PERMISSION_NOT_FOUND')).toEqual({
        permission_id: id,
      })
    const wrong = expectRefusal(await asServer(`POST ${inProject(ada.id, 'edit')}`, {}), 'WRONG_PERMISSION_SCOPE')
    expect(wrong).toEqual({ permission_id: 'edit', expected_scope: 'project', actual_scope: 'team' })
    const missing = await asServer(`DELETE ${inProject(ada.id, 'publish')}`)
    expect(expectRefusal(missing, 'PERMISSION_NOT_FOUND')).toEqual({ permission_id: 'publish' })
    expectRefusal(await asServer(`DELETE ${inProject(nobody, 'publish')}`), 'USER_NOT_FOUND')
  })
})

describe('a permission in a team', () => {
  it('is refused in this order: user, membership, permission, scope', async () => {
    const { asServer } = await teamWorld({ seed })
    expectRefusal(await asServer(`POST ${inTeam(ada.id, 'edit')}`), 'SCHEMA_ERROR')
    expectRefusal(await asServer(`POST ${inTeam(nobody, 'gone')}`, {}), 'USER_NOT_FOUND')
    expectRefusal(await asServer(`POST ${inTeam(eve.id, 'gone')}`, {}), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await asServer(`POST ${inTeam(ada.id, 'gone')}`, {}), 'PERMISSION_NOT_FOUND')
    const wrong = expectRefusal(await asServer(`POST ${inTeam(ada.id, 'publish')}`, {}), 'WRONG_PERMISSION_SCOPE')
    expect(wrong).toEqual({ permission_id: 'publish', expected_scope: 'team', actual_scope: 'project' })
  })

  it('that is only contained in another one cannot be revoked', async () => {
    const { asServer } = await teamWorld()
    const refused = await asServer(`DELETE ${inTeam(ada.id, '$read_members')}`)
    expect(expectRefusal(refused, 'TEAM_PERMISSION_NOT_FOUND')).toEqual({
      team_id: team.id,
      user_id: ada.id,
      permission_id: '$read_members',
    })
    expectRefusal(await asServer(`DELETE ${inTeam(eve.id, 'team_member')}`), 'TEAM_MEMBERSHIP_NOT_FOUND')
    expectRefusal(await asServer(`DELETE ${inTeam(nobody, 'team_member')}`), 'USER_NOT_FOUND')
  })
})
