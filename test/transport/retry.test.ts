import * as v from 'valibot'
import type { Answer } from '../../src/transport/attempt'
import { call } from '../../src/transport/call'
import { endpoint, type Endpoint, type Method } from '../../src/transport/endpoint'
import { withRetries } from '../../src/transport/retry'
import { exchange, refusal, watch, type Reply } from './exchange'

const things: Record<Method, Endpoint<'client', {}, void, never>> = {
  GET: endpoint('GET /things', { access: 'client' }),
  DELETE: endpoint('DELETE /things', { access: 'client' }),
  PUT: endpoint('PUT /things', { access: 'client' }),
  POST: endpoint('POST /things', { access: 'client' }),
  PATCH: endpoint('PATCH /things', { access: 'client' }),
}
const broken = new TypeError('fetch failed')
const tooMany = (retryAfter?: string): Reply => ({
  status: 429,
  body: 'slow down',
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
})
const loop: Reply = { status: 508, body: 'error: INFINITE_LOOP_DETECTED' }

/** Calls until there is an outcome; returns the moments of the attempts, and the outcome. */
async function run(method: Method, replies: readonly Reply[], options: Parameters<typeof exchange>[1] = {}) {
  const { transport, clock, sent, events } = exchange(replies, options)
  const outcome = watch(call(transport, things[method], {}))
  await clock.advance(1_000_000)
  return { moments: sent.map(({ at }) => at), error: outcome.error, ok: outcome.value?.ok ?? false, events }
}

describe('waits are 1000 ms × 2^i × 0.5…1.5, five attempts in all', () => {
  // Promise: five-attempts
  it.each([
    [0, [0, 500, 1500, 3500, 7500]],
    [0.5, [0, 1000, 3000, 7000, 15_000]],
    [0.999, [0, 1499, 4497, 10_493, 22_485]],
  ])('with lots of %d', async (random, moments) => {
    const result = await run('GET', [broken], { random })
    expect(result.moments).toEqual(moments)
  })
})

describe.each<[failure: string, reply: Reply, code: string, details: unknown, methods: Record<Method, number>]>([
  [
    'a failed fetch',
    broken,
    'NETWORK_ERROR',
    expect.objectContaining({ offline: false }),
    retried('GET', 'DELETE', 'PUT'),
  ],
  ['no answer in 30 s', 'silence', 'TIMED_OUT', expect.anything(), retried('GET', 'DELETE', 'PUT')],
  ['a fetch that ignores its signal', 'deafness', 'TIMED_OUT', expect.anything(), retried('GET', 'DELETE', 'PUT')],
  ['a body that never ends', 'endless body', 'TIMED_OUT', expect.anything(), retried('GET', 'DELETE', 'PUT')],
  ['429', tooMany(), 'RATE_LIMITED', { retryAt: null }, retried('GET', 'DELETE', 'PUT', 'POST', 'PATCH')],
  [
    '508 with the marker',
    loop,
    'REQUEST_FAILED',
    expect.objectContaining({ status: 508 }),
    retried('GET', 'DELETE', 'PUT', 'POST', 'PATCH'),
  ],
  ['508 without the marker', { status: 508, body: 'loop' }, 'REQUEST_FAILED', expect.anything(), retried()],
  ['500', { status: 500, body: 'oops' }, 'REQUEST_FAILED', expect.anything(), retried()],
  ['502', { status: 502, body: 'oops' }, 'REQUEST_FAILED', expect.anything(), retried()],
  ['503', { status: 503, body: 'oops' }, 'REQUEST_FAILED', expect.anything(), retried()],
  ['403 as text', { status: 403, body: 'no' }, 'REQUEST_FAILED', expect.anything(), retried()],
  ['a known error', refusal('TEAM_NOT_FOUND', 404, { team_id: 't' }), 'TEAM_NOT_FOUND', { teamId: 't' }, retried()],
  ['an unknown code', refusal('BRAND_NEW', 418), 'UNSUPPORTED_ERROR', { originalErrorCode: 'BRAND_NEW' }, retried()],
])('after %s', (_, reply, code, details, attempts) => {
  // Promise: five-attempts
  it.each(Object.entries(attempts) as [Method, number][])('%s is sent %i times', async (method, times) => {
    const { moments, error } = await run(method, [reply])
    expect(moments).toHaveLength(times)
    expect(error).toMatchObject({ code, details })
  })
})

