import type { CookieHeaders, CookieWrite, RequestLike, Tokens } from 'rxauth'
import { cookie, first, projectId, storeOf } from '../request-world'
import { accessTokenText } from '../access-token-text'
import { kindsOfPromise } from '../foreign'

describe('requestTokens writes', () => {
  const rendering = new Error('cookies can be set in an action only')
  const refuse = () => {
    throw rendering
  }
  const next: Tokens = { accessToken: accessTokenText({ iat: 2 }), refreshToken: 'refresh-2' }

  it('the cookies of new tokens, the pair before the refresh token', () => {
    const written: CookieWrite[] = []
    const store = storeOf({ headers: { cookie, 'x-forwarded-proto': 'https' } }, one => written.push(one))
    expect(store.replace(first, next)).toBe(true)
    const options = { path: '/', sameSite: 'lax', secure: true }
    expect(written).toEqual([
      {
        name: 'stack-access',
        value: JSON.stringify([next.refreshToken, next.accessToken]),
        options: { ...options, maxAge: 86_400 },
      },
      { name: `stack-refresh-${projectId}`, value: 'refresh-2', options: { ...options, maxAge: 31_536_000 } },
    ])
  })

  it('deletions when the session has ended, the refresh token first', () => {
    const written: CookieWrite[] = []
    const store = storeOf({ headers: { cookie: `${cookie}; stack-refresh=old` } }, one => written.push(one))
    expect(store.replace(first, null)).toBe(true)
    expect(written.map(({ name, options }) => [name, options.maxAge])).toEqual([
      [`stack-refresh-${projectId}`, 0],
      ['stack-access', 0],
      ['stack-refresh', 0],
    ])
  })

  const notCached = { 'cache-control': 'private, no-store', vary: 'Cookie' }

  // Promise: cookies-are-not-cached
  it('with each cookie the headers that keep caches from storing it, deletions included', () => {
    const given: CookieHeaders[] = []
    const header = `${cookie}; stack-refresh=old; __Host-stack-refresh-${projectId}--default=x`
    const store = storeOf({ headers: { cookie: header } }, (_, headers) => given.push(headers))
    expect(store.replace(first, next)).toBe(true)
    const set = given.splice(0)
    expect(store.replace(next, null)).toBe(true)
    expect(set.length).toBeGreaterThan(2)
    expect(given.length).toBeGreaterThan(2)
    expect(new Set([...set, ...given].map(headers => JSON.stringify(headers)))).toEqual(
      new Set([JSON.stringify(notCached)]),
    )
  })

  // Promise: tokens-of-a-request
  it('no deletion of the cookies beside an access token in Authorization', () => {
    const names: string[] = []
    const token = accessTokenText({ refreshTokenId: 'session-2' })
    const request = { headers: { cookie, authorization: `Bearer ${token}` } }
    const store = storeOf(request, ({ name }) => names.push(name))
    const given = { accessToken: token, refreshToken: null }
    expect(store.replace(given, null)).toBe(true)
    expect([store.read(), names]).toEqual([null, []])
    // The session that begins in this request is in the cookies, so that it also ends there.
    expect(store.replace(null, next)).toBe(true)
    expect(store.replace(next, null)).toBe(true)
    const both = ['stack-access', `stack-refresh-${projectId}`]
    expect(names).toEqual([...both, ...[...both].reverse()])
  })

  it.each([
    [
      'before',
      (request: RequestLike, write: (cookie: CookieWrite) => void) => [storeOf(request, write), storeOf(request)],
    ],
    [
      'after',
      (request: RequestLike, write: (cookie: CookieWrite) => void) => [storeOf(request), storeOf(request, write)],
    ],
  ])('for all callers %s one has passed `write`', (_, ask) => {
    const names: string[] = []
    const stores = ask({ headers: { cookie } }, one => names.push(one.name))
    const newer = { ...first, accessToken: next.accessToken }
    expect(stores[0]!.replace(first, newer)).toBe(true)
    expect(stores[1]!.replace(newer, next)).toBe(true)
    const both = ['stack-access', `stack-refresh-${projectId}`]
    expect(names).toEqual([...both, ...both])
  })

  it('in the order of replacements, each change complete before the next', () => {
    const written: string[] = []
    const store = storeOf({ headers: { cookie } }, ({ name, options }) => written.push(`${name} ${options.maxAge}`))
    void store.replace(first, null)
    void store.replace(null, next)
    const refresh = `stack-refresh-${projectId}`
    expect(written).toEqual([`${refresh} 0`, 'stack-access 0', 'stack-access 86400', `${refresh} 31536000`])
  })

  it('a new access token only to itself without `write`', () => {
    const store = storeOf({ headers: { cookie } })
    const newer = { ...first, accessToken: next.accessToken }
    expect(store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
    expect(store.replace(newer, null)).toBe(true)
    expect(store.read()).toBeNull()
  })

  it('a new access token, and the end of a session, only to itself if cookies cannot be set', () => {
    const store = storeOf({ headers: { cookie } }, refuse)
    const newer = { ...first, accessToken: next.accessToken }
    expect(store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
    expect(store.replace(newer, null)).toBe(true)
    expect(store.read()).toBeNull()
  })

  it('no new refresh token if cookies cannot be set, and keeps the framework’s error', () => {
    const store = storeOf({ headers: { cookie } }, refuse)
    expect(() => store.replace(first, next)).toThrow(
      expect.objectContaining({ code: 'TOKENS_UNAVAILABLE', cause: rendering }),
    )
    expect(store.read()).toEqual(first)
  })

  it.each(kindsOfPromise.filter(([kind]) => kind !== 'a library'))(
    'each cookie after the one before, with an asynchronous setter: a promise of %s',
    async (_, later) => {
      const written: string[] = []
      const store = storeOf({ headers: { cookie } }, ({ name }) => later(() => written.push(name)))
      const replaced = [first, next].map(async (held, index) => store.replace(held, index === 0 ? next : null))
      expect(store.read()).toEqual(first)
      expect(await Promise.all(replaced)).toEqual([true, true])
      const refresh = `stack-refresh-${projectId}`
      expect(written).toEqual(['stack-access', refresh, refresh, 'stack-access'])
      expect(store.read()).toBeNull()
    },
  )

  it('no new refresh token if the setter rejects, and a new access token only to itself', async () => {
    const store = storeOf({ headers: { cookie } }, () => Promise.reject(rendering))
    await expect(store.replace(first, next)).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE', cause: rendering })
    expect(store.read()).toEqual(first)
    const newer = { ...first, accessToken: next.accessToken }
    expect(await store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
  })

  it('without awaiting what a setter returns for chaining, like Fastify’s reply, which waits for the answer', () => {
    const reply = { then: () => undefined }
    const store = storeOf({ headers: { cookie } }, () => reply)
    expect(store.replace(first, next)).toBe(true)
  })

  it.each<[what: string, request: RequestLike, isSecure: boolean]>([
    ['a fetch Request by https', new Request('https://app.example/sign-in'), true],
    ['a fetch Request by http', new Request('http://app.example/?to=https://x.example'), false],
    ['a Node request by https', { url: '/sign-in', headers: {}, socket: { encrypted: true } }, true],
    ['a Node request by http', { url: '/sign-in', headers: {}, socket: {} }, false],
    ['a proxy that was asked by https', { url: 'http://inner/', headers: { 'x-forwarded-proto': 'https,http' } }, true],
    ['a proxy that was asked by http', { headers: { 'x-forwarded-proto': 'http' } }, false],
    ['a platform kit’s own note of https', { headers: { cookie: 'a=b; stack-is-https=true' } }, true],
    ['headers alone', { headers: {} }, false],
  ])('with Secure exactly if the browser has asked by https: %s', (_, request, isSecure) => {
    const written: CookieWrite[] = []
    const store = storeOf(request, one => written.push(one))
    expect(store.replace(null, next)).toBe(true)
    expect(written.map(({ options }) => options.secure)).toEqual([isSecure, isSecure])
  })

  it.each([
    ['of thousands of labels', 'a.'.repeat(3500) + 'example', 2],
    ['of a hundred labels', 'a.'.repeat(100) + 'example', 18],
    ['of a real app', 'shop.app.example.com:443', 8],
  ])('few deletions for each cookie of another kit under a host %s', (_, host, expected) => {
    const domains: (string | undefined)[] = []
    const header = `${cookie}; stack-refresh-${projectId}--custom-x=old`
    const store = storeOf({ headers: { cookie: header, 'x-forwarded-host': host } }, ({ name, options }) => {
      if (name.includes('--custom-')) domains.push(options.domain)
    })
    expect(store.replace(first, null)).toBe(true)
    expect(domains).toHaveLength(expected)
  })

  it('with Secure if any caller for the request knows of https', () => {
    const { headers } = new Request('https://app.example/')
    const written: CookieWrite[] = []
    const store = storeOf({ headers }, one => written.push(one))
    storeOf({ headers, url: 'https://app.example/' })
    expect(store.replace(null, next)).toBe(true)
    expect(written.map(({ options }) => options.secure)).toEqual([true, true])
  })

  it('no new refresh token without `write`: the browser would keep the old one', () => {
    const store = storeOf({ headers: { cookie } })
    expect(() => store.replace(first, next)).toThrow(expect.objectContaining({ code: 'TOKENS_UNAVAILABLE' }))
    expect(store.read()).toEqual(first)
  })
})
