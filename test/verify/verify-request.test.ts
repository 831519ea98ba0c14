import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Request as ExpressRequest, RequestHandler } from 'express'
import fastify from 'fastify'
import type { preHandlerAsyncHookHandler } from 'fastify'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { VerifiedToken, VerifyRequest } from 'rxauth/server'
import { tokenVerifier } from 'rxauth/server'
import { hosted, issuer, projectId } from './verifier-world'

type World = Awaited<ReturnType<typeof hosted>>
type Verifier = VerifyRequest<VerifiedToken>
/** Sends a request to a server of one framework, whose route /me requires a user. */
type Ask = (verify: Verifier, headers: Readonly<Record<string, string>>) => Promise<Response>

const overHttp = async (listener: Parameters<typeof createServer>[1], headers: Readonly<Record<string, string>>) => {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/me`, { headers })
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
  'a fetch handler, as of Next.js': async (verify, headers) => {
    const handle = async (request: Request) => {
      const { user, refusal } = await verify.request(request)
      return refusal ?? new Response(user.userId)
    }
    return handle(new Request('https://api.example.com/me', { headers }))
  },
  Hono: async (verify, headers) => {
    const requireUser = createMiddleware<{ Variables: { user: VerifiedToken } }>(async (context, next) => {
      const { user, refusal } = await verify.request(context.req.raw)
      if (refusal) return refusal
      context.set('user', user)
      return next()
    })
    return new Hono()
      .get('/me', requireUser, context => context.text(context.get('user').userId))
      .request('/me', {
        headers,
      })
  },
  Express: (verify, headers) => {
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
    const app = express().get('/me', requireUser, (_, response) => {
      response.send((response.locals['user'] as VerifiedToken).userId)
    })
    return overHttp(app, headers)
  },
  Fastify: async (verify, headers) => {
    const requireUser: preHandlerAsyncHookHandler = async (request, reply) => {
      const { user, refusal } = await verify.request(request)
      if (refusal) return reply.send(refusal)
      request.setDecorator('user', user)
      return undefined
    }
    const app = fastify().decorateRequest('user', null)
    app.get('/me', { preHandler: requireUser }, request =>
      Promise.resolve(request.getDecorator<VerifiedToken>('user').userId),
    )
    await app.ready()
    return overHttp((request, response) => app.routing(request, response), headers)
  },
  /** The guard of the page, as Nest runs it over Express. */
  Nest: (verify, headers) => {
    const page = readFileSync('docs/protect-your-backend.md', 'utf8')
    const guard = /^@Injectable\(\)\nexport (class UserGuard {[^]*?^})/m.exec(page)![1]!
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code of the page
    const make = new Function('verify', 'HttpException', `return new (${guard})()`) as (
      ...parts: readonly [Verifier, typeof HttpException]
    ) => { canActivate(context: { getArgs(): readonly unknown[] }): Promise<boolean> }
    const { canActivate } = make(verify, HttpException)
    const app = express().get('/me', (request: ExpressRequest & { user?: VerifiedToken }, response, next) => {
      canActivate({ getArgs: () => [request, response, next] }).then(
        () => response.send(request.user!.userId),
        // As its filter of exceptions does.
        (error: unknown) =>
          error instanceof HttpException ? response.status(error.status).json(error.response) : next(error),
      )
    })
    return overHttp(app, headers)
  },
  Node: (verify, headers) =>
    overHttp((request, response) => {
      const answer = async () => {
        const { user, refusal } = await verify.request(request)
        if (refusal) response.writeHead(refusal.status, Object.fromEntries(refusal.headers)).end(await refusal.text())
        else response.end(user.userId)
      }
      void answer()
    }, headers),
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
      const answer = await ask(world.verify, headers)
      expect([answer.status, await answer.text()]).toEqual([200, 'ada'])
    }
  })

  it.each(requests)('%s is refused in the same way', async (__, headersOf, [status, code, authenticate]) => {
    const world = await hosted()
    const answer = await ask(world.verify, await headersOf(world))
    expect([answer.status, await answer.json()]).toEqual([status, { code }])
    expect(answer.headers.get('www-authenticate')).toBe(authenticate)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('without the keys of the project no request is refused for its token, but as 503', async () => {
    const world = await hosted()
    world.state.answer = () => Promise.reject(new TypeError('http://10.0.0.7 is not there'))
    const answer = await ask(world.verify, bearer(await world.first.sign()))
    expect([answer.status, await answer.json()]).toEqual([503, { code: 'NETWORK_ERROR' }])
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.headers.get('www-authenticate')).toBeNull()
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
