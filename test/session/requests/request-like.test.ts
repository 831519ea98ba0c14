import { cookieTokens, requestTokens, systemClock, type RequestLike, type Tokens, type TokenStore } from 'rxauth'
import { hostsOf } from '../../../src/session/requests/request-like'
import { accessTokenText } from '../access-token-text'
import { kindsOfPromise } from '../foreign'
import { cookie, first, projectId, storeOf } from '../request-world'

describe('requestTokens reads', () => {
  it.each<[string, RequestLike]>([
    ['a fetch Request', new Request('https://app.example', { headers: { cookie } })],
    ['a Node request', { headers: { cookie } }],
    ['headers that list their values', { headers: { cookie: cookie.split('; ') } }],
    ['headers with names in capitals', { headers: { Cookie: cookie } }],
  ])('the cookies of %s', (_, request) => {
    expect(storeOf(request).read()).toEqual(first)
  })

  it('cookies that the browser’s own store has written', () => {
    const written: string[] = []
    const source = cookieTokens()
    const host = {
      cookies: { get: () => written.join('; '), set: (text: string) => written.push(text.split(';')[0]!) },
    }
    const browser = typeof source === 'function' ? source({ projectId, clock: systemClock, host }) : source
    expect(browser.replace(null, first)).toBe(true)
    expect(storeOf({ headers: { cookie: written.join('; ') } }).read()).toEqual(first)
  })

  it('no access token that was written with another refresh token', () => {
    expect(storeOf({ headers: { cookie: cookie.replace('=refresh-1', '=refresh-2') } }).read()).toEqual({
      accessToken: null,
      refreshToken: 'refresh-2',
    })
  })

  // Promise: tokens-of-a-request
  it('the x-stack-auth header before the cookies', () => {
    const given = { accessToken: null, refreshToken: 'given' }
    expect(storeOf({ headers: { cookie, 'x-stack-auth': JSON.stringify(given) } }).read()).toEqual(given)
  })

  const bearer = { authorization: `Bearer ${accessTokenText({ sub: 'user-2', refreshTokenId: 'session-2' })}` }
  const ofBearer = { accessToken: bearer.authorization.slice(7), refreshToken: null }

  // Promise: tokens-of-a-request
  it.each<[string, Record<string, string>, Tokens | null]>([
    ['by itself', bearer, ofBearer],
    ['before the cookies', { ...bearer, cookie }, ofBearer],
    ['after x-stack-auth', { ...bearer, 'x-stack-auth': JSON.stringify(first), cookie }, first],
    ['in any case of its scheme', { authorization: bearer.authorization.replace('B', 'b') }, ofBearer],
    ['and no user where it is none of the platform', { authorization: 'Bearer mine', cookie }, null],
    ['and the cookies beside another scheme', { authorization: 'Basic YTpi', cookie }, first],
    ['and the cookies where it is empty', { authorization: 'Bearer ', cookie }, first],
  ])('the access token in Authorization: Bearer %s', (_, headers, tokens) => {
    expect(storeOf({ headers }).read()).toEqual(tokens)
    expect(storeOf({ headers: new Headers(headers) }).read()).toEqual(tokens)
  })

  it.each<[number, boolean]>([
    [8192, true],
    [8193, false],
  ])('an access token of %i characters in Authorization: Bearer: %s', (length, isRead) => {
    const shortest = accessTokenText({ padding: '' }).length
    // Base64 has four characters for three.
    const padded = accessTokenText({ padding: 'x'.repeat(Math.floor(((length - shortest) * 3) / 4)) })
    const token = padded.padEnd(length, 'x')
    expect(token).toHaveLength(length)
    const tokens = storeOf({ headers: { authorization: `Bearer ${token}` } }).read()
    expect(tokens).toEqual(isRead ? { accessToken: token, refreshToken: null } : null)
  })

  const beyondHeaders = { accessToken: first.accessToken!.replace('signature', 'ü'), refreshToken: 'ü' }

  it.each(['text', '{', '[]', '5', 'null', '{"accessToken":7,"refreshToken":[]}', JSON.stringify(beyondHeaders)])(
    'no session from the header x-stack-auth: %s, nor that of the cookies beside it',
    text => {
      expect(storeOf({ headers: { cookie, 'x-stack-auth': text } }).read()).toBeNull()
    },
  )

  it.each(['Bearer {', 'Bearer a b', 'Bearer a, Bearer b', 'bearer\t{'])(
    'no session from the header authorization: %j, nor that of the cookies beside it',
    authorization => {
      expect(storeOf({ headers: { cookie, authorization } }).read()).toBeNull()
      expect(storeOf({ headers: new Headers({ cookie, authorization }) }).read()).toBeNull()
    },
  )

  it.each(['%00', 'a%00b', '%E2%9C%93', 'a%0Ab', 'x'.repeat(8193)])(
    'no session from a refresh token in a cookie that is no token: %j',
    text => {
      expect(storeOf({ headers: { cookie: `stack-refresh-${projectId}=${text}` } }).read()).toBeNull()
    },
  )

  it.each(kindsOfPromise)('no headers that are a promise of %s, with an error', (_, later) => {
    const headers = later(() => new Headers({ cookie })) as never
    expect(() => storeOf({ headers })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('await it') as string }),
    )
  })

  it('no session without headers', () => {
    expect(storeOf({ headers: {} }).read()).toBeNull()
    expect(storeOf({ headers: { cookie: 'stack-access=broken%; x' } }).read()).toBeNull()
  })

  it.each<unknown>([7, true, {}, { join: 1 }, [null], [7], () => cookie])(
    'no session, and no error, where a value is no text: %p',
    value => {
      for (const name of ['cookie', 'x-stack-auth', 'authorization', 'host', 'origin', 'sec-fetch-site'])
        expect(storeOf({ headers: { [name]: value } as never }).read()).toBeNull()
    },
  )

  it('each request once, however often it is called', () => {
    const request = { headers: { cookie } }
    expect(storeOf(request)).toBe(storeOf(request))
    expect(storeOf(request)).not.toBe(storeOf({ headers: { cookie } }))
  })

  it('each request once, however its headers are wrapped', () => {
    const { headers } = new Request('https://app.example', { headers: { cookie } })
    expect(storeOf({ headers })).toBe(storeOf({ headers }))
  })

  it('projects of one site apart', () => {
    const source = requestTokens({ headers: { cookie } }) as (context: object) => TokenStore
    expect(source({ projectId }).read()).toEqual(first)
    expect(source({ projectId: 'project-2' }).read()).toBeNull()
  })
})

it('the first of several hosts that proxies list is the one in the address of the browser', () => {
  const inText = { 'x-forwarded-host': 'app.example.com, proxy.internal' }
  const inList = { 'x-forwarded-host': ['app.example.com', 'proxy.internal'] }
  for (const headers of [inText, inList, new Headers(inText)]) expect(hostsOf({ headers })).toEqual(['app.example.com'])
})

it('no host is named by a request without headers of hosts', () => {
  expect(hostsOf({ headers: {} })).toEqual([])
  expect(hostsOf({ headers: new Headers(), url: '/page' })).toEqual([])
})
