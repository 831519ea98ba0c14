import { cookieTokens, createKit, memoryTokens, requestTokens, systemClock } from 'rxauth'
import type { ClientOptions } from 'rxauth'
import { world } from './world'

describe('the token store of a kit', () => {
  it.each<[string, Partial<ClientOptions>]>([
    ['left out', {}],
    ['undefined', { tokens: undefined as never }],
    ['null', { tokens: null as never }],
    ['tokens instead of a store', { tokens: { accessToken: null, refreshToken: 'refresh-1' } as never }],
    ['a word', { tokens: 'memory' as never }],
  ])('is refused when the kit is made, not when it is used: %s', (_, tokens) => {
    const make = () => createKit({ baseUrl: 'http://localhost', ...tokens } as ClientOptions)
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'tokens' }) }),
    )
  })

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
