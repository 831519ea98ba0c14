import { requests } from './request-world'
import { grace } from '../world'

describe('an app of one request', () => {
  // Promise: request-app-members
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
