import type { Wire } from 'rxauth/platform'
import { newer, newerWires } from '../world-2026'
import wire from '../../wire/newer-owners.json'
import { owner } from '../owner-world'
import { expectAnswer, expectRefusal } from '../wire-world'

describe.each(newerWires)('an owner on %s', wire => {
  it('has a team, and makes others and projects of them', async () => {
    const { asOwner } = await shop(wire)
    const { body } = await asOwner('GET /users/me')
    expect(body.selected_team.display_name).toBe("owner@example.com's Team")
    const lab = await asOwner('POST /teams', { creator_user_id: 'me', display_name: 'Lab' })
    expect(lab.status).toBe(201)
    const made = (display_name: string) =>
      asOwner('POST /internal/projects', { display_name, owner_team_id: lab.body.id as string, config: {} })
    expect((await made('')).body.display_name).toBe('')
    expect((await made('Mine')).status).toBe(201)
    const all = (await asOwner('GET /internal/projects')).body.items as { readonly owner_team_id: string }[]
    expect(new Set(all.map(({ owner_team_id: id }) => id)).size).toBe(2)
  })
})

describe('a project on the newer wire', () => {
  it('is the same in every answer, without a number of users', async () => {
    const { made, asOwner, current, teamId } = await shop()
    const { body, status } = made
    expect([status, { ...body, id: 'string', owner_team_id: 'string' }]).toEqual([201, wire.project])
    expect(body.owner_team_id).toBe(teamId)
    expect((await asOwner('GET /internal/projects')).body).toEqual({ items: [body], is_paginated: false })
    expect((await current('GET')).body).toEqual(body)
    expect((await current('PATCH', {})).body).toEqual(body)
  })

  it('keeps a logo that is sent as a data URL as a file, at an address of the platform', async () => {
    const { current, platform } = await shop()
    const { body } = await current('PATCH', { logo_url: 'data:image/png;base64,iVBORw0KGgo=' })
    expect(body.logo_url).toBe(`${platform.options.baseUrl}/files/${body.id}/logoUrl`)
    const file = await platform.fetch(new Request(body.logo_url as string))
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    )
    // An app that writes back all that it has read changes nothing.
    const same = await current('PATCH', { logo_url: body.logo_url, logo_full_url: null })
    expect(same.body.logo_url).toBe(body.logo_url)
    expect((await current('GET')).body.logo_url).toBe(body.logo_url)
    expect((await platform.fetch(new Request(body.logo_url as string))).status).toBe(200)
    await current('PATCH', { logo_url: null })
    for (const url of [body.logo_url as string, `${platform.options.baseUrl}/files/nope/logoUrl`])
      expect((await platform.fetch(new Request(url))).status).toBe(404)
  })
})

describe('the transfer of a project', () => {
  const transfer = 'POST /internal/projects/transfer'

  /** The owner of Shop, who is in another team too, where Grace is; each with the names of the projects. */
  async function twoTeams() {
    const world = await shop()
    const { made, ask, teamId } = world
    const grace = await owner(world, 'grace@example.com')
    const server = (line: string, body?: unknown) =>
      ask(line, {
        access: null,
        headers: { ...internalServer, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body }),
      })
    const other = (await server('POST /teams', { display_name: 'Other' })).body.id as string
    for (const email of ['owner@example.com', 'grace@example.com']) {
      const { body } = await server(`GET /users?query=${encodeURIComponent(email)}`)
      await server(`POST /team-memberships/${other}/${body.items[0].id as string}`, {})
    }
    const names = async (as: typeof world.asOwner) =>
      ((await as('GET /internal/projects')).body.items as { readonly display_name: string }[]).map(
        each => each.display_name,
      )
    const projectId = made.body.id as string
    return { ...world, server, grace, other, names, projectId, own: teamId as string }
  }

  it('gives it to the members of the new team, and takes it from those of the old one', async () => {
    const { asOwner, grace, other, names, projectId, current, server } = await twoTeams()
    expect([await names(asOwner), await names(grace.asOwner)]).toEqual([['Shop'], []])
    expectRefusal(await grace.on(projectId, 'GET /internal/projects/current'), 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN')
    expectAnswer(await asOwner(transfer, { project_id: projectId, new_team_id: other }), 200, { success: 'true' })
    expect([await names(asOwner), await names(grace.asOwner)]).toEqual([['Shop'], ['Shop']])
    expect((await grace.on(projectId, 'GET /internal/projects/current')).body.owner_team_id).toBe(other)
    const { body } = await server('GET /users?query=owner%40example.com')
    await server(`DELETE /team-memberships/${other}/${body.items[0].id as string}`)
    expect([await names(asOwner), await names(grace.asOwner)]).toEqual([[], ['Shop']])
    expectRefusal(await current('GET'), 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN')
  })

  it('is refused for a project of others, for a team of others, and to other projects', async () => {
    const { asOwner, grace, other, own, projectId, ask, names } = await twoTeams()
    const byGrace = await grace.asOwner(transfer, { project_id: projectId, new_team_id: other })
    expect(expectRefusal(byGrace, 'TEAM_MEMBERSHIP_NOT_FOUND')).toMatchObject({ team_id: own })
    const unknown = await asOwner(transfer, { project_id: 'unknown', new_team_id: other })
    expect(expectRefusal(unknown, 'PROJECT_NOT_FOUND')).toEqual({ project_id: 'unknown' })
    const graces = ((await grace.asOwner('GET /teams?user_id=me')).body.items as { readonly id: string }[]).map(
      ({ id }) => id,
    )
    const [foreign] = graces.filter(id => id !== other)
    const toForeign = await asOwner(transfer, { project_id: projectId, new_team_id: foreign })
    expect(expectRefusal(toForeign, 'TEAM_MEMBERSHIP_NOT_FOUND')).toMatchObject({ team_id: foreign })
    // A member who is no admin of the owning team.
    await asOwner(transfer, { project_id: projectId, new_team_id: other })
    const byMember = await grace.asOwner(transfer, { project_id: projectId, new_team_id: foreign })
    expect(expectRefusal(byMember, 'TEAM_PERMISSION_REQUIRED')).toMatchObject({ permission_id: 'team_admin' })
    expectRefusal(await asOwner(transfer, { project_id: projectId }), 'SCHEMA_ERROR')
    const body = { project_id: projectId, new_team_id: own }
    expectRefusal(await ask(transfer, { body }), 'USER_AUTHENTICATION_REQUIRED')
    expect(await names(asOwner)).toEqual(['Shop'])
  })
})

const internalServer = {
  'x-stack-project-id': 'internal',
  'x-stack-access-type': 'server',
  'x-stack-secret-server-key': 'this-secret-server-key-is-for-local-development-only',
}

/** An owner of the newer wire with a project called Shop. */
async function shop(wire: Wire = '2026') {
  const world = newer({ wire })
  const me = await owner(world)
  const [own] = (await me.asOwner('GET /teams?user_id=me')).body.items as { readonly id: string }[]
  const made = await me.asOwner('POST /internal/projects', { display_name: 'Shop', owner_team_id: own?.id })
  const current = (method: string, body?: unknown) =>
    me.on(made.body.id as string, `${method} /internal/projects/current`, body)
  return { ...world, ...me, made, current, teamId: own?.id }
}
