import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { accessToken, authHeaders, createClientApp, isAuthError } from 'rxauth'
import type { ClientApp } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import type { PlatformOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp, requestAccessToken, tokenVerifier } from 'rxauth/server'
import type { VerifierOptions } from 'rxauth/server'
import { ada, world } from '../world'

const projectId = 'a-project'
const baseUrl = 'https://auth.example.com'
const issuer = `${baseUrl}/api/v1/projects/${projectId}`

interface Key {
  readonly publicKey: JWK
  sign(claims?: Readonly<Record<string, unknown>>, header?: object): Promise<string>
}

/** A hosted platform: keys that may be exchanged, and tokens signed with them. */
async function hosted(options: Partial<VerifierOptions> = {}) {
  const clock = virtualClock()
  const asked: string[] = []
  const state: { keys: readonly JWK[]; answer?: () => Promise<Response> } = { keys: [] }
  const fetch = async (input: RequestInfo | URL) => {
    const { href } = new URL(input as string)
    asked.push(href.slice(baseUrl.length))
    return state.answer ? state.answer() : Response.json({ keys: state.keys })
  }
  const now = () => Math.floor(clock.now() / 1000)
  const newKey = async (kid: string): Promise<Key> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    return {
      publicKey: { ...(await exportJWK(publicKey)), alg: 'ES256', kid },
      sign: (claims = {}, header = {}) => {
        const own = { aud: projectId, iss: issuer, sub: 'ada', iat: now(), exp: now() + 600, ...claims }
        return new SignJWT(own).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(privateKey)
      },
    }
  }
  const first = await newKey('first')
  state.keys = [first.publicKey]
  const verify = tokenVerifier({ projectId, baseUrl, fetch, clock, ...options })
  return { clock, asked, state, newKey, first, verify, now }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'good',
    (thrown: unknown) => thrown,
  )
  return isAuthError(error) ? error.code : String(error)
}

async function tokenOf(app: ClientApp): Promise<string> {
  const token = await accessToken(app)
  if (token === null) throw new Error('no user is signed in')
  return token
}

describe.each(['2.8.18', '2026'] as const)('a token of a platform of release %s', wire => {
  it('is verified in process, and names its user', async () => {
    const { platform, app, settled } = await world({
      platform: { wire, seed: { users: [{ ...ada, verified: true }] } },
    })
    const [session] = await settled(app.sessions$.get())
    const user = await settled(app.user$.get())
    const verified = await tokenVerifier(platform.options)(await settled(tokenOf(app)))
    expect(verified).toMatchObject({
      userId: user?.id,
      sessionId: session?.id,
      projectId: platform.options.projectId,
      isAnonymous: false,
      isRestricted: false,
      restrictedReason: null,
      user:
        wire === '2026'
          ? { displayName: 'Ada', primaryEmail: ada.email, primaryEmailVerified: true, signedUpAt: user?.signedUpAt }
          : null,
    })
    expect(verified.expiresAt.getTime() - (verified.issuedAt?.getTime() ?? 0)).toBe(600_000)
    expect(verified.claims['role']).toBe('authenticated')
  })

  it('is verified over HTTP, under every name of this machine', async () => {
    const { platform } = await world({ platform: { wire, seed: { users: [{ ...ada, verified: true }] } } })
    const server = await listen(platform, { port: 0 })
    try {
      const options = { projectId: platform.options.projectId, clock: platform.options.clock }
      const tokens = await platform.tokensFor(ada.email)
      const app = createClientApp({ ...options, tokens, baseUrl: server.url.replace('127.0.0.1', 'localhost') })
      const verify = tokenVerifier({ ...options, baseUrl: server.url })
      expect(await verify(await tokenOf(app))).toMatchObject({ sessionId: expect.any(String) as string })
    } finally {
      await server.close()
    }
  })
})

