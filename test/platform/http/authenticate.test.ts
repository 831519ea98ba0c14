import { localProject } from '../../../src/core/defaults'
import { accessTokenOf, ada, expectRefusal, keysFor, signInAda, toAnswer, wireWorld } from '../wire-world'

const projectId = localProject.projectId
const typed = { 'access-type': 'client', 'project-id': projectId }
const key = { 'publishable-client-key': localProject.publishableClientKey }
const keyed = { ...typed, ...key }
const asServer = { ...typed, 'access-type': 'server' }
const noUser = 'CANNOT_GET_OWN_USER_WITHOUT_USER'
const internalKey = 'this-publishable-client-key-is-for-local-development-only'

const projects = 'GET /projects/current'

describe('the order of checks', () => {
  // Each row corrects the first mistake of the row before. Names of headers are without `x-stack-`.
  it.each<[what: string, line: string, headers: Record<string, string>, code: string]>([
    ['a key without an access type', projects, key, 'PROJECT_KEY_WITHOUT_ACCESS_TYPE'],
    [
      'an admin token without an access type',
      'GET /',
      { 'admin-access-token': 'x' },
      'PROJECT_KEY_WITHOUT_ACCESS_TYPE',
    ],
    ['no headers at all', projects, {}, 'ACCESS_TYPE_REQUIRED'],
    ['user tokens alone', projects, { 'access-token': 'x' }, 'ACCESS_TYPE_REQUIRED'],
    ['an unknown access type', projects, { 'access-type': 'owner' }, 'INVALID_ACCESS_TYPE'],
    ['no project id', projects, { 'access-type': 'admin' }, 'ACCESS_TYPE_WITHOUT_PROJECT_ID'],
    ['a bad access token before a missing key', projects, { ...typed, 'access-token': 'x' }, 'UNPARSABLE_ACCESS_TOKEN'],
    ['a bad access token, publicly', 'GET /', { ...typed, ...key, 'access-token': 'x' }, 'UNPARSABLE_ACCESS_TOKEN'],
    ['a missing client key', projects, typed, 'CLIENT_AUTHENTICATION_REQUIRED'],
    ['an empty client key', projects, { ...typed, 'publishable-client-key': '' }, 'CLIENT_AUTHENTICATION_REQUIRED'],
    [
      'no server key beside a client key',
      projects,
      { ...keyed, 'access-type': 'server' },
      'SERVER_AUTHENTICATION_REQUIRED',
    ],
    [
      'no admin key beside a client key',
      projects,
      { ...keyed, 'access-type': 'admin' },
      'ADMIN_AUTHENTICATION_REQUIRED',
    ],
    ['a wrong client key', projects, { ...typed, 'publishable-client-key': 'pck_x' }, 'INVALID_PUBLISHABLE_CLIENT_KEY'],
    ['a wrong server key', 'GET /', { ...asServer, 'secret-server-key': 'x' }, 'INVALID_SECRET_SERVER_KEY'],
    [
      'a wrong admin key',
      ...(['GET /', { ...typed, 'access-type': 'admin', 'super-secret-admin-key': 'x' }] as const),
      'INVALID_SUPER_SECRET_ADMIN_KEY',
    ],
    [
      'a client key as a server key',
      'GET /',
      { ...asServer, 'secret-server-key': localProject.publishableClientKey, 'super-secret-admin-key': 'x' },
      'INVALID_SECRET_SERVER_KEY',
    ],
    [
      "another project's key",
      'GET /',
      { ...typed, 'publishable-client-key': internalKey },
      'INVALID_PUBLISHABLE_CLIENT_KEY',
    ],
    ['an unknown branch', projects, { ...keyed, 'branch-id': 'dev' }, 'BRANCH_DOES_NOT_EXIST'],
    ['an unknown branch before the level', 'GET /users', { ...keyed, 'branch-id': 'dev' }, 'BRANCH_DOES_NOT_EXIST'],
    ['the level before a malformed id and a query', 'GET /users/x?a=1', keyed, 'INSUFFICIENT_ACCESS_TYPE'],
    ['the level before an unreadable body', 'POST /users', { ...keyed, type: 'text/xml' }, 'INSUFFICIENT_ACCESS_TYPE'],
    ['a missing key before the level', 'GET /users', typed, 'CLIENT_AUTHENTICATION_REQUIRED'],
    [
      'no project id before a bad access token',
      ...(['GET /users', { 'access-type': 'client', 'access-token': 'x' }] as const),
      'ACCESS_TYPE_WITHOUT_PROJECT_ID',
    ],
    [
      'a bad access token before a bad admin token',
      ...(['GET /users', { ...typed, 'access-token': 'x', 'admin-access-token': 'x' }] as const),
      'UNPARSABLE_ACCESS_TOKEN',
    ],
    ['no user before what "me" has not', `GET /contact-channels/me/${projectId}`, keyed, noUser],
    ['a wrong body before a missing user', 'PATCH /users/me', keyed, 'SCHEMA_ERROR'],
    ['a missing user', 'GET /users/me', keyed, noUser],
    ['a missing user before a switched-off feature', 'DELETE /users/me', keyed, noUser],
    ['an unknown branch where it has no users', 'GET /users/me', { ...keyed, 'branch-id': 'dev' }, noUser],
  ])('%s', async (_, line, given, code) => {
    const named = Object.entries(given).map(([name, value]) => [
      name === 'type' ? 'content-type' : `x-stack-${name}`,
      value,
    ])
    const headers = Object.fromEntries(named) as Record<string, string>
    expectRefusal(await wireWorld().ask(line, { access: null, headers }), code)
  })

  it('names the level that lacks a project id, and an unknown project as one of a wrong key', async () => {
    const { ask } = wireWorld()
    const answer = await ask('GET /', { access: null, headers: { 'x-stack-access-type': 'server' } })
    expect(expectRefusal(answer, 'ACCESS_TYPE_WITHOUT_PROJECT_ID')).toEqual({ request_type: 'server' })
    for (const project_id of ['nothing', '00000000-0000-4000-8000-000000000000']) {
      const unknown = await ask('GET /projects/current', { headers: { 'x-stack-project-id': project_id } })
      expect(expectRefusal(unknown, 'INVALID_PUBLISHABLE_CLIENT_KEY')).toEqual({ project_id })
    }
  })
})

