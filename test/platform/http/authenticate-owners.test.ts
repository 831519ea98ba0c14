import { localProject } from '../../../src/core/defaults'
import { owner } from '../owner-world'
import { expectPlain, expectRefusal, signInAda, wireWorld, type World } from '../wire-world'

const projectId = localProject.projectId
const ofInternal = {
  'x-stack-project-id': 'internal',
  'x-stack-secret-server-key': 'this-secret-server-key-is-for-local-development-only',
}

describe('an admin access token', () => {
  async function ownerToken(world: World, serverMetadata: unknown): Promise<string> {
    const { accessToken } = await owner(world)
    const body = { server_metadata: serverMetadata }
    await world.ask('PATCH /users/me', { access: 'server', accessToken, headers: ofInternal, body })
    return String(accessToken)
  }

  function asOwner(token: string, id: string = projectId, access = 'admin') {
    // Apps of project owners send their key headers empty.
    return {
      access: null,
      headers: {
        'x-stack-access-type': access,
        'x-stack-project-id': id,
        'x-stack-secret-server-key': '',
        'x-stack-super-secret-admin-key': '',
        'x-stack-admin-access-token': token,
      },
    } as const
  }

  it('is refused for a project that its user does not manage', async () => {
    const world = wireWorld()
    const token = await ownerToken(world, { managedProjectIds: 'all' })
    expectRefusal(await world.ask('GET /', asOwner(token)), 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN')
  })

  it('is a token of the internal project', async () => {
    const world = wireWorld()
    const { access_token: token } = await signInAda(world)
    const body = { server_metadata: { managedProjectIds: [projectId] } }
    expect((await world.ask('PATCH /users/me', { access: 'server', accessToken: token, body })).status).toBe(200)
    expectRefusal(await world.ask('GET /', asOwner(token)), 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN')
  })

  it('must be readable, with valid keys beside it or without', async () => {
    const world = wireWorld()
    const answer = await world.ask('GET /', { access: 'admin', headers: { 'x-stack-admin-access-token': 'x' } })
    expectRefusal(answer, 'UNPARSABLE_ADMIN_ACCESS_TOKEN')
  })

  it('expires', async () => {
    const world = wireWorld()
    const token = await ownerToken(world, { managedProjectIds: [projectId] })
    await world.clock.advance(600_000)
    expectRefusal(await world.ask('GET /', asOwner(token)), 'ADMIN_ACCESS_TOKEN_EXPIRED')
  })

  it('is refused with its own code after its project is deleted', async () => {
    const world = wireWorld()
    const gone = '00000000-0000-4000-8000-000000000000'
    const token = await ownerToken(world, { managedProjectIds: [gone] })
    expectRefusal(await world.ask('GET /', asOwner(token, gone)), 'INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN')
  })

  it('of a deleted user is refused in plain text', async () => {
    const world = wireWorld()
    const token = await ownerToken(world, { managedProjectIds: [projectId] })
    await world.ask('DELETE /users/me', { access: 'server', accessToken: token, headers: ofInternal })
    expectPlain(await world.ask('GET /', asOwner(token)), 401)
  })
})

describe('the key of developers', () => {
  const good = 'this-super-secret-admin-key-is-for-local-development-only'
  const asDeveloper = (override: string, id: string = projectId, access = 'admin') => ({
    access: null,
    headers: { 'x-stack-access-type': access, 'x-stack-project-id': id, 'x-stack-development-override-key': override },
  })

  it.each(['client', 'server', 'admin'])('replaces the %s key of any project', async access => {
    const { ask } = wireWorld()
    const { status, text } = await ask('GET /', asDeveloper(good, projectId, access))
    expect([status, text]).toEqual([200, expect.stringContaining(`Access type: ${access}`)])
  })

  it('does not work for an unknown project, nor on a strict platform, and is refused in plain text if wrong', async () => {
    const { ask } = wireWorld()
    const unknown = await ask('GET /', asDeveloper(good, 'nothing'))
    expect(expectRefusal(unknown, 'PROJECT_NOT_FOUND')).toEqual({ project_id: 'nothing' })
    expectPlain(await ask('GET /', asDeveloper('x')), 401)
    const strict = wireWorld({ compatibility: 'strict' })
    expectRefusal(await strict.ask('GET /', asDeveloper(good)), 'ADMIN_AUTHENTICATION_REQUIRED')
  })
})