describe('a token', () => {
  it.each<[string, (key: Key, now: number) => Promise<string> | string | null, string]>([
    ['that is none', () => 'token', 'UNPARSABLE_ACCESS_TOKEN'],
    ['that is empty', () => '', 'UNPARSABLE_ACCESS_TOKEN'],
    ['that is missing', () => null, 'UNPARSABLE_ACCESS_TOKEN'],
    ['that is no text', () => 7 as never, 'UNPARSABLE_ACCESS_TOKEN'],
    ['of another project', key => key.sign({ aud: 'other' }), 'INVALID_PROJECT_FOR_ACCESS_TOKEN'],
    ['for several projects', key => key.sign({ aud: [projectId, 'other'] }), 'UNPARSABLE_ACCESS_TOKEN'],
    ['of another issuer', key => key.sign({ iss: issuer.replace('auth', 'evil') }), 'INVALID_ACCESS_TOKEN'],
    ['of a longer issuer', key => key.sign({ iss: `https://evil.example.com/${issuer}` }), 'INVALID_ACCESS_TOKEN'],
    [
      'of a local platform',
      key => key.sign({ iss: issuer.replace(baseUrl, 'http://localhost:8102') }),
      'INVALID_ACCESS_TOKEN',
    ],
    ['of no issuer', key => key.sign({ iss: undefined }), 'INVALID_ACCESS_TOKEN'],
    [
      'of an issuer for other users',
      key => key.sign({ iss: issuer.replace('projects', 'projects-anonymous-users') }),
      'INVALID_ACCESS_TOKEN',
    ],
    ['without a user', key => key.sign({ sub: undefined }), 'INVALID_ACCESS_TOKEN'],
    ['with an empty user', key => key.sign({ sub: '' }), 'UNPARSABLE_ACCESS_TOKEN'],
    ['that never expires', key => key.sign({ exp: undefined }), 'INVALID_ACCESS_TOKEN'],
    ['that is longer than any header', key => key.sign({ padding: 'x'.repeat(9000) }), 'UNPARSABLE_ACCESS_TOKEN'],
    ['of later', (key, now) => key.sign({ nbf: now + 60 }), 'INVALID_ACCESS_TOKEN'],
    ['that has expired', (key, now) => key.sign({ exp: now - 6 }), 'ACCESS_TOKEN_EXPIRED'],
    ['that has just expired', (key, now) => key.sign({ exp: now - 4 }), 'good'],
    ['that was changed', async key => forged(await key.sign(), { sub: 'grace' }), 'INVALID_ACCESS_TOKEN'],
    ['without a signature', async key => `${unsigned(await key.sign())}.`, 'INVALID_ACCESS_TOKEN'],
    ['signed with the public key as a password', key => hmacSigned(key.publicKey), 'INVALID_ACCESS_TOKEN'],
    ['of a key without a name', key => key.sign({}, { kid: undefined }), 'good'],
  ])('%s', async (_, make, code) => {
    const { verify, first, now } = await hosted()
    expect(await codeOf(verify(await make(first, now())))).toBe(code)
  })

  it('of another algorithm than the platform uses is refused, whatever keys there are', async () => {
    const { verify, state, now } = await hosted()
    const { publicKey, privateKey } = await generateKeyPair('EdDSA')
    state.keys = [{ ...(await exportJWK(publicKey)), kid: 'other' }]
    const token = await new SignJWT({ aud: projectId, iss: issuer, sub: 'ada', exp: now() + 600 })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'other' })
      .sign(privateKey)
    expect(await codeOf(verify(token))).toBe('INVALID_ACCESS_TOKEN')
  })

  it('reports in the error when it expired, and which projects differ', async () => {
    const { verify, first, now } = await hosted()
    const expiredAt = new Date((now() - 60) * 1000)
    await expect(verify(await first.sign({ exp: now() - 60 }))).rejects.toMatchObject({ details: { expiredAt } })
    await expect(verify(await first.sign({ aud: 'other' }))).rejects.toMatchObject({
      details: { expectedProjectId: projectId, actualProjectId: 'other' },
    })
  })

  it('is in no error', async () => {
    const { verify, first, now } = await hosted()
    for (const token of [forged(await first.sign(), { sub: 'eve' }), await first.sign({ exp: now() - 60 }), 'a.b.c']) {
      const error = (await verify(token).catch((thrown: unknown) => thrown)) as Error
      for (const part of token.split('.'))
        if (part.length > 1) expect(`${error.message} ${error.stack}`).not.toContain(part)
    }
  })

  it.each([
    [0, 1, 'ACCESS_TOKEN_EXPIRED'],
    [60_000, 59, 'good'],
    [60_000, 61, 'ACCESS_TOKEN_EXPIRED'],
  ])('with a tolerance of %i ms is, %i s after it expired: %s', async (clockToleranceMillis, seconds, code) => {
    const { verify, first, now } = await hosted({ clockToleranceMillis })
    expect(await codeOf(verify(await first.sign({ exp: now() - seconds })))).toBe(code)
  })

  it.each<[string, Partial<VerifierOptions>]>([
    ['in issuers', { issuers: ['https://public.example.com/'] }],
    ['of the browser', { baseUrl: { browser: 'https://public.example.com', server: baseUrl } }],
  ])('may name another address %s', async (_, options) => {
    const { verify, first } = await hosted(options)
    const token = await first.sign({ iss: issuer.replace(baseUrl, 'https://public.example.com') })
    expect(await codeOf(verify(token))).toBe('good')
  })

  it.each([
    ['http://127.0.0.1:9999', 'good'],
    ['http://localhost:8102/other', 'INVALID_ACCESS_TOKEN'],
    ['http://user@localhost:8102/api', 'INVALID_ACCESS_TOKEN'],
  ])('of a local platform that calls itself %s: %s', async (name, code) => {
    const { verify, first } = await hosted({ baseUrl: 'http://localhost:8102' })
    expect(await codeOf(verify(await first.sign({ iss: issuer.replace(baseUrl, name) })))).toBe(code)
  })

  it('of an issuer that is no address is refused before there is one', () => {
    expect(() => tokenVerifier({ projectId, baseUrl, issuers: ['auth.example.com'] })).toThrow(/issuers/)
  })

  it.each([-1, NaN, Infinity, '5000', null])('with a tolerance of %p is refused before there is one', async millis => {
    const clockToleranceMillis = millis as number
    const refused = { code: 'INVALID_INPUT', details: { field: 'clockToleranceMillis' } }
    expect(() => tokenVerifier({ projectId, baseUrl, clockToleranceMillis })).toThrow(
      expect.objectContaining({ ...refused, details: expect.objectContaining(refused.details) as object }),
    )
    const { verify, first } = await hosted()
    await expect(verify(await first.sign(), { clockToleranceMillis })).rejects.toMatchObject(refused)
  })
})

