import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Request as ExpressRequest, RequestHandler } from 'express'
import fastify from 'fastify'
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AuthError } from 'rxauth'
import { tokenVerifier, type VerifiedToken, type VerifyRequest } from 'rxauth/server'
import { codeOf, hosted, issuer, projectId } from './verifier-world'

type World = Awaited<ReturnType<typeof hosted>>
type Verifier = VerifyRequest<VerifiedToken>
/** The request, without its address. */
type Sent = Pick<RequestInit, 'method' | 'body'> & { readonly headers: Readonly<Record<string, string>> }
/** Sends a request to a server of one framework, whose route /me requires a user. */
type Ask = (verify: Verifier, sent: Sent) => Promise<Response>

const others = ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const

const overHttp = async (listener: Parameters<typeof createServer>[1], sent: Sent) => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/me`, sent)
  } finally {
    server.close()
  }
}

/** That of Nest. */
class HttpException extends Error {
  readonly response: unknown
  readonly status: number

  constructor(response: unknown, status: number) {
    super('refused')
    this.response = response
    this.status = status
  }
}

const frameworks: Readonly<Record<string, Ask>> = {
  'a fetch handler, as of Next.js': async (verify, sent) => {
    const handle = async (request: Request) => {
      const { user, refusal } = await verify.request(request)
      return refusal ?? new Response(user.userId)
    }
    return handle(new Request('https://api.example.com/me', sent))
  },
  Hono: async (verify, sent) => {
    const requireUser = createMiddleware<{ Variables: { user: VerifiedToken } }>(async (context, next) => {
      const { user, refusal } = await verify.request(context.req.raw)
      if (refusal) return refusal
      context.set('user', user)
      return next()
    })
    return new Hono().all('/me', requireUser, context => context.text(context.get('user').userId)).request('/me', sent)
  },
  Express: (verify, sent) => {
    const requireUser: RequestHandler = async (request, response, next) => {
      const { user, refusal } = await verify.request(request)
      if (refusal)
        return void response
          .status(refusal.status)
          .set(Object.fromEntries(refusal.headers))
          .send(await refusal.text())
      response.locals['user'] = user
      next()
    }
    const app = express().all('/me', requireUser, (_, response) => {
      response.send((response.locals['user'] as VerifiedToken).userId)
    })
    return overHttp(app, sent)
  },
  Fastify: async (verify, sent) => {
    const requireUser: preHandlerAsyncHookHandler = async (request, reply) => {
      const { user, refusal } = await verify.request(request)
      if (refusal) reply.code(refusal.status).headers(Object.fromEntries(refusal.headers))
      if (refusal) return reply.send(await refusal.text())
      request.setDecorator('user', user)
      return undefined
    }
    const app = fastify().decorateRequest('user', null)
    const handler = async (request: FastifyRequest) => request.getDecorator<VerifiedToken>('user').userId
    app.get('/me', { preHandler: requireUser }, handler)
    app.route({ method: [...others], url: '/me', preHandler: requireUser, handler })
    await app.ready()
    return overHttp((request, response) => app.routing(request, response), sent)
  },
  /** The guard of the page, as Nest runs it over Express. */
  Nest: (verify, sent) => {
    const page = readFileSync('docs/protect-your-backend.md', 'utf8')
    const guard = /^@Injectable\(\)\nexport (class UserGuard {[^]*?^})/m.exec(page)![1]!
    // oxlint-disable-next-line typescript/no-implied-eval -- the code of the page
    const make = new Function('verify', 'HttpException', `return new (${guard})()`) as (
      ...parts: readonly [Verifier, typeof HttpException]
    ) => { canActivate(context: { getArgs(): readonly unknown[] }): Promise<boolean> }
    const { canActivate } = make(verify, HttpException)
    const app = express().all('/me', (request: ExpressRequest & { user?: VerifiedToken }, response, next) => {
      canActivate({ getArgs: () => [request, response, next] }).then(
        () => response.send(request.user!.userId),
        // As its filter of exceptions does.
        (error: unknown) =>
          error instanceof HttpException ? response.status(error.status).json(error.response) : next(error),
      )
    })
    return overHttp(app, sent)
  },
  Node: (verify, sent) =>
    overHttp((request, response) => {
      const answer = async () => {
        const { user, refusal } = await verify.request(request)
        if (refusal) response.writeHead(refusal.status, Object.fromEntries(refusal.headers)).end(await refusal.text())
        else response.end(user.userId)
      }
      void answer()
    }, sent),
}

const invalid = (code: string) => [401, code, `Bearer error="invalid_token", error_description="${code}"`] as const
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const requests: readonly [
  what: string,
  (world: World) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>,
  answer: readonly [status: number, code: string, authenticate: string | null],
][] = [
  ['no token', () => ({}), [401, 'USER_AUTHENTICATION_REQUIRED', 'Bearer']],
  [
    'only cookies',
    async ({ first }) => ({ cookie: `stack-access=${await first.sign()}` }),
    [401, 'USER_AUTHENTICATION_REQUIRED', 'Bearer'],
  ],
  ['another scheme', () => ({ authorization: 'Basic YTpi' }), [401, 'USER_AUTHENTICATION_REQUIRED', 'Bearer']],
  ['text that is no token', () => bearer('x'), invalid('UNPARSABLE_ACCESS_TOKEN')],
  ['a header that is no JSON', () => ({ 'x-stack-auth': '{"accessToken":' }), invalid('UNPARSABLE_ACCESS_TOKEN')],
  ['a header of a list', () => ({ 'x-stack-auth': '[]' }), invalid('UNPARSABLE_ACCESS_TOKEN')],
  [
    'a header with a number as the token',
    () => ({ 'x-stack-auth': '{"accessToken":7}' }),
    invalid('UNPARSABLE_ACCESS_TOKEN'),
  ],
  ['two texts that are no token', () => bearer('a b'), invalid('UNPARSABLE_ACCESS_TOKEN')],
  [
    'a token without a signature',
    async ({ first }) => bearer((await first.sign()).replace(/[^.]+$/, '')),
    invalid('INVALID_ACCESS_TOKEN'),
  ],
  [
    'a token whose algorithm is none',
    async ({ first }) =>
      bearer(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await first.sign()).split('.')[1]!}.`),
    invalid('INVALID_ACCESS_TOKEN'),
  ],
  [
    'a changed token',
    async ({ first, now }) => {
      const [head, , end] = (await first.sign()).split('.')
      const claims = { aud: projectId, iss: issuer, sub: 'eve', iat: now(), exp: now() + 600 }
      return bearer(`${head!}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${end!}`)
    },
    invalid('INVALID_ACCESS_TOKEN'),
  ],
  [
    'a token of another key',
    async ({ newKey }) => bearer(await (await newKey('first')).sign()),
    invalid('INVALID_ACCESS_TOKEN'),
  ],
  [
    'an expired token',
    async ({ first, now }) => bearer(await first.sign({ exp: now() - 60 })),
    invalid('ACCESS_TOKEN_EXPIRED'),
  ],
  [
    'a token of another project',
    async ({ first }) => bearer(await first.sign({ aud: 'a"b\\c\r\nset-cookie: x' })),
    invalid('INVALID_PROJECT_FOR_ACCESS_TOKEN'),
  ],
  [
    'a token of another issuer',
    async ({ first }) => bearer(await first.sign({ iss: 'https://evil.example' })),
    invalid('INVALID_ACCESS_TOKEN'),
  ],
  [
    'a token of an anonymous user',
    async ({ first }) => bearer(await first.sign({ is_anonymous: true })),
    invalid('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED'),
  ],
  [
    'a token of a restricted user',
    async ({ first }) => bearer(await first.sign({ is_restricted: true })),
    [
      403,
      'RESTRICTED_USER_NOT_ALLOWED',
      'Bearer error="insufficient_scope", error_description="RESTRICTED_USER_NOT_ALLOWED"',
    ],
  ],
]

