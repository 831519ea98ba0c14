import { getEventListeners } from 'node:events'
import { AuthError } from '../../src/errors/auth-error'
import { attempt, NoAnswer, parse } from '../../src/transport/attempt'
import { exchange, watch, type Reply } from './exchange'

function send(reply: Reply, limitMillis = 30_000, signal?: AbortSignal) {
  const { transport, clock, sent } = exchange([reply])
  const outcome = watch(attempt(transport, 'https://auth.example.com/', { method: 'GET' }, limitMillis, signal))
  return { outcome, clock, sent }
}

describe('an attempt', () => {
  it('reads the answer to its end', async () => {
    const { outcome, clock } = send({ status: 201, headers: { 'x-a': '1' }, body: 'text' })
    await clock.advance(0)
    expect(outcome.value).toMatchObject({ status: 201, text: 'text', error: undefined })
    expect(outcome.value!.headers.get('x-a')).toBe('1')
  })

  // Promise: attempt-limit
  it.each(['silence', 'deafness', 'endless body'] as const)('ends after its limit: %s', async reply => {
    const { outcome, clock, sent } = send(reply, 700)
    await clock.advance(699)
    expect(outcome).toEqual({})
    await clock.advance(1)
    expect(outcome.error).toBeInstanceOf(NoAnswer)
    expect(outcome.error.timedOut).toBe(true)
    expect(sent[0]!.init.signal!.aborted).toBe(true)
  })

  it.each<[string, Reply]>([
    ['an answer', { body: '{}' }],
    ['a failure', new TypeError('no route')],
    ['its limit', 'silence'],
  ])('leaves no listener on its signal after %s: that of a kit lives as long as the page', async (_, reply) => {
    const { signal } = new AbortController()
    const { clock } = send(reply, 700, signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await clock.advance(700)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('describes the failure of the fetch, whatever was thrown', async () => {
    const failing = send(new TypeError('no route'))
    await failing.clock.advance(0)
    expect(failing.outcome.error).toMatchObject({ timedOut: false, description: 'TypeError: no route' })
    const { transport, clock } = exchange([])
    const odd: unknown = 'text'
    const outcome = watch(
      attempt({ ...transport, fetch: () => Promise.reject(odd) }, 'https://a.example', {}, 1, undefined),
    )
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ timedOut: false, description: 'string', cause: 'text' })
  })

  it('passes on the error of a kit that the fetch uses, of another copy of the library too', async () => {
    let Other: typeof AuthError | undefined
    jest.isolateModules(() => {
      Other = jest.requireActual<{ AuthError: typeof AuthError }>('../../src/errors/auth-error').AuthError
    })
    const { transport, clock } = exchange([])
    for (const Class of [AuthError, Other!]) {
      const error = new Class('SESSION_CHANGED', 'another owner')
      const outcome = watch(
        attempt({ ...transport, fetch: () => Promise.reject(error) }, 'https://a.example', {}, 1, undefined),
      )
      await clock.advance(0)
      expect(outcome.error).toBe(error)
    }
    expect(Other).not.toBe(AuthError)
  })

  it('treats a fetch that throws at once like one that fails', async () => {
    const { transport, clock } = exchange([])
    const broken = () => {
      throw new TypeError('refused')
    }
    const outcome = watch(attempt({ ...transport, fetch: broken }, 'https://a.example', {}, 1, undefined))
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ timedOut: false, description: 'TypeError: refused' })
  })

  it("ends with the kit's own reason, if that is why it was aborted", async () => {
    const controller = new AbortController()
    const { outcome, clock } = send('silence', 700, controller.signal)
    const disposed = new AuthError('DISPOSED', 'over')
    controller.abort(disposed)
    await clock.advance(0)
    expect(outcome.error).toBe(disposed)
  })
})

it('an answer that is not whole JSON is INVALID_RESPONSE without a quotation', () => {
  expect(parse('{"a":1}', 200, 'a call')).toEqual({ a: 1 })
  let error: unknown
  try {
    parse('{"secret', 418, 'a call')
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 418 })
  expect(`${String(error)} ${String((error as Error).cause)}`).not.toContain('secret')
})
