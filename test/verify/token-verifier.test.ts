import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { authHeaders, createClientApp } from 'rxauth'
import type { PlatformOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp, requestAccessToken, tokenVerifier, type VerifierOptions } from 'rxauth/server'
import { ada, world } from '../world'
import { baseUrl, codeOf, hosted, issuer, projectId, tokenOf, type Key } from './verifier-world'

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
      isAnonymous: wire === '2026' ? false : undefined,
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

  // Promise: verify-token
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

  // Promise: verifier-options
  it.each([
    [60, 64, 'good'],
    [60, 66, 'ACCESS_TOKEN_EXPIRED'],
    [60, -66, 'INVALID_ACCESS_TOKEN'],
    [60, undefined, 'INVALID_ACCESS_TOKEN'],
    [undefined, undefined, 'good'],
    [undefined, 66, 'good'],
  ])('with a greatest age of %p s and an age of %p s is: %s', async (maxAgeSeconds, age, code) => {
    const options = maxAgeSeconds === undefined ? {} : { maxAgeSeconds }
    const { verify, first, now, state } = await hosted()
    const token = await first.sign({ iat: age === undefined ? undefined : now() - age })
    expect(await codeOf(verify(token, options))).toBe(code)
    expect(await codeOf((await hosted({ ...options, keys: state })).verify(token))).toBe(code)
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

  it.each([
    ['https://api.stack-auth.com', 'https://api.hexclave.com', 'good'],
    ['https://api.hexclave.com', 'https://api.stack-auth.com', 'good'],
    ['https://api.stack-auth.com', 'https://api.hexclave.com.example.com', 'INVALID_ACCESS_TOKEN'],
    [baseUrl, 'https://api.hexclave.com', 'INVALID_ACCESS_TOKEN'],
  ])('of the platform at %s that calls itself %s: %s', async (address, name, code) => {
    const { verify, first } = await hosted({ baseUrl: address })
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

describe.each(['STACK', 'HEXCLAVE'])('a verifier that is made before its environment of %s is there', name => {
  const variables = { [`${name}_PROJECT_ID`]: projectId, [`${name}_API_URL`]: baseUrl }
  afterEach(() => {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
  })

  // Promise: verifier-options
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

  // Promise: verifier-options
  it.each<[string, VerifierOptions]>([
    ['baseUrl', { baseUrl: 'nonsense' }],
    ['issuers', { issuers: ['nonsense'] }],
    ['keys', { keys: [] as never }],
    ['keys', { keys: { keys: [{ kty: 'EC' }, 7 as never] } }],
    ['keys', { keys: { keys: [null as never] } }],
    ['keys', { keys: 'text' as never }],
    ['clockToleranceMillis', { clockToleranceMillis: NaN }],
    ['maxAgeSeconds', { maxAgeSeconds: 10 }],
    ['maxAgeSeconds', { maxAgeSeconds: '60' as never }],
  ])('is refused at once for a wrong option: %s', (field, options) => {
    expect(() => tokenVerifier(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) as object }),
    )
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
