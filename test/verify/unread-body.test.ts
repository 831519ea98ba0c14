import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from 'rxauth/server'
import type { WebhookRequest } from 'rxauth/server'
import { body, outcomeOf, post, secret, signed } from './webhook-world'

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

/** A request whose body comes in parts. */
function inParts(parts: Iterable<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* parts
    },
  }
}