describe('a verifier that is made before its environment is there', () => {
  const variables = { STACK_PROJECT_ID: projectId, STACK_API_URL: baseUrl }
  afterEach(() => {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
  })

  it('reads the project at its first use', async () => {
    const { first, clock, state } = await hosted()
    const asked: string[] = []
    const fetch = async (input: RequestInfo | URL) => {
      asked.push(input as string)
      return Response.json({ keys: state.keys })
    }
    const verify = tokenVerifier({ clock, fetch })
    const token = await first.sign()
    await expect(verify(token)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'projectId' } })
    Object.assign(process.env, variables)
    expect(await verify(token)).toMatchObject({ userId: 'ada', projectId })
    // What it has found it keeps.
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
    expect(await verify(token)).toMatchObject({ userId: 'ada', projectId })
    expect(asked).toEqual([`${issuer}/.well-known/jwks.json`])
  })

  it.each<[string, VerifierOptions]>([
    ['baseUrl', { baseUrl: 'nonsense' }],
    ['issuers', { issuers: ['nonsense'] }],
    ['keys', { keys: [] as never }],
    ['clockToleranceMillis', { clockToleranceMillis: NaN }],
  ])('is refused at once for a wrong option: %s', (field, options) => {
    expect(() => tokenVerifier(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) as object }),
    )
  })
})