function retried(...methods: Method[]): Record<Method, number> {
  const times = (method: Method) => (methods.includes(method) ? 5 : 1)
  return {
    ...{ GET: times('GET'), DELETE: times('DELETE'), PUT: times('PUT') },
    ...{ POST: times('POST'), PATCH: times('PATCH') },
  }
}

describe('what is reported', () => {
  // Promise: attempt-limit
  it('is the last cause, not the first', async () => {
    const { error, moments } = await run('GET', [broken, broken, broken, broken, { status: 503, body: 'down' }])
    expect(moments).toHaveLength(5)
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 503 })
  })

  it('counts the attempts of all causes together', async () => {
    const { error, moments } = await run('GET', [broken, tooMany('1'), loop, 'silence', broken])
    expect(moments).toHaveLength(5)
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { attempts: 5 } })
  })

  it('says that the device is offline', async () => {
    const { error } = await run('GET', [broken], { offline: true })
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { offline: true, attempts: 5 } })
    expect(error.message).toMatch(/offline/)
  })

  it('diagnoses an unreachable platform, without a request to other servers', async () => {
    const { error, moments } = await run('POST', [broken])
    const diagnostics =
      'online: yes, platform: https://auth.example.com, asked once, last failure: TypeError: fetch failed'
    expect(moments).toEqual([0])
    expect(error).toMatchObject({ details: { offline: false, attempts: 1, diagnostics } })
    expect(error.message).toContain(diagnostics)
    expect(error.cause.cause ?? error.cause).toBe(broken)
  })

  it('is the value, if a later attempt brings one', async () => {
    const { ok, moments, error } = await run('GET', [broken, tooMany(), {}])
    expect({ ok, attempts: moments.length, error }).toEqual({ ok: true, attempts: 3, error: undefined })
  })

  // Promise: trace-without-secrets
  it('is in the trace as it happens', async () => {
    const { events } = await run('GET', [broken, 'silence', tooMany('5'), loop, {}], { random: 0.5 })
    expect(events.map(({ at, ...event }) => event)).toEqual([
      { type: 'request', method: 'GET', path: '/things', attempt: 1, status: null, code: 'NETWORK_ERROR', millis: 0 },
      { type: 'retry', method: 'GET', path: '/things', cause: 'NETWORK_ERROR', waitMillis: 1000 },
      { type: 'request', method: 'GET', path: '/things', attempt: 2, status: null, code: 'TIMED_OUT', millis: 30_000 },
      { type: 'retry', method: 'GET', path: '/things', cause: 'TIMED_OUT', waitMillis: 2000 },
      { type: 'request', method: 'GET', path: '/things', attempt: 3, status: 429, code: null, millis: 0 },
      { type: 'retry', method: 'GET', path: '/things', cause: 'RATE_LIMITED', waitMillis: 5000 },
      { type: 'request', method: 'GET', path: '/things', attempt: 4, status: 508, code: null, millis: 0 },
      { type: 'retry', method: 'GET', path: '/things', cause: 'INFINITE_LOOP_DETECTED', waitMillis: 8000 },
      { type: 'request', method: 'GET', path: '/things', attempt: 5, status: 200, code: null, millis: 0 },
    ])
  })
})