describe.each(Object.entries(frameworks))('in %s', (_, ask) => {
  it('a user with a valid token is admitted, by either header', async () => {
    const world = await hosted()
    const token = await world.first.sign()
    for (const headers of [bearer(token), { 'x-stack-auth': JSON.stringify({ accessToken: token }) }]) {
      const answer = await ask(world.verify, { headers })
      expect([answer.status, await answer.text()]).toEqual([200, 'ada'])
    }
  })

  // Promise: verify-request
  it.each(requests)('%s is refused in the same way', async (__, headersOf, [status, code, authenticate]) => {
    const world = await hosted()
    const answer = await ask(world.verify, { headers: await headersOf(world) })
    expect([answer.status, await answer.json()]).toEqual([status, { code }])
    expect(answer.headers.get('www-authenticate')).toBe(authenticate)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  // Promise: verify-request
  it.each([...others, 'HEAD'])('a request by %s is admitted and refused like one by GET', async method => {
    const world = await hosted()
    const hasBody = method === 'POST' || method === 'PUT'
    const by = (headers: Readonly<Record<string, string>>) =>
      ask(world.verify, {
        method,
        headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
        ...(hasBody && { body: '{"text":"buy tea"}' }),
      })
    const refused = await by({})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await refused.text()) || '{}').toMatch(/^{("code":"USER_AUTHENTICATION_REQUIRED")?}$/)
    expect((await by(bearer('x'))).status).toBe(401)
    const restricted = await world.first.sign({ is_restricted: true })
    expect((await by(bearer(restricted))).status).toBe(403)
    const admitted = await by(bearer(await world.first.sign()))
    expect(admitted.status).toBe(200)
    const other = await hosted()
    other.state.answer = () => Promise.resolve(redirect(302))
    expect((await ask(other.verify, { method, headers: bearer(await other.first.sign()) })).status).toBe(503)
  })

  it('a preflight of a browser is not refused, and gets nothing', async () => {
    const world = await hosted()
    const preflight = { 'access-control-request-method': 'GET', origin: 'https://other.example' }
    const answer = await ask(world.verify, { method: 'OPTIONS', headers: preflight })
    expect([answer.status, await answer.text(), answer.headers.get('www-authenticate')]).toEqual([200, '{}', null])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await ask(world.verify, { headers: preflight })).status).toBe(401)
    expect((await ask(world.verify, { method: 'OPTIONS', headers: { ...preflight, ...bearer('x') } })).status).toBe(401)
    const admitted = await ask(world.verify, {
      method: 'OPTIONS',
      headers: { ...preflight, ...bearer(await world.first.sign()) },
    })
    expect([admitted.status, await admitted.text()]).toEqual([200, 'ada'])
  })

  // Promise: verify-request
  it('without the keys of the project no request is refused for its token, but as 503', async () => {
    const world = await hosted()
    world.state.answer = () => Promise.reject(new TypeError('http://10.0.0.7 is not there'))
    const answer = await ask(world.verify, { headers: bearer(await world.first.sign()) })
    expect([answer.status, await answer.json()]).toEqual([503, { code: 'NETWORK_ERROR' }])
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })
})

