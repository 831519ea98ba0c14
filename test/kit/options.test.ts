import { cookieTokens, createClientApp, createKit, memoryTokens } from 'rxauth'
import type { ClientOptions } from 'rxauth'
import { invalid, local } from './mistaken-calls'

describe('a kit', () => {
  it('without options says what it needs', () => {
    expect(() => createClientApp(undefined as never)).toThrow(invalid('options'))
    expect(() => createClientApp(undefined as never)).toThrow(/cookieTokens\(\)/)
  })

  it.each<[what: string, tokens: unknown, says: RegExp]>([
    ['a name', 'cookie', /is not a token store; pass .*cookieTokens\(\)/],
    ['nothing', undefined, /is missing; pass .*cookieTokens\(\)/],
    ['a function that is not called', cookieTokens, /call it: cookieTokens\(\), not cookieTokens/],
    ['an object that is no store', {}, /is not a token store/],
  ])('with %s for a token store says so', (_, tokens, says) => {
    const make = () => createKit({ ...local, tokens } as ClientOptions)
    expect(make).toThrow(invalid('tokens'))
    expect(make).toThrow(says)
  })

  it.each(['http://localhost:8102/api/v1', 'https://auth.example.com/api/v1/'])('refuses the base %s', baseUrl => {
    expect(() => createKit({ baseUrl, projectId: 'p', tokens: memoryTokens() })).toThrow(/ends in \/api\/v1/)
  })
})
