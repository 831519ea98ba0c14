import { createPlatform } from 'rxauth/platform'
import { localProject } from '../../src/core/defaults'
import { ada, ask, wireWorld } from './wire-world'

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
})

describe('snapshot and restore', () => {
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