describe('retry-after', () => {
  // The clock of these tests starts at 2026-01-01T00:00:00Z.
  // Promise: five-attempts
  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['20', 20_000],
    ['20.0', 20_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
  ])('of "%s" is waited for', async (header, millis) => {
    const { moments } = await run('POST', [tooMany(header), {}])
    expect(moments).toEqual([0, millis])
  })

  it.each([
    'soon',
    'soon 5',
    'soon 5 GMT',
    '-5',
    '5 apples',
    'NaN',
    'Infinity',
    '1e3',
    '0x10',
    '7 s',
    'Thu, 99 Foo 2026 00:00:00 GMT',
  ])('of "%s" says nothing, so the wait is the usual one', async header => {
    const { moments } = await run('POST', [tooMany(header), {}])
    expect(moments).toEqual([0, 1000])
  })

  // Promise: asked-waits
  it.each(['0', '0.0', '0.4', 'Thu, 01 Jan 2026 00:00:00 GMT', 'Thu, 01 Jan 2015 00:00:00 GMT'])(
    'of "%s" is less than a second, so the wait is the usual one',
    async header => {
      const { moments, error } = await run('POST', [tooMany(header)])
      expect(moments).toEqual([0, 1000, 3000, 7000, 15_000])
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAt: expect.any(Date) as Date } })
    },
  )

  // Promise: asked-waits
  it.each([
    ['20.001', '2026-01-01T00:00:20.001Z'],
    ['21', '2026-01-01T00:00:21.000Z'],
    ['3600', '2026-01-01T01:00:00.000Z'],
    ['2147484', '2026-01-25T20:31:24.000Z'],
    ['Thu, 01 Jan 2026 00:00:21 GMT', '2026-01-01T00:00:21.000Z'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59.000Z'],
  ])('of "%s" is longer than a caller waits: RATE_LIMITED at once', async (header, retryAt) => {
    for (const method of ['GET', 'POST'] as const) {
      const { transport, clock, sent } = exchange([tooMany(header), {}])
      const outcome = watch(call(transport, things[method], {}))
      await clock.advance(0)
      expect(outcome.error).toMatchObject({
        code: 'RATE_LIMITED',
        status: 429,
        details: { retryAt: new Date(retryAt) },
      })
      expect(sent).toHaveLength(1)
    }
  })

  // Promise: asked-waits
  it('of "1" counts where the usual wait is longer', async () => {
    const { moments } = await run('GET', [broken, broken, broken, tooMany('1'), {}])
    expect(moments).toEqual([0, 1000, 3000, 7000, 8000])
  })

  it('counts at each attempt: a long one ends the waits for short ones', async () => {
    const { moments, error } = await run('GET', [tooMany('7'), tooMany('60')])
    expect(moments).toEqual([0, 7000])
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAt: new Date('2026-01-01T00:01:07.000Z') } })
  })

  it('beyond all dates is RATE_LIMITED with the last date that there is', async () => {
    const { error, moments } = await run('GET', [tooMany('9'.repeat(300))])
    expect(moments).toEqual([0])
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAt: new Date(8.64e15) } })
  })

  it('beyond all dates is that also where the clock goes on between two readings', async () => {
    const { transport, clock } = exchange([tooMany('9'.repeat(300))])
    let readings = 0
    const going = { ...transport, clock: { ...transport.clock, now: () => clock.now() + readings++ } }
    await expect(call(going, things.GET, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it.each([
    ['a day ahead', 'Wed, 31 Dec 2025 00:00:00 GMT', 'Wed, 31 Dec 2025 00:00:05 GMT', 5000],
    ['a day behind', 'Fri, 02 Jan 2026 00:00:00 GMT', 'Fri, 02 Jan 2026 00:00:05 GMT', 5000],
    ['right, and the answer has no date', undefined, 'Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['right, and the answer’s date is invalid', 'noon', 'Thu, 01 Jan 2026 00:00:05 GMT', 5000],
  ])('as a date is one of the platform, whose clock counts: this one is %s', async (_, date, header, millis) => {
    const headers = { 'retry-after': header, ...(date !== undefined && { date }) }
    const { moments } = await run('GET', [{ status: 429, body: 'slow down', headers }, {}])
    expect(moments).toEqual([0, millis])
  })

  it('of the last attempt is the time to try again', async () => {
    const { error } = await run('GET', [tooMany('10')])
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAt: new Date('2026-01-01T00:00:50.000Z') } })
    expect(error.message).toContain('2026-01-01T00:00:50.000Z')
  })
})

