import { ada, expectRefusal, team } from '../wire-world'
import { teamWorld } from '../team-world'

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
})
