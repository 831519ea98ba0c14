import { cookieTokens, createClientApp, createKit, memoryTokens, type ClientOptions, type TokenSource } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp } from 'rxauth/server'
import { invalid, local } from './mistaken-calls'

describe('a kit', () => {
  it('without options says what it needs', () => {
    expect(() => createClientApp(undefined as never)).toThrow(invalid('options'))
    expect(() => createClientApp(undefined as never)).toThrow(/cookieTokens\(\)/)
  })

  it.each<[what: string, tokens: unknown, says: RegExp]>([
    ['a name', 'cookie', /is not a token store; pass .*cookieTokens\(\)/],
    ['nothing', undefined, /is missing; pass .*cookieTokens\(\)/],
    ['null', null, /; pass .*cookieTokens\(\)/],
    ['tokens', { accessToken: null, refreshToken: 'refresh-1' }, /is not a token store/],
    ['a function that is not called', cookieTokens, /call it: cookieTokens\(\), not cookieTokens/],
    ['an object that is no store', {}, /is not a token store/],
  ])('with %s for a token store says so', (_, tokens, says) => {
    const make = () => createKit({ ...local, tokens } as ClientOptions)
    expect(make).toThrow(invalid('tokens'))
    expect(make).toThrow(says)
  })

  it.each<[what: string, tokens: unknown]>([
    ['headers', new Headers({ cookie: 'a=b' })],
    ['cookies', { cookie: 'a=b' }],
    ['a request', new Request('http://app.test')],
    ['nothing', undefined],
  ])('of a request with %s for tokens is told to take requestTokens(request), and no store of a page', (_, tokens) => {
    const make = () => createServerApp(local).withTokens(tokens as TokenSource)
    expect(make).toThrow(invalid('tokens'))
    expect(make).toThrow(/; write withTokens\(requestTokens\(request\)\)$/)
    expect(make).not.toThrow(/cookieTokens|memoryTokens/)
  })

  it.each<[caller: string, make: (options: object) => unknown]>([
    ['createKit', options => createKit({ tokens: memoryTokens(), ...options })],
    ['createClientApp', options => createClientApp({ tokens: memoryTokens(), ...options })],
    ['createServerApp', options => createServerApp({ secretServerKey: 'ssk', ...options })],
    ['createAdminApp', options => createAdminApp({ secretServerKey: 'ssk', superSecretAdminKey: 'sak', ...options })],
  ])('without a project names the function that was called: %s', (caller, make) => {
    const message = new RegExp(`projectId is missing .* pass it to ${caller}\\(\\), or set .*npx rxauth dev -- `)
    expect(() => make({ baseUrl: 'https://auth.example.com' })).toThrow(message)
  })

  it.each(['http://localhost:8102/api/v1', 'https://auth.example.com/api/v1/'])('refuses the base %s', baseUrl => {
    expect(() => createKit({ baseUrl, projectId: 'p', tokens: memoryTokens() })).toThrow(/ends in \/api\/v1/)
  })
})