describe('the keys of a project', () => {
  it('are fetched once for all waiting callers', async () => {
    const { verify, first, asked } = await hosted()
    expect(asked).toEqual([])
    const tokens = await Promise.all(Array.from({ length: 20 }, () => first.sign()))
    await Promise.all(tokens.map(token => verify(token)))
    await verify(await first.sign())
    expect(asked).toEqual([`/api/v1/projects/${projectId}/.well-known/jwks.json`])
  })

  it('are fetched again for a token of a new key, once for all', async () => {
    const { verify, first, asked, state, newKey, clock } = await hosted()
    const old = await first.sign()
    await verify(old)
    const second = await newKey('second')
    state.keys = [first.publicKey, second.publicKey]
    await clock.advance(30_000)
    const tokens = await Promise.all([1, 2, 3].map(() => second.sign()))
    await Promise.all(tokens.map(token => verify(token)))
    await verify(old)
    expect(asked).toHaveLength(2)
  })

  it('are fetched at most every 30 s for unknown keys', async () => {
    const { verify, first, asked, newKey, clock } = await hosted()
    await verify(await first.sign())
    const unknown = await (await newKey('unknown')).sign()
    const counts: number[] = []
    for (const millis of [29_999, 1, 0, 29_999, 1]) {
      await clock.advance(millis)
      expect(await codeOf(verify(unknown))).toBe('INVALID_ACCESS_TOKEN')
      counts.push(asked.length)
    }
    expect(counts).toEqual([1, 2, 2, 2, 3])
  })

  it('that were withdrawn are believed for ten minutes at most', async () => {
    const { verify, first, state, newKey, clock } = await hosted()
    const token = await first.sign({ exp: 2e9 })
    await verify(token)
    state.keys = [(await newKey('second')).publicKey]
    await clock.advance(599_999)
    expect(await codeOf(verify(token))).toBe('good')
    await clock.advance(1)
    expect(await codeOf(verify(token))).toBe('INVALID_ACCESS_TOKEN')
  })

  it('that cannot be fetched make no token invalid, and are fetched again for the next one', async () => {
    const { verify, first, state } = await hosted()
    state.answer = () => Promise.reject(new TypeError('fetch failed'))
    const error: unknown = await verify(await first.sign()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { attempts: 1 } })
    expect(isAuthError(error, 'INVALID_ACCESS_TOKEN')).toBe(false)
    delete state.answer
    expect(await codeOf(verify(await first.sign()))).toBe('good')
  })

  it.each<[string, () => Promise<Response>, string]>([
    ['refused', async () => new Response('no such project', { status: 404 }), 'REQUEST_FAILED'],
    ['half', async () => new Response('{"keys":['), 'INVALID_RESPONSE'],
    ['something else', async () => Response.json({ items: [] }), 'INVALID_RESPONSE'],
  ])('whose answer is %s say nothing about the token', async (_, answer, code) => {
    const { verify, first, state } = await hosted()
    state.answer = answer
    expect(await codeOf(verify(await first.sign()))).toBe(code)
  })

  it.each<[string, () => Promise<Response>, boolean]>([
    ['a page', async () => new Response('<!doctype html>'), true],
    ['no page', async () => new Response('<!doctype html>', { status: 404 }), true],
    ['nothing', async () => new Response('', { status: 404 }), true],
    ['a sentence of the platform', async () => new Response('Project not found', { status: 404 }), false],
  ])('whose URL answers with %s are reported as the platform’s, or not', async (_, answer, isSaid) => {
    const { verify, first, state } = await hosted()
    state.answer = answer
    const { message } = (await verify(await first.sign()).catch((thrown: unknown) => thrown)) as Error
    expect(message.includes(`what answers at ${baseUrl} is not the platform`)).toBe(isSaid)
  })

  it('are waited for 5 s', async () => {
    const { verify, first, state, clock } = await hosted()
    state.answer = () => new Promise(() => undefined)
    const code = codeOf(verify(await first.sign()))
    await clock.advance(4999)
    await expect(clock.settled(code)).rejects.toThrow('needs time')
    await clock.advance(1)
    expect(await clock.settled(code)).toBe('TIMED_OUT')
  })

  it('are not asked for in another way where nothing was asked in a newer one', async () => {
    const { verify, first, state, asked } = await hosted()
    state.answer = async () => new Response('no', { status: 400 })
    expect(await codeOf(verify(await first.sign()))).toBe('REQUEST_FAILED')
    expect(asked).toHaveLength(1)
  })

  it('are not fetched for a caller that has aborted before', async () => {
    const { verify, first, asked } = await hosted()
    expect(await codeOf(verify(await first.sign(), { signal: AbortSignal.abort() }))).toBe('ABORTED')
    expect(asked).toEqual([])
  })

  it('that are known still work while the platform cannot be reached', async () => {
    const { verify, first, state, clock, asked } = await hosted()
    await verify(await first.sign())
    state.answer = () => Promise.reject(new TypeError('fetch failed'))
    await clock.advance(3_600_000)
    for (let times = 0; times < 3; times++) expect(await codeOf(verify(await first.sign()))).toBe('good')
    // Not asked for with every request either.
    expect(asked).toHaveLength(2)
  })

  it('that are given are not fetched', async () => {
    const made = await hosted()
    const verify = tokenVerifier({
      projectId,
      baseUrl,
      clock: made.clock,
      keys: { keys: [made.first.publicKey] },
      fetch: () => Promise.reject(new Error('not allowed')),
    })
    expect(await codeOf(verify(await made.first.sign()))).toBe('good')
    expect(await codeOf(verify(await (await made.newKey('second')).sign()))).toBe('INVALID_ACCESS_TOKEN')
    expect(() => tokenVerifier({ projectId, baseUrl, keys: [made.first.publicKey] as never })).toThrow(/keys/)
  })

  const unusable: readonly [string, (key: JWK) => JWK][] = [
    ['lacks a coordinate', ({ y: _, ...key }) => key],
    ['is a point that is not on the curve', key => ({ ...key, y: key.x! })],
    ['is no text where it has to be', key => ({ ...key, x: 7 as never })],
    ['is a private one', key => ({ ...key, d: key.x! })],
  ]

  it.each(unusable)('one of which %s make no token invalid, and the others still work', async (_, broken) => {
    const { verify, first, state, newKey } = await hosted()
    const second = await newKey('second')
    state.keys = [broken(first.publicKey), second.publicKey]
    const refused = await verify(await first.sign()).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({ code: 'INVALID_RESPONSE', message: expect.stringContaining('"first"') as string })
    expect(isAuthError(refused, 'INVALID_ACCESS_TOKEN')).toBe(false)
    expect(await codeOf(verify(await second.sign()))).toBe('good')
  })

  it('are asked for again after 30 s where one is of no use', async () => {
    const { verify, first, state, clock } = await hosted()
    const [[, broken] = fail()] = unusable
    state.keys = [broken(first.publicKey)]
    expect(await codeOf(verify(await first.sign()))).toBe('INVALID_RESPONSE')
    state.keys = [first.publicKey]
    await clock.advance(30_000)
    expect(await codeOf(verify(await first.sign()))).toBe('good')
  })

  it.each(unusable)('that are given, one of which %s, are a mistake in the options', async (_, broken) => {
    const { first, clock } = await hosted()
    const verify = tokenVerifier({ projectId, baseUrl, clock, keys: { keys: [broken(first.publicKey)] } })
    await expect(verify(await first.sign())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'keys' },
    })
  })

  it('of a local platform that has been given new ones are found', async () => {
    const { platform, app, clock, settled, newApp, tokensOf } = await world()
    const verify = tokenVerifier(platform.options)
    const old = await settled(tokenOf(app))
    await verify(old)
    const snapshot = platform.snapshot() as { shared: { signingKeys: unknown[] } }
    platform.restore({ ...snapshot, shared: { ...snapshot.shared, signingKeys: [] } })
    await clock.advance(30_000)
    const fresh = await settled(tokenOf(newApp({ tokens: await tokensOf(ada) })))
    await verify(fresh)
    expect(await codeOf(verify(old))).toBe('INVALID_ACCESS_TOKEN')
  })

  it('reject a caller that aborts', async () => {
    const { verify, first, state } = await hosted()
    let answer: (response: Response) => void = () => undefined
    state.answer = () => new Promise(resolve => (answer = resolve))
    const caller = new AbortController()
    const token = await first.sign()
    const [left, stayed] = [codeOf(verify(token, { signal: caller.signal })), codeOf(verify(token))]
    caller.abort()
    expect(await left).toBe('ABORTED')
    answer(Response.json({ keys: state.keys }))
    expect(await stayed).toBe('good')
    expect(await codeOf(verify(token, { signal: caller.signal }))).toBe('ABORTED')
  })
})

