import { createPlatform, type AnsweredRequest } from 'rxauth/platform'
import { localProject } from '../../src/core/defaults'
import { ada, ask, signInAda, wireWorld } from './wire-world'

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
