import { accessTokenText } from '../session/access-token-text'
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import manifest from '../../package.json'
import { localProject } from '../../src/core/defaults'
import { fetchOptions, headersOf } from '../../src/transport/headers'
import { ada, world } from '../world'
import { config } from './exchange'

const { email, password } = ada
const nonce = expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{45}$/)
const builtIn = {
  'x-stack-project-id': 'the-project',
  'x-stack-access-type': 'client',
  'x-stack-client-version': `js rxauth@${manifest.version}`,
  'x-stack-override-error-status': 'true',
  'x-stack-random-nonce': nonce,
  'x-stack-publishable-client-key': 'pck_the-key',
  'ngrok-skip-browser-warning': 'true',
}

/** An app that records every request as it goes to the network. */
async function recording(options: Parameters<typeof world>[0] = {}) {
  const requests: Request[] = []
  const one = await world(options)
  const { fetch } = one.platform.options
  const recorded: typeof fetch = (input, init) => {
    requests.push(new Request(input, init))
    return fetch(input, init)
  }
  return { ...one, requests, fetch: recorded }
}

describe('the headers of a request', () => {
  it('are these, without a session', () => {
    expect(Object.fromEntries(headersOf(config, 'client', null))).toEqual(builtIn)
  })

  it.each(['client', 'server', 'admin'] as const)('name the access type %s', access => {
    expect(headersOf(config, access, null).get('x-stack-access-type')).toBe(access)
  })

  it.each([
    [
      { accessToken: 'a', refreshToken: 'r' },
      { 'x-stack-access-token': 'a', 'x-stack-refresh-token': 'r' },
    ],
    [{ accessToken: 'a', refreshToken: null }, { 'x-stack-access-token': 'a' }],
    // A refresh token alone authenticates no user.
    [{ accessToken: null, refreshToken: 'r' }, {}],
  ])('carry of the tokens %j exactly %j', (tokens, added) => {
    expect(Object.fromEntries(headersOf(config, 'client', tokens))).toEqual({ ...builtIn, ...added })
  })

  it.each([
    [{ is_anonymous: true }, 'true'],
    [{ is_restricted: true }, 'true'],
    [{ is_anonymous: false, is_restricted: false }, null],
    [{}, null],
  ])('admit a user whose token says %j: %s', (claims, admitted) => {
    const tokens = { accessToken: accessTokenText(claims), refreshToken: 'r' }
    expect(headersOf(config, 'client', tokens).get('x-stack-allow-anonymous-user')).toBe(admitted)
  })

  it('have no publishable key unless one is configured', () => {
    const headers = headersOf({ ...config, publishableClientKey: null }, 'client', null)
    expect(headers.has('x-stack-publishable-client-key')).toBe(false)
  })

  it('of a level need its key', () => {
    expect(() => headersOf({ ...config, keys: {} }, 'server', null)).toThrow(/no key for it/)
  })

  it('have a fresh nonce each time', () => {
    const nonces = Array.from({ length: 1000 }, () => headersOf(config, 'client', null).get('x-stack-random-nonce'))
    expect(new Set(nonces).size).toBe(1000)
  })

  it.each(['X-Stack-Project-Id', 'x-stack-project-id', 'X-STACK-PROJECT-ID'])('let the extra header %s win', name => {
    const headers = headersOf({ ...config, extraHeaders: { [name]: 'mine', 'X-Other': 'too' } }, 'client', null)
    expect(Object.fromEntries(headers)).toEqual({ ...builtIn, 'x-stack-project-id': 'mine', 'x-other': 'too' })
  })

  it.each([
    ['x-stack-project-id', { projectId: 'a\nb-secret' }],
    ['x-stack-publishable-client-key', { publishableClientKey: '☃-secret' }],
    ['X Y', { extraHeaders: { 'X Y': 'secret' } }],
    ['x-y', { extraHeaders: { 'x-y': '\0secret' } }],
  ])('that cannot be sent are INVALID_INPUT with the name %s and without the value', (field, wrong) => {
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.not.stringContaining('secret'),
      details: expect.objectContaining({ field }),
    })
    expect(() => headersOf({ ...config, ...wrong }, 'client', null)).toThrow(refused)
  })
})