describe('users accepted only by an option of the backend', () => {
  const users = [{ ...ada }, { email: 'eve@example.com', verified: true, restricted: true }]
  const seed = { project: { config: { requireEmailVerification: true } }, users }
  const newer = { wire: '2026', seed } satisfies PlatformOptions

  it.each([
    [
      'no one',
      {},
      ['ANONYMOUS_AUTHENTICATION_NOT_ALLOWED', 'RESTRICTED_USER_NOT_ALLOWED', 'RESTRICTED_USER_NOT_ALLOWED'],
    ],
    [
      'anonymous users',
      { allowAnonymous: true },
      ['good', 'RESTRICTED_USER_NOT_ALLOWED', 'RESTRICTED_USER_NOT_ALLOWED'],
    ],
    ['restricted users', { allowRestricted: true }, ['ANONYMOUS_AUTHENTICATION_NOT_ALLOWED', 'good', 'good']],
    ['both', { allowAnonymous: true, allowRestricted: true }, ['good', 'good', 'good']],
  ])('are %s', async (_, options, codes) => {
    const { platform, app, newApp, settled, tokensOf } = await world({ platform: newer })
    const anonymous = newApp()
    await settled(anonymous.signUpAnonymously())
    const eve = newApp({ tokens: await tokensOf({ email: 'eve@example.com' }) })
    const tokens = await settled(Promise.all([anonymous, app, eve].map(tokenOf)))
    const verify = tokenVerifier(platform.options)
    const found = await Promise.all(tokens.map(token => codeOf(verify(token, options))))
    expect(found).toEqual(codes)
  })
})

