import { createClientApp, memoryTokens, orThrow } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform, virtualClock } from 'rxauth/platform'
import type { AnsweredRequest } from 'rxauth/platform'
import { localProject } from '../../src/core/local-project'
import { ada, ask, signInAda, team, wireWorld } from './wire-world'

const credentials = { email: ada.email, password: ada.password }

describe('creating a platform', () => {
  const { NODE_ENV } = process.env
  afterEach(() => Object.assign(process.env, { NODE_ENV }))

  it('is refused in production', () => {
    Object.assign(process.env, { NODE_ENV: 'production' })
    expect(() => createPlatform()).toThrow('NODE_ENV=production')
  })

  it('works without any options', async () => {
    const platform = createPlatform()
    expect(platform.options).toMatchObject(localProject)
    expect((await ask(platform, 'GET /projects/current')).body.id).toBe(localProject.projectId)
  })

  it('gives each level its keys', async () => {
    const { adminOptions, fetch } = createPlatform()
    const { baseUrl, projectId, secretServerKey, superSecretAdminKey } = adminOptions
    for (const headers of [
      { 'x-stack-access-type': 'server', 'x-stack-secret-server-key': secretServerKey },
      { 'x-stack-access-type': 'admin', 'x-stack-super-secret-admin-key': superSecretAdminKey },
    ]) {
      const request = new Request(`${baseUrl}/api/v1`, { headers: { 'x-stack-project-id': projectId, ...headers } })
      expect((await fetch(request)).status).toBe(200)
    }
  })
})

describe('seeding', () => {
  it('adds users and teams and changes the project', async () => {
    const world = wireWorld({ seed: {} })
    await world.platform.seed({
      project: { displayName: 'Shop', config: { clientUserDeletionEnabled: true } },
      users: [ada],
      teams: [{ ...team, members: [{ email: ada.email }] }],
    })
    expect((await world.ask('GET /projects/current')).body).toMatchObject({
      display_name: 'Shop',
      config: { client_user_deletion_enabled: true, sign_up_enabled: true },
    })
    const { access_token: accessToken } = await signInAda(world)
    const { body } = await world.ask('PATCH /users/me', { accessToken, body: { selected_team_id: team.id } })
    expect(body.selected_team.display_name).toBe('Analytical')
  })

  it('adds owners, who sign in to the project internal and run the project', async () => {
    const owner = { email: 'mary@example.com', password: 'correct horse', displayName: 'Mary' }
    const platform = createPlatform({ seed: { owners: [owner] } })
    const app = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens() })
    orThrow(await app.signInWithPassword({ email: owner.email, password: owner.password }))
    const owned = await app.ownedProjects$.get()
    expect(owned.map(({ id }) => id)).toEqual([platform.options.projectId])
    const admin = createAdminApp({ owner: app, projectId: platform.options.projectId })
    expect(await admin.users$().get()).toEqual({ items: [], nextCursor: null })
  })

  it('is done before the first request is answered', async () => {
    expect((await signInAda(wireWorld())).access_token).toMatch(/^ey/)
  })

  it.each([
    ['an address twice', { users: [ada, { email: 'ADA@example.com' }] }, 'exists already'],
    [
      'a member who is not there',
      { teams: [{ ...team, members: [{ email: 'x@example.com' }] }] },
      'no user with the e-mail address "x@example.com"',
    ],
    ['a password without an address', { users: [{ password: 'x' }] }, 'needs an e-mail address'],
    ['another project id', { project: { id: 'x' } }, 'already has the id'],
  ])('refuses %s with a clear message', async (_, seed, message) => {
    await expect(wireWorld({ seed: {} }).platform.seed(seed)).rejects.toThrow(message)
  })

  it('that fails at the start makes requests reject', async () => {
    const { ask } = wireWorld({ seed: { users: [ada, ada] } })
    await expect(ask('GET /')).rejects.toThrow('exists already')
  })
})

describe('tokensFor', () => {
  it('gives a store with a real session of the user', async () => {
    const world = wireWorld()
    const tokens = await world.platform.tokensFor('Ada@Example.com')
    const held = tokens.read()
    expect((await world.ask('GET /users/me', { accessToken: held?.accessToken })).body.id).toBe(ada.id)
    const headers = { 'x-stack-refresh-token': held?.refreshToken ?? '' }
    expect((await world.ask('POST /auth/sessions/current/refresh', { headers })).status).toBe(200)
  })

  it('replaces its tokens only if they are unchanged', async () => {
    const tokens = await wireWorld().platform.tokensFor(ada.email)
    const held = tokens.read()
    expect(tokens.replace({ accessToken: null, refreshToken: 'other' }, null)).toBe(false)
    expect(tokens.read()).toBe(held)
    expect([tokens.replace(held, null), tokens.read()]).toEqual([true, null])
    expect([tokens.replace(null, held), tokens.read()]).toEqual([true, held])
  })

  it('rejects if no user has the address', async () => {
    await expect(wireWorld().platform.tokensFor('x@example.com')).rejects.toThrow(
      'there is no user with the e-mail address "x@example.com"; seed one, or sign up first',
    )
  })
})

