import { createClientApp, memoryTokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp } from 'rxauth/server'
import type { RequestApp } from 'rxauth/server'
import { ada, grace, world } from '../world'

/** A server app, and a function that creates apps of its requests. */
async function requests() {
  const one = await world()
  const server = createServerApp(one.platform.serverOptions)
  return { ...one, server, request: async (person = ada) => server.withTokens(await one.tokensOf(person)) }
}

const kindOf = (member: unknown) => (typeof member === 'object' && member ? member.constructor.name : typeof member)

describe('an app of one request', () => {
  it.each([
    ['a server app', 'server'],
    ['an admin app', 'admin'],
  ] as const)('of %s has every member of the apps that are made once', async (_what, level) => {
    const { platform, tokensOf } = await requests()
    const maker = level === 'server' ? createServerApp(platform.serverOptions) : createAdminApp(platform.adminOptions)
    const app = maker.withTokens(await tokensOf(ada)) as RequestApp & Record<string, unknown>
    const client = createClientApp({ ...platform.options, tokens: memoryTokens() })
    const once: Record<string, unknown> = { ...createServerApp(platform.serverOptions), ...client }
    const isOfServersAlone = (name: string) => ['withTokens', 'verifyAccessToken', 'level'].includes(name)
    const names = Object.keys(once).filter(name => !isOfServersAlone(name))
    expect(names.length).toBeGreaterThan(150)
    expect(names.filter(name => !(name in app) || kindOf(app[name]) !== kindOf(once[name]))).toEqual([])
    expect(app.level).toBe(level)
    expect(client.level).toBe('client')
  })

  it('binds only the members that are used', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const before = Object.keys(app)
    expect(before.length).toBeLessThan(4)
    expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
    expect(Object.keys(app)).toEqual([...before, 'user$'])
  })

  it('has one store by each name, which can be taken out of it, and nothing in common with another one', async () => {
    const { request, settled } = await requests()
    const [first, second] = [await request(), await request(grace)]
    const { user$, updateUser } = first
    expect(first.user$).toBe(user$)
    expect(second.user$).not.toBe(user$)
    expect(first.updateUser).toBe(updateUser)
    expect(second.updateUser).not.toBe(updateUser)
    await settled(updateUser({ displayName: 'Countess' }))
    const names = await settled(Promise.all([user$.get(), second.user$.get()]))
    expect(names.map(user => user?.displayName)).toEqual(['Countess', 'Grace'])
  })

  it('takes the member of a test', async () => {
    const { request } = await requests()
    const [app, other] = [await request(), await request()]
    const fake = jest.fn(() => Promise.resolve())
    Object.assign(app, { signOut: fake })
    await app.signOut()
    expect(fake).toHaveBeenCalledTimes(1)
    expect(other.signOut).not.toBe(fake)
    const spy = jest.spyOn(other, 'deleteUser').mockResolvedValue(undefined)
    await other.deleteUser()
    expect(spy).toHaveBeenCalledTimes(1)
  })

  it('gives its members also where it is frozen', async () => {
    const { request, settled } = await requests()
    const app = Object.freeze(await request())
    expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
    expect((await settled(app.updateUser({ displayName: 'Countess' }))).displayName).toBe('Countess')
    expect(() => Object.assign(app, { signOut: () => Promise.resolve() })).toThrow(TypeError)
  })

  it('lists its members in a loop, used or not, each once', async () => {
    const { request } = await requests()
    const app = await request()
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    const names: string[] = []
    for (const name in app) names.push(name)
    expect(names).toEqual([...new Set(names)])
    expect(names).toEqual(expect.arrayContaining(['user$', 'teams$', 'users$', 'auth$', 'derive', 'level']))
  })
})
