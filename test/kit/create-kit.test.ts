import { cookieTokens, createKit, memoryTokens, requestTokens, systemClock, type ClientOptions } from 'rxauth'
import { ada, world } from '../world'

describe('the token store of a kit', () => {
  it('is the only one that it asks: kits over different stores on one machine know nothing of each other', async () => {
    const { app, newApp, settled } = await world()
    const cookies = { get: () => '', set: () => undefined }
    const others = [
      newApp({ tokens: memoryTokens() }),
      newApp({ tokens: requestTokens({ headers: {} }) }),
      newApp({ tokens: cookieTokens(), host: { cookies } }),
    ]
    expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
    for (const other of others) expect(await settled(other.user$.get())).toBeNull()
  })
})

it('a clock of an earlier version, which has wall time alone, is refused when the kit is made', () => {
  const { now, setTimeout, random } = systemClock
  const clock = { now, setTimeout, random } as ClientOptions['clock'] & {}
  expect(() => createKit({ baseUrl: 'http://localhost', tokens: memoryTokens(), clock })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('clock lacks monotonic()') }),
  )
})

describe('a limit or a period of a kit', () => {
  const make = (given: Partial<ClientOptions>) =>
    createKit({ baseUrl: 'http://localhost', tokens: memoryTokens(), ...given })

  it.each([0, -1, -Infinity, NaN, 2 ** 31, '30000', null])(
    'is refused when the kit is made if no timer can wait for it: %p',
    value => {
      const millis = value as number
      const [limit, period] = [
        () => make({ attemptTimeoutMillis: millis }),
        () => make({ refreshOn: { everyMillis: millis } }),
      ]
      if (value !== null)
        expect(limit).toThrow(
          expect.objectContaining({
            code: 'INVALID_INPUT',
            details: expect.objectContaining({ field: 'attemptTimeoutMillis' }),
          }),
        )
      expect(period).toThrow(
        expect.objectContaining({
          code: 'INVALID_INPUT',
          details: expect.objectContaining({ field: 'refreshOn.everyMillis' }),
        }),
      )
    },
  )

  it.each([1, 2 ** 31 - 1, Infinity, undefined])('may be %p', millis => {
    expect(() => make({ attemptTimeoutMillis: millis!, refreshOn: { everyMillis: millis! } })).not.toThrow()
  })

  it('of Infinity is none: an attempt is waited for as long as it takes, and nothing loads by itself', async () => {
    const { platform, clock, requests, newApp, tokensOf } = await world()
    const app = newApp({
      tokens: await tokensOf(ada),
      attemptTimeoutMillis: Infinity,
      refreshOn: { everyMillis: Infinity },
    })
    platform.faults.next('GET /users/me', { delayMillis: 3_600_000 })
    app.user$.subscribe()
    await clock.advance(3_600_000)
    expect(app.auth$.value.status).toBe('signed-in')
    await clock.advance(24 * 3_600_000)
    expect([requests, app.inspect().timers]).toEqual([['GET /users/me'], 0])
  })
})