describe('a real request', () => {
  it('has every header on every request but the one to the token endpoint, which has none of them', async () => {
    const { newApp, tokensOf, platform, settled, clock, requests, fetch } = await recording()
    const { projectId, publishableClientKey } = platform.options
    const app = newApp({ tokens: await tokensOf(ada), fetch, extraHeaders: { 'X-Tenant': 'blue' } })
    await settled(app.user$.get())
    await settled(app.project$.get())
    await settled(app.updateUser({ displayName: 'Countess' }))
    // Past the life of the access token, so that the next call refreshes it.
    await clock.advance(600_000)
    await settled(app.user$.get())
    await settled(app.signOut())
    await settled(app.signInWithPassword({ email, password }))

    const common = {
      ...builtIn,
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': publishableClientKey,
      'x-tenant': 'blue',
    }
    const token = expect.stringMatching(/^eyJ/)
    const withTokens = { ...common, 'x-stack-access-token': token, 'x-stack-refresh-token': expect.any(String) }
    const json = { 'content-type': 'application/json' }
    const seen = requests.map(({ method, url, headers }) => [
      `${method} ${new URL(url).pathname}`,
      Object.fromEntries(headers),
    ])
    expect(seen).toEqual([
      ['GET /api/v1/users/me', withTokens],
      ['GET /api/v1/projects/current', common],
      ['PATCH /api/v1/users/me', { ...withTokens, ...json }],
      [
        'POST /api/v1/auth/oauth/token',
        { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' },
      ],
      ['GET /api/v1/users/me', withTokens],
      ['DELETE /api/v1/auth/sessions/current', withTokens],
      ['POST /api/v1/auth/password/sign-in', { ...common, ...json }],
    ])
    const nonces = requests.flatMap(({ headers }) => headers.get('x-stack-random-nonce') ?? [])
    expect(new Set(nonces).size).toBe(requests.length - 1)
    expect(requests.map(({ credentials, cache }) => [credentials, cache])).toEqual(
      requests.map(() => ['omit', 'no-store']),
    )
  })

  it('arrives so over HTTP, and the key set is fetched without these headers', async () => {
    const platform = createPlatform({ seed: { users: [ada] } })
    const requests: Request[] = []
    const { url, close } = await listen(
      { fetch: request => (requests.push(request), platform.fetch(request)) },
      { port: 0 },
    )
    const app = createClientApp({ baseUrl: `${url}//`, tokens: memoryTokens() })
    try {
      await app.signInWithPassword({ email, password })
      await app.user$.get()
      const keySet = await fetch(`${url}/api/v1/projects/${localProject.projectId}/.well-known/jwks.json`)
      expect(keySet.status).toBe(200)
    } finally {
      app.dispose()
      await close()
      platform.dispose()
    }
    const ours = requests.map(({ method, url, headers }) => ({
      line: `${method} ${new URL(url).pathname}`,
      headers: Object.fromEntries([...headers].filter(([name]) => /^(x-|ngrok|content-type)/.test(name))),
    }))
    const common = {
      ...builtIn,
      'x-stack-project-id': localProject.projectId,
      'x-stack-publishable-client-key': localProject.publishableClientKey,
    }
    const token = expect.stringMatching(/^eyJ/)
    expect(ours).toEqual([
      { line: 'POST /api/v1/auth/password/sign-in', headers: { ...common, 'content-type': 'application/json' } },
      {
        line: 'GET /api/v1/users/me',
        headers: { ...common, 'x-stack-access-token': token, 'x-stack-refresh-token': expect.any(String) },
      },
      { line: `GET /api/v1/projects/${localProject.projectId}/.well-known/jwks.json`, headers: {} },
    ])
  })
})

describe('the options of fetch', () => {
  afterEach(() => {
    delete (globalThis as { WebSocketPair?: unknown }).WebSocketPair
  })

  it('disable cookies and caches', () => {
    expect(fetchOptions()).toEqual({ credentials: 'omit', cache: 'no-store' })
  })

  it('are none on Cloudflare Workers, which refuse them', () => {
    Object.assign(globalThis, { WebSocketPair: () => undefined })
    expect(fetchOptions()).toEqual({})
  })
})
