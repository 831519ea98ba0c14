import type { ClientApp, State } from 'rxauth'
import { slowTokens } from '../../session/slow-tokens'
import { ada, grace, world } from '../../world'

const states: [name: string, state$: (app: ClientApp) => State<unknown>][] = [
  ['auth$', app => app.auth$],
  ['flow$', app => app.flow$],
  ['tokens$', app => app.tokens$],
]

describe.each(states)('%s', (_name, state$) => {
  // Promise: states-emit-at-once
  it('emits its value at once to every subscriber, and completes with the kit', async () => {
    const { app, clock } = await world()
    for (const millis of [0, 1000]) {
      await clock.advance(millis)
      const seen: unknown[] = []
      const done = jest.fn()
      state$(app).subscribe({ next: value => seen.push(value), complete: done })
      expect(seen).toEqual([state$(app).value])
      expect(seen[0]).toBe(state$(app).value)
      expect(done).not.toHaveBeenCalled()
    }
    const done = jest.fn()
    state$(app).subscribe({ complete: done })
    app.dispose()
    expect(done).toHaveBeenCalledTimes(1)
    const failed = jest.fn()
    state$(app).subscribe({ error: failed })
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'DISPOSED' }))
  })

  // Promise: states-emit-at-once
  it('emits each different value once, which is its value at that moment', async () => {
    const { app, clock, inTime, settled } = await world()
    const seen: unknown[] = []
    state$(app).subscribe(value => {
      expect(state$(app).value).toBe(value)
      seen.push(value)
    })
    await clock.advance(0)
    await settled(app.signOut())
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await inTime(app.user$.refresh())
    await clock.advance(0)
    expect(seen.length).toBeGreaterThan(1)
    for (const [index, value] of seen.slice(1).entries()) expect(value).not.toEqual(seen[index])
    expect(seen.at(-1)).toBe(state$(app).value)
  })

  // Promise: states-emit-at-once
  it('has its value of the present session without a subscriber', async () => {
    const { app, settled } = await world()
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const before = state$(app).value
    await settled(app.signOut())
    expect(state$(app).value).not.toEqual(before)
  })
})

describe('tokens$ of an asynchronous token store', () => {
  // Promise: states-emit-at-once
  it('is undefined until the store is read, then has the tokens', async () => {
    const { clock, newApp } = await world()
    const { tokens$ } = newApp({ tokens: slowTokens(clock, 100).store })
    expect(tokens$.value).toBeUndefined()
    await clock.advance(100)
    expect(tokens$.value).toBeNull()
  })
})

it('tokens$ reads a synchronous store when its value is read', async () => {
  const { newApp, tokensOf } = await world()
  const tokens = await tokensOf(ada)
  expect(newApp({ tokens }).tokens$.value).toEqual({
    accessToken: expect.any(String) as string,
    refreshToken: expect.any(String) as string,
  })
})