describe('the caller aborts', () => {
  it.each<[when: string, replies: Reply[], millis: number, attempts: number]>([
    ['while the request is on its way', ['silence'], 10, 1],
    ['while a deaf fetch is on its way', ['deafness'], 10, 1],
    ['while the body arrives', ['endless body'], 10, 1],
    ['during the wait after a failed fetch', [broken], 500, 1],
    ['during the wait that a 429 asked for', [tooMany('20')], 19_000, 1],
    ['during a later attempt', [broken, 'silence'], 1500, 2],
  ])('%s: ABORTED at once, and nothing more is sent', async (_, replies, millis, attempts) => {
    const { transport, clock, sent } = exchange(replies)
    const controller = new AbortController()
    const outcome = watch(call(transport, things.GET, {}, { signal: controller.signal }))
    await clock.advance(millis)
    expect(outcome).toEqual({})
    controller.abort('tired')
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ code: 'ABORTED', cause: 'tired' })
    expect(sent.at(-1)!.init.signal!.aborted).toBe(millis < 500 || attempts === 2)
    await clock.advance(1_000_000)
    expect(sent).toHaveLength(attempts)
  })

  it('before the call: nothing is sent', async () => {
    const { transport, clock, sent } = exchange([{}])
    const outcome = watch(call(transport, things.GET, {}, { signal: AbortSignal.abort() }))
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ code: 'ABORTED' })
    expect(sent).toEqual([])
  })

  it('after the call: nothing happens, and the signal holds no listener', async () => {
    const { transport, clock } = exchange([broken, {}])
    const controller = new AbortController()
    const { signal } = controller
    const added = jest.spyOn(signal, 'addEventListener')
    const removed = jest.spyOn(signal, 'removeEventListener')
    const outcome = watch(call(transport, things.GET, {}, { signal }))
    await clock.advance(1000)
    expect(outcome.value).toEqual({ ok: true, value: undefined })
    const listeners = (spy: typeof added | typeof removed) => new Set(spy.mock.calls.map(([, listener]) => listener))
    expect(listeners(removed)).toEqual(listeners(added))
  })
})

it('calls onBackoff before it waits', async () => {
  const { transport, clock } = exchange([broken, {}])
  const moments: number[] = []
  void call(transport, things.GET, {}, { onBackoff: () => moments.push(clock.now()) })
  await clock.advance(5000)
  expect(moments).toEqual([Date.parse('2026-01-01T00:00:00.000Z')])
})

// Promise: nothing-runs
it('leaves no timer behind', async () => {
  const { transport, clock } = exchange([{ body: { id: 'x' } }])
  let running = 0
  const counting = {
    ...transport.clock,
    setTimeout: (...args: Parameters<typeof clock.setTimeout>) => {
      const cancel = clock.setTimeout(...args)
      running++
      return () => {
        running--
        cancel()
      }
    },
  }
  const thing = endpoint('GET /things', { access: 'client', returns: v.object({ id: v.string() }) })
  await call({ ...transport, clock: counting }, thing, {})
  expect(running).toBe(0)
})

it('an answer is handed on without a look at its error: most refusals are of an expired token, and tried again', async () => {
  const answer: Answer = {
    status: 401,
    code: 'ACCESS_TOKEN_EXPIRED',
    text: '',
    headers: new Headers(),
    get error(): undefined {
      throw new Error('it was made')
    },
  }
  const attempt = () => Promise.resolve(answer)
  const options = {
    method: 'GET',
    path: '/things',
    what: 'things',
    repeatable: true,
    limitMillis: 1,
    signal: undefined,
  }
  const { transport } = exchange([])
  expect(await withRetries(transport, { ...options, attempt }, send => send('', {}))).toBe(answer)
})