const redirect = (status: number) => new Response(null, { status, headers: { location: 'https://other.example/keys' } })
const opaque = () => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
const broken = () => new ReadableStream({ start: controller => controller.error(new Error('cut off')) })

type KeysAnswer = [what: string, answer: (world: World) => unknown, code: string]

/** Ways in which the keys of the project cannot be had: what their address answers, and the code of the 503. */
const withoutKeys: readonly KeysAnswer[] = [
  ...[301, 302, 303, 307, 308].map((status): KeysAnswer => [
    `a redirect (${status}) to another origin`,
    () => redirect(status),
    'REDIRECT_REFUSED',
  ]),
  ['a redirect that the runtime hides', opaque, 'REDIRECT_REFUSED'],
  ['a redirect to nowhere', () => new Response(null, { status: 302 }), 'REQUEST_FAILED'],
  ['304', () => new Response(null, { status: 304 }), 'REQUEST_FAILED'],
  ['401', () => new Response('no', { status: 401 }), 'REQUEST_FAILED'],
  ['429', () => new Response('later', { status: 429, headers: { 'retry-after': '60' } }), 'REQUEST_FAILED'],
  ['500', () => new Response('<html>', { status: 500 }), 'REQUEST_FAILED'],
  ['a page', () => new Response('<!doctype html>'), 'INVALID_RESPONSE'],
  ['nothing', () => new Response(''), 'INVALID_RESPONSE'],
  ['half of it', () => new Response('{"keys":['), 'INVALID_RESPONSE'],
  ...['null', '[]', '"keys"', '{"keys":7}', '{"keys":{}}', '{"keys":[null]}', '{"keys":["a"]}', '{"keys":[[]]}'].map(
    (text): KeysAnswer => [text, () => new Response(text), 'INVALID_RESPONSE'],
  ),
  [
    'another error than it says',
    () => new Response('{}', { headers: { 'x-stack-known-error': 'X' } }),
    'INVALID_RESPONSE',
  ],
  ['a body that breaks off', () => new Response(broken()), 'NETWORK_ERROR'],
  ['no response', () => undefined, 'NETWORK_ERROR'],
  [
    'two keys of one name',
    ({ first }) => Response.json({ keys: [first.publicKey, first.publicKey] }),
    'INVALID_RESPONSE',
  ],
  ['a key that is not on the curve', ({ first }) => Response.json({ keys: [offCurve(first)] }), 'INVALID_RESPONSE'],
]

const offCurve = ({ publicKey }: World['first']) => ({ ...publicKey, y: publicKey.x })

