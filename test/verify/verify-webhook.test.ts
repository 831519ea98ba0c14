import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { isAuthError } from 'rxauth'
import { systemClock } from '../../src/core/clock'
import { createPlatform, virtualClock } from 'rxauth/platform'
import type { Platform, Webhook } from 'rxauth/platform'
import { createServerApp, verifyWebhook, webhookMemory } from 'rxauth/server'
import type { VerifyWebhookOptions, WebhookRequest } from 'rxauth/server'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const other = 'whsec_AAAAsBQIhrscChlQIMV+b5sSYspob7oD'
const body = JSON.stringify({ type: 'team.deleted', data: { id: 'ops' } })

/** Headers as the official library signs them; `clock` is at the machine's time, which is all that it knows. */
function signed(options: { readonly text?: string; readonly secret?: string; readonly at?: Date } = {}) {
  const { text = body, secret: key = secret, at = new Date(systemClock.now()) } = options
  const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': new SvixWebhook(key).sign(id, at, text) }
}

function post(headers: Readonly<Record<string, string>>, text = body): Request {
  return new Request('https://app.example.com/hook', { method: 'POST', headers, body: text })
}

async function outcomeOf(request: WebhookRequest, options?: VerifyWebhookOptions): Promise<string> {
  try {
    return (await verifyWebhook(request, secret, options)).type
  } catch (error) {
    if (isAuthError(error, 'WEBHOOK_REJECTED')) return error.details.reason
    return isAuthError(error) ? error.code : String(error)
  }
}

describe('a webhook that the official library has signed', () => {
  it('is accepted, and gives the event with local names', async () => {
    const at = new Date(Math.floor(systemClock.now() / 1000) * 1000)
    expect(await verifyWebhook(post(signed({ at })), secret)).toEqual({
      id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
      sentAt: at,
      type: 'team.deleted',
      data: { id: 'ops' },
    })
  })

  it('is taken under the names of the specification', async () => {
    const headers = signed()
    const renamed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('svix-', 'webhook-'), value]),
    )
    new StandardWebhook(secret).verify(body, renamed)
    expect(await outcomeOf(post(renamed))).toBe('team.deleted')
  })

  it.each<[string, (headers: ReturnType<typeof signed>) => WebhookRequest, string]>([
    ['with another text', headers => post(headers, body.replace('ops', 'all')), 'forged'],
    ['with one more space', headers => post(headers, `${body} `), 'forged'],
    ['of another id', headers => post({ ...headers, 'svix-id': 'msg_x' }), 'forged'],
    [
      'of another second',
      headers => post({ ...headers, 'svix-timestamp': String(Number(headers['svix-timestamp']) - 1) }),
      'forged',
    ],
    ['with another secret', () => post(signed({ secret: other })), 'forged'],
    [
      'with another version of signature',
      headers => post({ ...headers, 'svix-signature': headers['svix-signature'].replace('v1,', 'v2,') }),
      'forged',
    ],
    [
      'with a signature without version',
      headers => post({ ...headers, 'svix-signature': headers['svix-signature'].slice(3) }),
      'forged',
    ],
    [
      'with a signature that is no base64',
      headers => post({ ...headers, 'svix-signature': 'v1,%%% v1, v1' }),
      'forged',
    ],
    [
      'with half a signature',
      headers => post({ ...headers, 'svix-signature': headers['svix-signature'].slice(0, 24) }),
      'forged',
    ],
    [
      'with a signature of another secret before it',
      headers =>
        post({
          ...headers,
          'svix-signature': `${signed({ secret: other })['svix-signature']} v1a,x ${headers['svix-signature']}`,
        }),
      'team.deleted',
    ],
    ['without its id', ({ 'svix-id': _, ...headers }) => post(headers), 'unsigned'],
    ['without its time', ({ 'svix-timestamp': _, ...headers }) => post(headers), 'unsigned'],
    ['without its signature', ({ 'svix-signature': _, ...headers }) => post(headers), 'unsigned'],
    ['with a time that is no number', headers => post({ ...headers, 'svix-timestamp': '1e9' }), 'too-old'],
    ['with an endless text', headers => post(headers, 'x'.repeat(1_048_577)), 'too-large'],
  ])('%s', async (_, make, outcome) => {
    expect(await outcomeOf(make(signed()))).toBe(outcome)
  })

  it.each([
    [-300_000, 'team.deleted'],
    [-301_000, 'too-new'],
    [300_000, 'team.deleted'],
    [301_000, 'too-old'],
  ])('%i ms ago: %s', async (millis, outcome) => {
    const clock = virtualClock()
    const at = new Date(clock.now() - millis)
    expect(await outcomeOf(post(signed({ at })), { clock })).toBe(outcome)
  })

  it('is judged by the tolerance that is asked for', async () => {
    const clock = virtualClock()
    const request = () => post(signed({ at: new Date(clock.now() - 2000) }))
    expect(await outcomeOf(request(), { clock, toleranceMillis: 2000 })).toBe('team.deleted')
    expect(await outcomeOf(request(), { clock, toleranceMillis: 1999 })).toBe('too-old')
  })

  it.each([-1, NaN, Infinity, '5000'])('is judged by no tolerance of %p', async toleranceMillis => {
    const clock = virtualClock()
    const options = { clock, toleranceMillis: toleranceMillis as number }
    await expect(verifyWebhook(post(signed({ at: new Date(clock.now()) })), secret, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'toleranceMillis' },
    })
  })

  it('but contains no event is not from the platform', async () => {
    for (const text of ['', 'team.deleted', '[]', '{"data":{}}'])
      expect(await outcomeOf(post(signed({ text }), text))).toBe('INVALID_RESPONSE')
    const text = JSON.stringify({ type: 'team.deleted', data: { id: 7 } })
    await expect(verifyWebhook(post(signed({ text }), text), secret)).rejects.toThrow(/data\.id/)
  })

  it.each(['payment.created', 'toString', '__proto__'])('of the unknown kind %s gives what it says', async name => {
    const text = JSON.stringify({ type: name, data: { a_b: 1 } })
    expect(await verifyWebhook(post(signed({ text }), text), secret)).toMatchObject({
      type: 'unknown',
      name,
      data: { a_b: 1 },
    })
  })
})

