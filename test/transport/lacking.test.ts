import * as v from 'valibot'
import { call } from '../../src/transport/call'
import { newer } from '../../src/core/wire'
import { endpoint, type Access, type Endpoint } from '../../src/transport/endpoint'
import { lacking } from '../../src/transport/lacking'
import { exchange, refusal, type Exchange, type Reply } from './exchange'

const list = endpoint('GET /things', { access: 'client', returns: v.object({}), notOnPlatform: lacking(404) })
const read = endpoint('GET /things/{thingId}', { access: 'client', returns: v.object({}), notOnPlatform: lacking(404) })
const listOf = endpoint('GET /things', {
  access: 'client',
  query: { ownerId: v.string() },
  returns: v.object({}),
  notOnPlatform: lacking(404),
})
const change = endpoint('PATCH /things/{thingId}', { access: 'client', notOnPlatform: lacking(404) })
const own = endpoint('PATCH /things/me/{thingId}', { access: 'client', notOnPlatform: lacking(404) })
const found = endpoint('GET /found', {
  access: 'client',
  query: {
    query: newer(v.optional(v.string())),
    countryCode: newer(v.optional(v.string())),
    limit: v.optional(v.number()),
  },
  returns: v.object({}),
  notOnPlatform: lacking(),
})
const rename = endpoint('PATCH /found', {
  access: 'client',
  body: { countryCode: newer(v.optional(v.string())), name: v.optional(v.string()) },
  notOnPlatform: lacking(),
})
const mine = endpoint('GET /mine', { access: 'client', fixed: { user_id: 'me' }, notOnPlatform: lacking('user_id') })

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
  // Promise: not-on-this-platform
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

  // Promise: not-on-this-platform
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

  // Promise: not-on-this-platform
  // Promise: oauth-links
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

  // Promise: not-on-this-platform
  it('is asked again after a refused read of a row, which may be unknown', async () => {
    const one = exchange([unknown, unknown, fine])
    expect(await codeOf(one, read, thing)).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, listOf, { ownerId: 'y' })).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, read, { thingId: 'z' })).toBeNull()
  })

  // Promise: not-on-this-platform
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
})

const named = (...fields: string[]) => {
  const message = `GET /found does not fit the endpoint:\n  - query contains unknown properties: ${fields.join(', ')}`
  return refusal('SCHEMA_ERROR', 400, { message }, message)
}

describe('a field that a release may lack', () => {
  // Promise: field-not-on-this-platform
  it('is NOT_ON_THIS_PLATFORM after an error of the schema that names it', async () => {
    const { transport, clock, sent } = exchange([named('country_code')])
    const outcome = call(transport, found, { countryCode: 'DE' }).catch((error: unknown) => error)
    await clock.advance(0)
    expect(await outcome).toMatchObject({
      code: 'NOT_ON_THIS_PLATFORM',
      status: 400,
      message: 'this release of the platform does not have the field country_code of GET /found',
      details: { call: 'GET /found', field: 'country_code' },
      cause: { code: 'SCHEMA_ERROR' },
    })
    expect(sent).toHaveLength(1)
  })

  // Promise: field-not-on-this-platform
  it.each<[what: string, reply: Reply, code: string]>([
    ['names another field', named('limit'), 'SCHEMA_ERROR'],
    ['names a part of the name', named('country'), 'SCHEMA_ERROR'],
    ['names a longer one', named('country_code_2'), 'SCHEMA_ERROR'],
    ['names no field', refusal('SCHEMA_ERROR'), 'SCHEMA_ERROR'],
    ['has another code', refusal('BODY_PARSING_ERROR', 400, undefined, 'country_code'), 'BODY_PARSING_ERROR'],
    ['has no code', { headers: { 'x-stack-actual-status': '400' }, body: 'country_code' }, 'REQUEST_FAILED'],
    ['is a failure', { headers: { 'x-stack-actual-status': '500' }, body: 'country_code' }, 'REQUEST_FAILED'],
    ['is of a proxy', { status: 400, body: page + 'country_code' }, 'REQUEST_FAILED'],
    ['is the 404 of an unknown call', unknown, 'REQUEST_FAILED'],
    [
      'says what else a field demands',
      refusal('SCHEMA_ERROR', 400, { message: 'country_code must be null when reason is not true' }, 'x'),
      'SCHEMA_ERROR',
    ],
  ])('is not after a refusal that %s', async (_, reply, code) => {
    const one = exchange([reply, named('country_code')])
    const input = { countryCode: 'DE', limit: 5 }
    expect(await codeOf(one, found, input)).toBe(code)
    // It has proved nothing.
    expect(await codeOf(one, found, input)).toBe('NOT_ON_THIS_PLATFORM')
  })

  it('is not the part of the request that has its name', async () => {
    const message = 'GET /found does not fit the endpoint:\n  - query.limit must be a whole number'
    const one = exchange([refusal('SCHEMA_ERROR', 400, { message }, message)])
    expect(await codeOf(one, found, { query: 'ada', limit: 5 })).toBe('SCHEMA_ERROR')
  })

  it('is named by the error of one of several forms of the call', async () => {
    const one = exchange([refusal('ALL_OVERLOADS_FAILED', 400, { overload_errors: [{ message: 'unknown: user_id' }] })])
    expect(await codeOf(one, mine, {})).toBe('NOT_ON_THIS_PLATFORM')
  })

  it('may be declared by its name alone', async () => {
    const list = endpoint('GET /found', {
      access: 'client',
      query: { countryCode: v.optional(v.string()) },
      notOnPlatform: lacking('country_code'),
    })
    const one = exchange([named('country_code')])
    expect(await codeOf(one, list, {})).toBe('SCHEMA_ERROR')
    expect(await codeOf(one, list, { countryCode: 'DE' })).toBe('NOT_ON_THIS_PLATFORM')
  })

  // Promise: field-not-on-this-platform
  it('is asked once for each kit: then a read with it rejects without a request, and one without it is sent', async () => {
    const one = exchange([named('country_code'), fine])
    expect(await codeOf(one, found, { countryCode: 'DE' })).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, found, { countryCode: 'FR' })).toBe('NOT_ON_THIS_PLATFORM')
    expect(one.sent).toHaveLength(1)
    expect(await codeOf(one, found, { limit: 5 })).toBeNull()
    expect(await codeOf(one, found, { query: 'ada' })).toBeNull()
  })

  it('is asked again after a refused write, whose value may be wrong', async () => {
    const one = exchange([named('country_code'), fine])
    expect(await codeOf(one, rename, { countryCode: 'D' })).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, rename, { countryCode: 'DE' })).toBeNull()
  })

  // Promise: field-not-on-this-platform
  it('is there for good after one success with it, and not after one without it', async () => {
    const one = exchange([fine, named('country_code'), fine, named('country_code')])
    expect(await codeOf(one, rename, { name: 'a' })).toBeNull()
    expect(await codeOf(one, rename, { countryCode: 'DE' })).toBe('NOT_ON_THIS_PLATFORM')
    expect(await codeOf(one, rename, { countryCode: 'DE' })).toBeNull()
    expect(await codeOf(one, rename, { countryCode: 'D' })).toBe('SCHEMA_ERROR')
  })

  it('is not meant by a refusal of a call without it', async () => {
    expect(await codeOf(exchange([named('country_code')]), found, { limit: 5 })).toBe('SCHEMA_ERROR')
  })
})