describe('a verified token', () => {
  it('has the token’s claims about its user', async () => {
    const { verify, first, now } = await hosted()
    const claims = {
      name: 'Ada',
      email: 'ada@example.com',
      email_verified: false,
      selected_team_id: 'team-1',
      requires_totp_mfa: true,
      signed_up_at: now() - 60,
      refresh_token_id: 'session-1',
    }
    expect(await verify(await first.sign(claims))).toMatchObject({
      userId: 'ada',
      sessionId: 'session-1',
      user: {
        displayName: 'Ada',
        primaryEmail: 'ada@example.com',
        primaryEmailVerified: false,
        selectedTeamId: 'team-1',
        requiresTotpMfa: true,
        signedUpAt: new Date((now() - 60) * 1000),
      },
    })
    const sparse = await verify(await first.sign({ email_verified: true }))
    expect(sparse).toMatchObject({
      sessionId: null,
      user: { displayName: null, primaryEmail: null, selectedTeamId: null, requiresTotpMfa: false, signedUpAt: null },
    })
  })

  it('has the reason of a restricted user', async () => {
    const { platform, app, settled } = await world({
      platform: { wire: '2026', seed: { project: { config: { requireEmailVerification: true } }, users: [ada] } },
    })
    const token = await settled(tokenOf(app))
    const verify = tokenVerifier({ ...platform.options, allowRestricted: true })
    expect(await verify(token)).toMatchObject({
      isRestricted: true,
      restrictedReason: { type: 'email_not_verified' },
    })
    await expect(verify(token, { allowRestricted: false })).rejects.toMatchObject({
      details: { restrictedReason: { type: 'email_not_verified' } },
    })
  })

  it('refuses claims of an anonymous user under the audience of others', async () => {
    const { verify, first } = await hosted()
    expect(await codeOf(verify(await first.sign({ is_anonymous: true })))).toBe('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')
    expect(await codeOf(verify(await first.sign({ is_restricted: true })))).toBe('RESTRICTED_USER_NOT_ALLOWED')
  })

  it('sends an older platform no unknown parameters', async () => {
    const { verify, first, asked, state } = await hosted({ allowAnonymous: true, allowRestricted: true })
    state.answer = async () =>
      asked.at(-1)?.includes('?') ? new Response('unknown field', { status: 400 }) : Response.json({ keys: state.keys })
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    const path = `/api/v1/projects/${projectId}/.well-known/jwks.json`
    expect(asked).toEqual([`${path}?include_anonymous=true&include_restricted=true`, path])
  })
})