describe('the body of a webhook', () => {
  it.each<[string, object]>([
    ['a text', { body }],
    ['bytes', { body: Buffer.from(body) }],
    ['bytes beside the parsed body', { rawBody: Buffer.from(body), body: JSON.parse(body) as object }],
    ['bytes beside a text that was made of them', { rawBody: Buffer.from(body), body: `${body} ` }],
    ['parts that come one after the other', inParts([body.slice(0, 5), Buffer.from(body.slice(5, 9)), body.slice(9)])],
  ])('may be %s', async (_, rest) => {
    expect(await outcomeOf({ headers: signed(), ...rest } as never)).toBe('team.deleted')
  })

  it.each<[string, () => object | Promise<object>]>([
    ['that was parsed', () => ({ headers: signed(), body: JSON.parse(body) as object })],
    ['that is not there', () => ({ headers: signed() })],
    [
      'that was read',
      async () => {
        const request = post(signed())
        await request.text()
        return request
      },
    ],
  ])('%s is a mistake of the backend', async (_, make) => {
    await expect(verifyWebhook((await make()) as WebhookRequest, secret)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'request' },
    })
  })

  it.each([
    [1_048_576, 'team.deleted'],
    [1_048_577, 'too-large'],
  ])('of %i bytes: %s', async (bytes, outcome) => {
    const text = body.padEnd(bytes)
    expect(await outcomeOf({ headers: signed({ text }), body: text })).toBe(outcome)
    expect(await outcomeOf({ headers: signed({ text }), ...inParts([text.slice(0, 7), text.slice(7)]) } as never)).toBe(
      outcome,
    )
  })

  it('is not read on when it is too large', async () => {
    let read = 0
    function* endless() {
      while (read < 100) {
        read++
        yield 'x'.repeat(1_000_000)
      }
    }
    expect(await outcomeOf({ headers: signed(), ...inParts(endless()) } as never)).toBe('too-large')
    expect(read).toBe(2)
  })

  it('is read from a request of Node', async () => {
    const outcomes: string[] = []
    const server = createServer((request, response) => {
      void outcomeOf(request).then(async outcome => {
        outcomes.push(outcome, await outcomeOf(request))
        response.end()
      })
    })
    await new Promise<void>(resolve => server.listen(0, resolve))
    const { port } = server.address() as AddressInfo
    const send = (text: string) => fetch(`http://localhost:${port}`, { method: 'POST', headers: signed(), body: text })
    await send(body)
    await send('x'.repeat(1_100_000)).catch(() => undefined)
    await new Promise(resolve => server.close(resolve))
    // The second time there is nothing left to read.
    expect(outcomes.slice(0, 3)).toEqual(['team.deleted', 'INVALID_INPUT', 'too-large'])
  })

  it.each(['', 'whsec_', 'whsec_%', 'no secret!', undefined])('is not looked at with the secret %p', async given => {
    await expect(verifyWebhook(post(signed()), given as string)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'secret' },
    })
  })
})