describe('requests$', () => {
  it('emits every request with its true status', async () => {
    const { ask, platform } = wireWorld()
    const seen: AnsweredRequest[] = []
    platform.requests$.subscribe({ next: request => seen.push(request) })
    await ask('GET /users/me', { headers: { 'x-stack-override-error-status': 'true' } })
    await ask('PUT /nothing?a=1', { access: null })
    expect(seen).toEqual([
      { method: 'GET', path: '/users/me', access: 'client', status: 400 },
      { method: 'PUT', path: '/nothing', access: 'none', status: 404 },
    ])
  })
})

describe('snapshot and restore', () => {
  it('restore all data, also through JSON', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const snapshot = JSON.parse(JSON.stringify(world.platform.snapshot())) as object
    await world.ask('DELETE /users/me', { access: 'server', accessToken })
    world.platform.restore(snapshot)
    expect((await world.ask('GET /users/me', { accessToken })).body.id).toBe(ada.id)
  })

  it('do not change with later writes', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const snapshot = world.platform.snapshot()
    const before = JSON.stringify(snapshot)
    await world.ask('PATCH /users/me', { accessToken, body: { display_name: 'Countess' } })
    expect(JSON.stringify(snapshot)).toBe(before)
  })

  it('are refused while the seed is being planted, and for invalid snapshots', async () => {
    const { platform } = wireWorld()
    expect(() => platform.snapshot()).toThrow('still being planted')
    await platform.seed({})
    expect(() => platform.restore({})).toThrow('this is no snapshot of a local platform')
  })
})

describe('a fork', () => {
  it('has the data of the original, and changes independently', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const fork = world.platform.fork()
    await ask(fork, 'PATCH /users/me', { accessToken, body: { display_name: 'Countess' } })
    expect((await ask(fork, 'GET /users/me', { accessToken })).body.display_name).toBe('Countess')
    expect((await world.ask('GET /users/me', { accessToken })).body.display_name).toBe('Ada')
  })

  it('may be made before the seed is planted', async () => {
    const fork = wireWorld().platform.fork()
    expect((await ask(fork, 'POST /auth/password/sign-in', { body: credentials })).status).toBe(200)
  })

  it('has streams and faults of its own', async () => {
    const { platform } = wireWorld()
    platform.faults.every('*', { status: 500 })
    const fork = platform.fork()
    const seen: number[] = []
    platform.requests$.subscribe({ next: ({ status }) => seen.push(status) })
    expect((await ask(fork, 'GET /')).status).toBe(200)
    expect(seen).toEqual([])
  })
})

describe('a disposed platform', () => {
  it('completes its streams and refuses later requests', async () => {
    const { ask, platform } = wireWorld()
    const ended: string[] = []
    platform.mail$.subscribe({ complete: () => ended.push('mail$') })
    platform.requests$.subscribe({ complete: () => ended.push('requests$') })
    const waiting = platform.mailbox(ada.email).next()
    platform.dispose()
    expect(ended).toEqual(['mail$', 'requests$'])
    await expect(waiting).rejects.toThrow('disposed')
    await expect(ask('GET /')).rejects.toThrow('disposed')
  })
})

describe('the fetch of its options', () => {
  const { fetch, baseUrl } = createPlatform({ clock: virtualClock() }).options

  it('takes the same arguments as the real one', async () => {
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
    expect((await fetch(new URL(`${baseUrl}/health`), { credentials: 'omit', cache: 'no-store' })).status).toBe(200)
    expect((await fetch(new Request(`${baseUrl}/health`))).status).toBe(200)
  })

  it('rejects with the reason when it is aborted before', async () => {
    const reason = new Error('enough')
    await expect(fetch(`${baseUrl}/health`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('rejects with the reason when it is aborted while the answer is held back', async () => {
    const { platform } = wireWorld()
    platform.faults.next('GET /', { delayMillis: 1000 })
    const abort = new AbortController()
    const answer = platform.options.fetch(`${baseUrl}/api/v1`, { signal: abort.signal })
    const reason = { why: 'enough' }
    abort.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
})
