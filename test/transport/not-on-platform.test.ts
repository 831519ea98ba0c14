import * as v from 'valibot'
import { call } from '../../src/transport/call'
import { endpoint } from '../../src/transport/endpoint'
import type { Access, Endpoint } from '../../src/transport/endpoint'
import { exchange, refusal } from './exchange'
import type { Exchange, Reply } from './exchange'

const list = endpoint('GET /things', { access: 'client', returns: v.object({}), notOnPlatform: [404] })
const read = endpoint('GET /things/{thingId}', { access: 'client', returns: v.object({}), notOnPlatform: [404] })
const change = endpoint('PATCH /things/{thingId}', { access: 'client', notOnPlatform: [404] })
const own = endpoint('PATCH /things/me/{thingId}', { access: 'client', notOnPlatform: [404] })
const render = endpoint('POST /render', {
  access: 'client',
  body: { html: v.string() },
  notOnPlatform: ['SCHEMA_ERROR'],
})

const page = '<!doctype html><title>Not found</title>'
const unknown: Reply = { headers: { 'x-stack-actual-status': '404' }, body: 'Not found' }
const fine: Reply = { body: {} }
const thing = { thingId: 'x' }

/** The code with which the call rejects; null if it does not. */
async function codeOf<I>({ transport, clock }: Exchange, declared: Endpoint<Access, I, unknown, never>, input: I) {
  const outcome = call(transport, declared, input).then(
    () => null,
    (error: unknown) => (error as { readonly code: string }).code,
  )
  await clock.advance(100_000)
  return outcome
}

describe('a call that a release may lack', () => {
  it('is NOT_ON_THIS_PLATFORM after a 404 of the platform without a code', async () => {
    const { transport, clock } = exchange([unknown])
    const outcome = call(transport, change, thing).catch((error: unknown) => error)
    await clock.advance(0)
    expect(await outcome).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      status: 404,
      details: { call: 'PATCH /things/{thingId}' },
      cause: { code: 'REQUEST_FAILED', status: 404 },
    })
  })

  it.each<[what: string, reply: Reply, code: string]>([
    ['a 404 with a code', refusal('USER_NOT_FOUND', 404), 'USER_NOT_FOUND'],
    ['a 404 that is not the platform’s', { status: 404, body: page }, 'REQUEST_FAILED'],
    ['a 404 of another API', { status: 404, body: { message: 'Not Found' } }, 'REQUEST_FAILED'],
    ['a failure of the platform', { headers: { 'x-stack-actual-status': '500' }, body: '' }, 'REQUEST_FAILED'],
    ['a failure of a gateway', { status: 502, body: page }, 'REQUEST_FAILED'],
    ['a page of a proxy', { body: page }, 'INVALID_RESPONSE'],
    ['another refusal', { headers: { 'x-stack-actual-status': '403' }, body: 'No' }, 'REQUEST_FAILED'],
  ])('is not after %s', async (_, reply, code) => {
    const one = exchange([reply, unknown])
    expect(await codeOf(one, list, {})).toBe(code)
    // It has proved nothing.
    expect(await codeOf(one, list, {})).toBe('NOT_ON_THIS_PLATFORM')
  })

  it('is asked once for each kit: then the calls of the same entity reject without a request', async () => {
    const one = exchange([unknown])
    for (const declared of [list, read, change, own])
      expect(await codeOf(one, declared as typeof read, thing)).toBe('NOT_ON_THIS_PLATFORM')
    expect(one.sent).toHaveLength(1)
    const other = exchange([fine])
    expect(await codeOf(other, list, {})).toBeNull()
  })

  it('is asked again after a refused write, whose row may be unknown', async () => {
    const one = exchange([unknown, fine])
    expect(await codeOf(one, change, thing)).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, list, {})).toBeNull()
  })

  it.each([
    ['of the same call', list, {}],
    ['of another call of the entity', change, thing],
  ])('is there for good after one success %s', async (_, first, input) => {
    const one = exchange([fine, unknown])
    expect(await codeOf(one, first as typeof change, input as typeof thing)).toBeNull()
    for (const declared of [list, read, change])
      expect(await codeOf(one, declared as typeof read, thing)).toBe('REQUEST_FAILED')
  })

  it('is not known to be there after an answer that is not whole', async () => {
    const one = exchange([{ body: '{"a":' }, unknown])
    expect(await codeOf(one, list, {})).toBe('INVALID_RESPONSE')
    expect(await codeOf(one, list, {})).toBe('NOT_ON_THIS_PLATFORM')
  })

  it('may be told by a code, until it has succeeded', async () => {
    const wrong = refusal('SCHEMA_ERROR', 400, { message: 'wrong' })
    const one = exchange([wrong, fine, wrong])
    const outcomes = []
    for (let count = 0; count < 3; count++) outcomes.push(await codeOf(one, render, { html: '' }))
    expect(outcomes).toEqual(['NOT_ON_THIS_PLATFORM', null, 'SCHEMA_ERROR'])
  })
})
