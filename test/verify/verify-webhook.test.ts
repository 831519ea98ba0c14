import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { createPlatform, virtualClock, type Platform, type Webhook } from 'rxauth/platform'
import { createServerApp, verifyWebhook, type WebhookRequest } from 'rxauth/server'
import { systemClock } from '../../src/core/clock'
import { body, outcomeOf, post, secret, signed } from './webhook-world'

const other = 'whsec_AAAAsBQIhrscChlQIMV+b5sSYspob7oD'

describe('a webhook that the official library has signed', () => {
  // Promise: webhook-signatures
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

describe('a webhook of the local platform', () => {
  async function first(platform: Platform): Promise<Webhook> {
    const webhook = new Promise<Webhook>(resolve => platform.webhooks$.subscribe(resolve))
    await createServerApp(platform.serverOptions).createTeamById({ displayName: 'Ops' })
    return webhook
  }

  // Promise: webhook-signatures
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

  // Promise: webhook-signatures
  it.each([0, 1])(
    'is accepted by both, with a signature of another secret in a second header; its place: %i',
    async at => {
      const others = [signed(), signed({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })]
      const request = post({ ...signed(), 'svix-signature': others[at]!['svix-signature'] })
      request.headers.append('svix-signature', others[1 - at]!['svix-signature'])
      expect(new SvixWebhook(secret).verify(body, Object.fromEntries(request.headers))).toMatchObject({
        data: { id: 'ops' },
      })
      expect(await outcomeOf(request)).toBe('team.deleted')
    },
  )
})