describe('a memory of deliveries', () => {
  it('refuses an event that was accepted before, but not because a forged one had its id', async () => {
    const memory = webhookMemory()
    const headers = signed()
    expect(await outcomeOf(post(headers, `${body} `), { memory })).toBe('forged')
    expect(await outcomeOf(post(headers), { memory })).toBe('team.deleted')
    expect(await outcomeOf(post(headers), { memory })).toBe('replayed')
    memory.release(headers['svix-id'])
    expect(await outcomeOf(post(headers), { memory })).toBe('team.deleted')
  })

  it('takes one of two that come at once', async () => {
    const memory = webhookMemory()
    const headers = signed()
    const outcomes = await Promise.all([post(headers), post(headers)].map(request => outcomeOf(request, { memory })))
    expect(outcomes.sort()).toEqual(['replayed', 'team.deleted'])
  })

  it.each([-300_000, 0, 300_000])('keeps one sent %i ms ago for as long as its signature is good', async millis => {
    const clock = virtualClock()
    const memory = webhookMemory({ clock })
    const headers = signed({ at: new Date(clock.now() - millis) })
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('team.deleted')
    const goodMillis = 300_000 - millis
    await clock.advance(goodMillis)
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('replayed')
    await clock.advance(1000)
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('too-old')
    expect(memory.claim(headers['svix-id'], 1)).toBe(true)
  })

  it('may be somewhere else', async () => {
    const asked: [string, number][] = []
    const memory = {
      claim: async (id: string, keepMillis: number) => {
        asked.push([id, keepMillis])
        return asked.length === 1
      },
    }
    const clock = virtualClock()
    const headers = signed({ at: new Date(clock.now()) })
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('team.deleted')
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('replayed')
    expect(asked[0]).toEqual([headers['svix-id'], 301_000])
  })
})

describe('a webhook of the local platform', () => {
  async function first(platform: Platform): Promise<Webhook> {
    const webhook = new Promise<Webhook>(resolve => platform.webhooks$.subscribe(resolve))
    await createServerApp(platform.serverOptions).createTeamById({ displayName: 'Ops' })
    return webhook
  }

  it('is accepted by the official libraries and by the kit', async () => {
    const platform = createPlatform()
    const { request, id } = await first(platform)
    const text = await request.text()
    const headers = Object.fromEntries(request.headers)
    for (const Official of [SvixWebhook, StandardWebhook])
      expect(new Official(platform.webhooks.secret).verify(text, headers)).toMatchObject({ type: 'team.created' })
    const event = await verifyWebhook({ headers, body: text }, platform.webhooks.secret)
    expect(event).toMatchObject({ id, type: 'team.created', data: { displayName: 'Ops' } })
    if (event.type !== 'team.created') throw new Error('narrows by its type')
    expect(event.data.createdAt).toBeInstanceOf(Date)
    expect(() => new SvixWebhook(secret).verify(text, headers)).toThrow()
  })
})

/** A request whose body comes in parts. */
function inParts(parts: Iterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* parts
    },
  }
}