describe('a server app', () => {
  it('verifies a client’s header in one line', async () => {
    const { platform, app, settled } = await world()
    const server = createServerApp(platform.serverOptions)
    const user = await settled(app.user$.get())
    for (const as of ['stack', 'bearer'] as const) {
      const request = new Request('https://app.example.com', { headers: await settled(authHeaders(app, { as })) })
      const { userId } = await server.verifyAccessToken(requestAccessToken(request))
      expect(userId).toBe(user?.id)
    }
  })
})

describe('the access token of a request', () => {
  const stack = JSON.stringify({ accessToken: 'stack', refreshToken: null })

  it.each<[string, Record<string, string>, string | null]>([
    ['nowhere', {}, null],
    ['in authorization', { authorization: 'Bearer bearer' }, 'bearer'],
    ['whatever the case of its scheme', { authorization: 'bearer  bearer' }, 'bearer'],
    ['in x-stack-auth', { 'x-stack-auth': stack }, 'stack'],
    ['in authorization before x-stack-auth', { authorization: 'Bearer bearer', 'x-stack-auth': stack }, 'bearer'],
    ['in x-stack-auth, beside another scheme', { authorization: 'Basic YTpi', 'x-stack-auth': stack }, 'stack'],
    ['nowhere, if it is empty', { authorization: 'Bearer ' }, null],
    ['nowhere in the header of a signed-out client', { 'x-stack-auth': '{"accessToken":null}' }, null],
  ])('is found %s', (_, headers, token) => {
    expect(requestAccessToken({ headers })).toBe(token)
    expect(requestAccessToken({ headers: new Headers(headers) })).toBe(token)
  })

  it('is not looked for in a promise of headers, or in a header that cannot be read', () => {
    expect(() => requestAccessToken({ headers: Promise.resolve(new Headers()) as never })).toThrow(/await/)
    expect(() => requestAccessToken({ headers: { 'x-stack-auth': 'token' } })).toThrow(/authHeaders/)
  })
})

function fail(): never {
  throw new Error('there is none')
}

function unsigned(token: string): string {
  return token.split('.').slice(0, 2).join('.')
}

function text(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The same signature under other claims. */
function forged(token: string, changes: object): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  return [header, text({ ...claims, ...changes }), signature].join('.')
}

function hmacSigned(publicKey: JWK): Promise<string> {
  return new SignJWT({ aud: projectId, iss: issuer, sub: 'ada', exp: 2e9 })
    .setProtectedHeader({ alg: 'HS256', kid: publicKey.kid ?? '' })
    .sign(new TextEncoder().encode(JSON.stringify(publicKey)))
}