describe('an access token', () => {
  it('is valid for ten minutes, to the second', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    await world.clock.advance(599_999)
    expect((await world.ask('GET /users/me', { accessToken })).status).toBe(200)
    await world.clock.advance(1)
    const expired = expectRefusal(await world.ask('GET /users/me', { accessToken }), 'ACCESS_TOKEN_EXPIRED')
    expect(expired).toEqual({ expired_at_millis: world.clock.now() })
  })

  it("that was verified is refused after the platform's keys have changed", async () => {
    const [world, other] = [wireWorld(), wireWorld()]
    const { access_token: accessToken } = await signInAda(world)
    expect((await world.ask('GET /users/me', { accessToken })).status).toBe(200)
    await signInAda(other)
    world.platform.restore(other.platform.snapshot())
    expectRefusal(await world.ask('GET /users/me', { accessToken }), 'UNPARSABLE_ACCESS_TOKEN')
  })

  it('is verified again after a thousand others', async () => {
    const world = wireWorld()
    const tokens: string[] = []
    for (let count = 0; count <= 1000; count++) tokens.push(await accessTokenOf(world))
    const verified = jest.spyOn(crypto.subtle, 'verify')
    const use = async (accessToken = '') => {
      expect((await world.ask('GET /users/me', { accessToken })).status).toBe(200)
      return verified.mock.calls.length
    }
    for (const token of tokens) await use(token)
    expect(await use(tokens[1000])).toBe(1001)
    expect(await use(tokens[0])).toBe(1002)
  })

  it('of another project is refused with both ids', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const headers = { 'x-stack-project-id': 'internal', 'x-stack-publishable-client-key': internalKey }
    const answer = await world.ask('GET /projects/current', { accessToken, headers })
    const ids = { expected_project_id: 'internal', actual_project_id: projectId }
    expect(expectRefusal(answer, 'INVALID_PROJECT_FOR_ACCESS_TOKEN')).toEqual(ids)
  })

  it('with another signature is unparsable', async () => {
    const world = wireWorld()
    const { access_token: token } = await signInAda(world)
    const other = await signInAda(wireWorld())
    const [head, claims] = token.split('.')
    const forged = [head, claims, other.access_token.split('.')[2]].join('.')
    expectRefusal(await world.ask('GET /', { accessToken: forged }), 'UNPARSABLE_ACCESS_TOKEN')
  })

  it('under an unknown branch counts as none', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const read = (branch: string) =>
      world.ask('GET /users/me', { accessToken, headers: { 'x-stack-branch-id': branch } })
    expect((await read('main')).body.id).toBe(ada.id)
    expectRefusal(await read('dev'), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
  })

  it('of a deleted user counts as none', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    await world.ask('DELETE /users/me', { access: 'server', accessToken })
    expectRefusal(await world.ask('GET /users/me', { accessToken }), 'CANNOT_GET_OWN_USER_WITHOUT_USER')
    expect((await world.ask('GET /projects/current', { accessToken })).status).toBe(200)
  })
})

describe('the welcome page', () => {
  it('says so without a caller, and takes no query', async () => {
    const { ask, platform } = wireWorld()
    expect((await ask('GET /', { access: null })).text).toContain('Access type: none\nProject id: none\nUser: none')
    const request = new Request(`${platform.options.baseUrl}/api/v1?a=1`, { headers: keysFor(platform, 'client') })
    expectRefusal(await toAnswer(await platform.fetch(request)), 'SCHEMA_ERROR')
  })
})
