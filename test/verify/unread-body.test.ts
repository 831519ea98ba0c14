import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { verifyWebhook, type WebhookRequest } from 'rxauth/server'
import { body, outcomeOf, post, secret, signed } from './webhook-world'

// Of an even number of bytes, for items of two.
const even = `${body} `
const evenBytes = Uint8Array.from(Buffer.from(even))
const bytes = Uint8Array.from(Buffer.from(body))
const padded = Uint8Array.from([7, 7, 7, ...bytes, 7])

function shared(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

function* breaksOff() {
  yield '{'
  throw new Error('aborted')
}

describe('the body of a webhook', () => {
  // Promise: webhook-body
  it.each<[string, object]>([
    ['a text', { body }],
    ['bytes', { body: Buffer.from(body) }],
    ['bytes beside the parsed body', { rawBody: Buffer.from(body), body: JSON.parse(body) as object }],
    ['bytes beside a text that was made of them', { rawBody: Buffer.from(body), body: `${body} ` }],
    ['an ArrayBuffer', { body: bytes.buffer }],
    ['an ArrayBuffer beside the parsed body', { rawBody: bytes.buffer, body: JSON.parse(body) as object }],
    ['a SharedArrayBuffer', { body: shared() }],
    ['a typed array of wider items', { headers: signed({ text: even }), body: new Uint16Array(evenBytes.buffer) }],
    ['a view of a part of its buffer', { body: new DataView(padded.buffer, 3, bytes.length) }],
    [
      'an ArrayBuffer of another realm',
      { body: runInNewContext(`new Uint8Array([${String(bytes)}]).buffer`) as object },
    ],
    ['bytes of another realm', { body: runInNewContext(`new Uint8Array([${String(bytes)}])`) as object }],
    ['a Blob', { body: new Blob([body]) }],
    ['a stream of the web', { body: new Blob([body]).stream() }],
    ['a stream that cannot be iterated over', { body: { getReader: () => new Blob([body]).stream().getReader() } }],
    ['a stream of texts', { body: new Blob([body]).stream().pipeThrough(new TextDecoderStream()) }],
    ['a stream of Node', { body: Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]) }],
    ['a whole answer', { body: new Response(body) }],
    ['parts that come one after the other', inParts([body.slice(0, 5), Buffer.from(body.slice(5, 9)), body.slice(9)])],
  ])('may be %s', async (_, rest) => {
    expect(await outcomeOf({ headers: signed(), ...rest } as never)).toBe('team.deleted')
  })

  // Promise: webhook-body
  it.each<[string, () => object | Promise<object>]>([
    ['of numbers', () => ({ headers: signed(), body: [1, 2] })],
    ['that is a printed Buffer', () => ({ headers: signed(), body: Buffer.from(body).toJSON() })],
    ['of a stream of objects', () => ({ headers: signed(), body: Readable.from([{ a: 1 }]) })],
    [
      'of a stream that another reader has',
      () => {
        const stream = new Blob([body]).stream()
        stream.getReader()
        return { headers: signed(), body: stream }
      },
    ],
    [
      'of a stream of Node that was read',
      async () => {
        const stream = Readable.from([Buffer.from(body)])
        await stream.toArray()
        return { headers: signed(), body: stream }
      },
    ],
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
    [
      'of a request whose stream another reader has',
      () => {
        const request = post(signed())
        request.body?.getReader()
        return request
      },
    ],
  ])('%s is a mistake of the backend', async (_, make) => {
    await expect(verifyWebhook((await make()) as WebhookRequest, secret)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('pass { headers, body } with the text, its bytes, a Blob or a stream') as string,
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

  // Promise: webhook-body-limit
  it('is not read on when a stream of the web is too large, and the stream ends', async () => {
    let pulled = 0
    const cancel = jest.fn()
    const stream = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(600_000))
      },
      cancel,
    })
    expect(await outcomeOf({ headers: signed(), body: stream })).toBe('too-large')
    expect(await outcomeOf({ headers: signed(), body: new Blob([new Uint8Array(1_100_000)]) })).toBe('too-large')
    expect(cancel).toHaveBeenCalledTimes(1)
    expect(pulled).toBeLessThan(5)
  })

  // Promise: webhook-body-limit
  it.each<[string, () => Promise<void>]>([
    ['never ends', () => new Promise(() => undefined)],
    ['fails', () => Promise.reject(new Error('the connection is gone'))],
  ])('is refused when it is too large, also where the end of its stream %s', async (_, cancel) => {
    const stream = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(600_000)), cancel })
    expect(await outcomeOf({ headers: signed(), body: stream })).toBe('too-large')
  })

  // Promise: webhook-body-limit
  it('is not read on when a whole request is too large', async () => {
    let pulled = 0
    const stream = new ReadableStream({
      pull(controller) {
        if (++pulled === 20) controller.close()
        else controller.enqueue(new Uint8Array(600_000))
      },
    })
    const request = { method: 'POST', headers: signed(), body: stream, duplex: 'half' } as const
    expect(await outcomeOf(new Request('https://app.example.com/hook', request))).toBe('too-large')
    expect(pulled).toBeLessThan(5)
  })

  it.each<[string, () => object]>([
    ['a stream of Node', () => inParts(breaksOff())],
    ['a text', () => ({ text: () => Promise.reject(new TypeError('terminated')) })],
    [
      'a stream of the web',
      () => ({ body: new ReadableStream({ pull: controller => controller.error(new TypeError('terminated')) }) }),
    ],
  ])('is refused when %s breaks off', async (_, unread) => {
    expect(await outcomeOf({ headers: signed(), ...unread() } as never)).toBe('incomplete')
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
