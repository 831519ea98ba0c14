import { createClientApp, memoryTokens } from 'rxauth'
import { bindings } from '../../src/kit/bind'
import * as definitions from '../../src/kit/client-members'
import { world } from '../world'

describe('the members of a client app', () => {
  it('are its own: they are listed, spread, taken apart and found', async () => {
    const { app } = await world()
    const names = Object.keys(app)
    expect(names).toEqual(expect.arrayContaining(['user$', 'teams$', 'signOut', 'auth$', 'fetch', 'level', 'dispose']))
    expect(names.length).toBeGreaterThan(80)
    const copy = { ...app }
    expect(Object.keys(copy)).toEqual(names)
    expect(copy.user$).toBe(app.user$)
    const { signOut, user$ } = app
    expect([typeof signOut, user$]).toEqual(['function', app.user$])
    expect(['user$' in app, 'ownedProjects$' in app, app.level]).toEqual([true, false, 'client'])
  })

  it('are the same at each access, and of each app others', async () => {
    const { app, newApp } = await world()
    const other = newApp()
    for (const name of ['user$', 'auth$', 'signOut', 'team$', 'derive'] as const) {
      expect(app[name]).toBe(app[name])
      expect(app[name]).not.toBe(other[name])
    }
  })

  it('are plain values, which a test may replace', async () => {
    const { app, settled } = await world()
    const spy = jest.spyOn(app, 'updateUser').mockResolvedValue(undefined as never)
    await app.updateUser({ displayName: 'Countess' })
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
    expect((await settled(app.user$.get()))?.displayName).toBe('Ada')

    const signOut = jest.fn()
    Object.assign(app, { signOut })
    void app.signOut()
    expect(signOut).toHaveBeenCalledTimes(1)

    const own = app.teams$
    const replaced = jest.replaceProperty(app, 'teams$', 'a stand-in' as never)
    expect(app.teams$).toBe('a stand-in')
    replaced.restore()
    expect(app.teams$).toBe(own)
    // What other libraries of tests look at.
    expect(Object.getOwnPropertyDescriptor(app, 'signInWithPassword')).toMatchObject({
      value: expect.any(Function) as unknown,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  })

  it('are found out once for all apps', () => {
    const members = bindings(definitions)
    createClientApp({ baseUrl: 'http://localhost:8102', tokens: memoryTokens() }).dispose()
    expect(bindings(definitions)).toBe(members)
  })
})