const gone = (code: 'DISPOSED' | 'INVALID_INPUT') => new AuthError(code, 'of another kit')

/** The same of a fetch. */
const withoutFetch: readonly [what: string, fetch: () => never, code: string][] = [
  ['throws at once', () => raise(new TypeError('no network')), 'NETWORK_ERROR'],
  ['throws what is no error', () => raise('no network'), 'NETWORK_ERROR'],
  ['belongs to another kit', () => raise(gone('DISPOSED')), 'NETWORK_ERROR'],
  ['refuses the address', () => raise(gone('INVALID_INPUT')), 'NETWORK_ERROR'],
  ['has been aborted by itself', () => raise(new DOMException('gone', 'AbortError')), 'NETWORK_ERROR'],
]

function raise(error: unknown): never {
  throw error
}

describe('without the keys of the project verify.request answers 503', () => {
  const refusalOf = async (world: World) => {
    const { refusal } = await world.verify.request({ headers: bearer(await world.first.sign()) })
    const { status, headers } = refusal!
    return [status, ((await refusal!.json()) as { code: string }).code, headers.get('retry-after')]
  }

  // Promise: verify-request
  it.each(withoutKeys)('where their address answers with %s', async (_, answer, code) => {
    const world = await hosted()
    world.state.answer = () => Promise.resolve(answer(world) as Response)
    expect(await refusalOf(world)).toEqual([503, code, '5'])
    // The same for a caller that handles the error itself: it is none of the token.
    expect(await codeOf(world.verify(await world.first.sign()))).toBe(code)
  })

  // Promise: verify-request
  it.each(withoutFetch)('where the fetch %s', async (_, fetch, code) => {
    expect(await refusalOf(await hosted({ fetch }))).toEqual([503, code, '5'])
  })

  // Promise: verify-request
  it('where those that are given cannot be used', async () => {
    const { first } = await hosted()
    const { verify } = await hosted({ keys: { keys: [offCurve(first)] } })
    const { refusal } = await verify.request({ headers: bearer(await first.sign()) })
    expect([refusal?.status, await refusal?.json()]).toEqual([503, { code: 'INVALID_INPUT' }])
  })

  // Promise: verify-request
  it.each<[string, () => unknown]>([
    ['throws', () => raise(new Error('KV is down'))],
    ['rejects', () => Promise.reject(new Error('KV is down'))],
    ['has something else', () => ({ keys: [{}], at: 0 })],
    ['has nothing', () => undefined],
  ])('only if their address has none either, where the cache %s', async (_, ask) => {
    const keysCache = { get: ask, set: ask } as never
    const world = await hosted({ keysCache })
    expect((await world.verify.request({ headers: bearer(await world.first.sign()) })).user?.userId).toBe('ada')
    const other = await hosted({ keysCache })
    other.state.answer = () => Promise.resolve(redirect(302))
    expect(await refusalOf(other)).toEqual([503, 'REDIRECT_REFUSED', '5'])
  })

  // Promise: verify-request
  it('and does not end a Node listener', async () => {
    const world = await hosted()
    world.state.answer = () => Promise.resolve(redirect(302))
    const answer = await frameworks['Node']!(world.verify, { headers: bearer(await world.first.sign()) })
    expect([answer.status, await answer.json()]).toEqual([503, { code: 'REDIRECT_REFUSED' }])
  })
})

describe('verify.request', () => {
  it('takes the options of a verification', async () => {
    const { verify, first } = await hosted()
    const request = { headers: bearer(await first.sign({ is_restricted: true })) }
    expect((await verify.request(request)).refusal).toMatchObject({ status: 403 })
    expect((await verify.request(request, { allowRestricted: true })).user).toMatchObject({ userId: 'ada' })
  })

  it('throws what the request has not caused', async () => {
    const { first } = await hosted()
    const request = { headers: bearer(await first.sign()) }
    await expect(tokenVerifier({ projectId: '', baseUrl: 'https://x.example' }).request(request)).rejects.toMatchObject(
      {
        code: 'INVALID_INPUT',
        details: { field: 'projectId' },
      },
    )
    const signal = AbortSignal.abort()
    const { verify } = await hosted()
    await expect(verify.request(request, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(verify.request({ headers: Promise.resolve(new Headers()) as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('gives each request a response of its own', async () => {
    const { verify } = await hosted()
    const [one, other] = [await verify.request({ headers: {} }), await verify.request({ headers: {} })]
    await one.refusal!.text()
    expect(other.refusal!.bodyUsed).toBe(false)
  })
})
