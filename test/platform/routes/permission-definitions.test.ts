import { ada, expectRefusal, team } from '../wire-world'
import { grace, teamWorld } from '../team-world'

const system = [
  'delete_team',
  'invite_members',
  'manage_api_keys',
  'read_members',
  'remove_members',
  'update_team',
].map(id => `$${id}`)

async function adminWorld() {
  const one = await teamWorld({ permissions: ['team_admin'] })
  const asAdmin = (line: string, body?: unknown) =>
    one.ask(line, { access: 'admin', ...(body !== undefined && { body }) })
  const idsIn = async (path: string, ask = asAdmin) =>
    ((await ask(`GET ${path}`)).body.items as { id: string }[]).map(({ id }) => id)
  const definition = async (wanted: string) =>
    ((await asAdmin('GET /team-permission-definitions')).body.items as { id: string }[]).find(({ id }) => id === wanted)
  return { ...one, asAdmin, idsIn, definition }
}

describe('the definitions of permissions', () => {
  it('of a new project are the six system ones, team_admin and team_member', async () => {
    const { asAdmin, idsIn } = await adminWorld()
    const { status, body } = await asAdmin('GET /team-permission-definitions')
    const { items, ...rest } = body as { items: Record<string, unknown>[] }
    expect([status, rest]).toEqual([200, { is_paginated: false }])
    expect(items.map(({ id }) => id)).toEqual([...system, 'team_admin', 'team_member'])
    for (const each of items)
      expect(Object.keys(each).sort()).toEqual(['contained_permission_ids', 'description', 'id'])
    expect(items.slice(6).map(each => each['contained_permission_ids'])).toEqual([
      system,
      ['$invite_members', '$read_members'],
    ])
    expect(await idsIn('/project-permission-definitions')).toEqual([])
  })

  it('are created with 201, sorted, without missing fields', async () => {
    const { asAdmin, idsIn } = await adminWorld()
    const contains = (...contained_permission_ids: string[]) => ({ contained_permission_ids })
    for (const [scope, sent, kept] of [
      [
        'team',
        { id: 'a:b_1', ...contains('team_member', '$update_team', 'team_member') },
        contains('$update_team', 'team_member'),
      ],
      ['project', { id: 'publish', description: 'x' }, contains()],
    ] as const) {
      const { status, body } = await asAdmin(`POST /${scope}-permission-definitions`, sent)
      expect([status, body]).toEqual([201, { ...sent, ...kept }])
    }
    expect(await idsIn('/team-permission-definitions')).toEqual([...system, 'a:b_1', 'team_admin', 'team_member'])
    expect(await idsIn('/project-permission-definitions')).toEqual(['publish'])
  })

  it('lose the fields that PATCH leaves out', async () => {
    const { asAdmin } = await adminWorld()
    const { status, body } = await asAdmin('PATCH /team-permission-definitions/team_admin', {})
    expect([status, body]).toEqual([200, { id: 'team_admin', contained_permission_ids: [] }])
  })

  it('are deleted with every grant and reference', async () => {
    const { asAdmin, asServer, idsIn, definition } = await adminWorld()
    await asAdmin('POST /team-permission-definitions', { id: 'all', contained_permission_ids: ['team_admin'] })
    expect((await asAdmin('DELETE /team-permission-definitions/team_admin')).body).toEqual({ success: true })
    expect(await idsIn('/team-permissions')).toEqual(['team_member'])
    expect(await definition('all')).toEqual({ id: 'all', contained_permission_ids: [] })
    const { config } = (await asAdmin('GET /internal/projects/current')).body
    expect(config.team_creator_default_permissions).toEqual([])
    const created = await asServer('POST /teams', { display_name: 'x', creator_user_id: grace.id })
    expect(await idsIn(`/team-permissions?team_id=${created.body.id}`)).toEqual([])
    expectRefusal(await asAdmin('DELETE /team-permission-definitions/team_admin'), 'PERMISSION_NOT_FOUND')
  })

  it('are renamed in every grant and reference, and in their own contents', async () => {
    const { as, asAdmin, idsIn, definition } = await adminWorld()
    await asAdmin('POST /team-permission-definitions', { id: 'all', contained_permission_ids: ['team_admin'] })
    const boss = { id: 'boss', contained_permission_ids: ['$update_team', 'team_admin', 'all'] }
    const { body } = await asAdmin('PATCH /team-permission-definitions/team_admin', boss)
    expect(body).toEqual({ id: 'boss', contained_permission_ids: ['$update_team', 'all', 'boss'] })
    expect(await idsIn('/team-permissions')).toEqual(['boss', 'team_member'].sort())
    expect(await definition('all')).toEqual({ id: 'all', contained_permission_ids: ['boss'] })
    const { config } = (await asAdmin('GET /internal/projects/current')).body
    expect(config.team_creator_default_permissions).toEqual([{ id: 'boss' }])
    // Its permissions apply under the new id.
    expect((await as(ada.email, `PATCH /teams/${team.id}`, { display_name: 'y' })).status).toBe(200)
    expectRefusal(await as(ada.email, `DELETE /teams/${team.id}`), 'TEAM_PERMISSION_REQUIRED')
  })

  it('of the whole project are granted under their new id', async () => {
    const { asAdmin, asServer, idsIn } = await adminWorld()
    await asAdmin('POST /project-permission-definitions', { id: 'publish' })
    await asServer(`POST /project-permissions/${ada.id}/publish`, {})
    await asAdmin('PATCH /project-permission-definitions/publish', { id: 'post' })
    expect(await idsIn(`/project-permissions?user_id=${ada.id}`)).toEqual(['post'])
    await asAdmin('DELETE /project-permission-definitions/post')
    expect(await idsIn(`/project-permissions?user_id=${ada.id}`)).toEqual([])
  })

  it.each([
    ['POST /team-permission-definitions', { id: 'team_admin' }, 'PERMISSION_ID_ALREADY_EXISTS', 'team_admin'],
    ['POST /project-permission-definitions', { id: 'team_admin' }, 'PERMISSION_ID_ALREADY_EXISTS', 'team_admin'],
    ['PATCH /team-permission-definitions/team_admin', { id: 'publish' }, 'PERMISSION_ID_ALREADY_EXISTS', 'publish'],
    [
      'POST /team-permission-definitions',
      { id: 'x', contained_permission_ids: ['publish'] },
      'CONTAINED_PERMISSION_NOT_FOUND',
      'publish',
    ],
    [
      'POST /project-permission-definitions',
      { id: 'x', contained_permission_ids: ['$update_team'] },
      'CONTAINED_PERMISSION_NOT_FOUND',
      '$update_team',
    ],
    [
      'PATCH /team-permission-definitions/team_admin',
      { contained_permission_ids: ['$update_team', 'gone'] },
      'CONTAINED_PERMISSION_NOT_FOUND',
      'gone',
    ],
    ['PATCH /team-permission-definitions/gone', {}, 'PERMISSION_NOT_FOUND', 'gone'],
    ['PATCH /team-permission-definitions/publish', {}, 'PERMISSION_NOT_FOUND', 'publish'],
    ['PATCH /team-permission-definitions/$update_team', {}, 'PERMISSION_NOT_FOUND', '$update_team'],
    ['DELETE /team-permission-definitions/$update_team', undefined, 'PERMISSION_NOT_FOUND', '$update_team'],
    ['DELETE /project-permission-definitions/team_admin', undefined, 'PERMISSION_NOT_FOUND', 'team_admin'],
  ])('refuse %s %j with %s', async (line, body, code, permission_id) => {
    const { asAdmin, idsIn } = await adminWorld()
    await asAdmin('POST /project-permission-definitions', { id: 'publish' })
    const before = await asAdmin('GET /team-permission-definitions')
    expect(expectRefusal(await asAdmin(line, body), code)).toEqual({ permission_id })
    expect((await asAdmin('GET /team-permission-definitions')).body).toEqual(before.body)
    expect(await idsIn('/project-permission-definitions')).toEqual(['publish'])
  })

  it.each(['$x', '$update_team', 'A', 'a b', '', 'ä', 'a-b', '__proto__'])('refuse the id %j', async id => {
    const { asAdmin } = await adminWorld()
    expectRefusal(await asAdmin('POST /team-permission-definitions', { id }), 'SCHEMA_ERROR')
    expectRefusal(await asAdmin('PATCH /team-permission-definitions/team_admin', { id }), 'SCHEMA_ERROR')
  })

  it('are those of the project only', async () => {
    const { ask, asAdmin, idsIn } = await adminWorld()
    await asAdmin('POST /team-permission-definitions', { id: 'x' })
    const key = 'this-super-secret-admin-key-is-for-local-development-only'
    const headers = { 'x-stack-project-id': 'internal', 'x-stack-super-secret-admin-key': key }
    const ofInternal = (line: string) => ask(line, { access: 'admin', headers })
    expect(await idsIn('/team-permission-definitions', ofInternal)).toEqual([...system, 'team_admin', 'team_member'])
  })
})
