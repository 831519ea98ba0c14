import fc from 'fast-check'
import * as v from 'valibot'
import { email, items, json, millis } from '../../src/core/wire'
import type { Result } from '../../src/core/result'
import { AuthError, type AuthErrorOf } from '../../src/errors/auth-error'
import type { ErrorCode, FamilyOf } from '../../src/errors/codes'
import { call, checkInput, type CallContext } from '../../src/transport/call'
import { endpoint, type Access, type Endpoint } from '../../src/transport/endpoint'
import { runs } from '../runs'
import { exchange, owner, refusal, watch, type Exchange, type Outcome, type Reply } from './exchange'

const thing = v.object({ id: v.string(), madeAt: millis(), part: v.optional(v.object({ isNew: v.boolean() })) })
const getThing = endpoint('GET /things/{thingId}', { access: 'client', returns: thing, fails: ['TEAM_NOT_FOUND'] })
const wireThing = { id: 'x', made_at_millis: 5, part: { is_new: true } }

/** The outcomes of the calls, and the requests sent for them. */
async function answered<I, O, F extends ErrorCode>(
  endpoint: Endpoint<Access, I, O, F>,
  input: I,
  replies: readonly Reply[],
  options: Parameters<typeof exchange>[1] = {},
  context: CallContext = {},
): Promise<Outcome<Result<O, AuthErrorOf<F | FamilyOf<F>>>> & Pick<Exchange, 'sent'>> {
  const { transport, clock, sent } = exchange(replies, options)
  const outcome = watch(call(transport, endpoint, input, context))
  await clock.advance(0)
  return { ...outcome, sent }
}

describe('an address where something else answers', () => {
  const read = endpoint('GET /users/me', { access: 'client', returns: v.object({ id: v.string() }) })
  const create = endpoint('POST /teams', { access: 'client' })
  const says = 'what answers at https://auth.example.com is not the platform'
  const page = '<!doctype html><title>My app</title>'
  const platformSays = { 'x-stack-actual-status': '404' }

  it.each<[what: string, endpoint: typeof read | typeof create, reply: Reply, code: string, isSaid: boolean]>([
    ['nothing is there', create, { status: 404, body: '' }, 'REQUEST_FAILED', true],
    ['a page says so', read, { status: 404, body: page }, 'REQUEST_FAILED', true],
    ['another API says so', read, { status: 404, body: { message: 'Not Found' } }, 'REQUEST_FAILED', true],
    ['a page is there', read, { body: ` \n${page}` }, 'INVALID_RESPONSE', true],
    ['the platform has none', create, { headers: platformSays, body: 'Not found' }, 'REQUEST_FAILED', false],
    ['a gateway is without the platform', create, { status: 502, body: page }, 'REQUEST_FAILED', false],
    ['the answer is cut off', read, { body: '{"id":' }, 'INVALID_RESPONSE', false],
  ])('is named in the error: %s', async (_, endpoint, reply, code, isSaid) => {
    const { transport, clock } = exchange([reply])
    const outcome = watch(call(transport, endpoint as typeof read, {}))
    await clock.advance(100_000)
    expect(outcome.error).toMatchObject({ code })
    expect((outcome.error as Error).message.includes(says)).toBe(isSaid)
  })
})

describe('the request', () => {
  it.each([
    ['x', 'x'],
    ['a/b', 'a%2Fb'],
    ['a?b=c', 'a%3Fb%3Dc'],
    ['a#b', 'a%23b'],
    ['$update_team', '%24update_team'],
    ['read:all', 'read%3Aall'],
    ['%2e%2e', '%252e%252e'],
    ['a\\b', 'a%5Cb'],
    ['...', '...'],
    [' ', '%20'],
    ['ü☃', '%C3%BC%E2%98%83'],
  ])('has the id "%s" in one segment', async (thingId, segment) => {
    const { sent } = await answered(getThing, { thingId }, [{ body: wireThing }])
    expect(sent[0]!.url).toBe(`https://auth.example.com/api/v1/things/${segment}`)
  })

  it('stays on its route for every id that is accepted', async () => {
    const { transport, sent } = exchange([{ body: wireThing }])
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), async text => {
        let input: { readonly thingId: string }
        try {
          input = checkInput(getThing, { thingId: text })
        } catch {
          return ['.', '..'].includes(text) || /\p{Surrogate}/u.test(text)
        }
        await call(transport, getThing, input)
        const { pathname, search, hash } = new URL(sent.pop()!.url)
        const [root, api, version, things, id, ...rest] = pathname.split('/')
        expect([root, api, version, things, rest, search, hash]).toEqual(['', 'api', 'v1', 'things', [], '', ''])
        return decodeURIComponent(id!) === text
      }),
      { numRuns: runs(500, 20_000) },
    )
  })

  it.each(['', '.', '..', '\ud800', 'a\udc00b'])(
    'is refused for the id %j, which would be another route or none',
    thingId => {
      expect(() => checkInput(getThing, { thingId })).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'thingId' }) }),
      )
    },
  )

  const fields = {
    displayName: v.optional(v.nullable(v.string())),
    sentAt: v.optional(millis()),
    metadata: v.optional(json()),
  }
  it.each(['POST', 'PATCH'] as const)('%s drops undefined, keeps null, and writes wire names', async method => {
    const write = endpoint(`${method} /things`, { access: 'client', body: fields })
    const input = { displayName: null, sentAt: new Date(7), metadata: { keepMe: { a_b: null } } }
    const { sent } = await answered(write, { ...input, metadata: input.metadata }, [{}])
    expect(sent[0]!.body).toEqual({ display_name: null, sent_at_millis: 7, metadata: { keepMe: { a_b: null } } })
    expect(sent[0]!.headers.get('content-type')).toBe('application/json')
    expect(sent[0]!.init.method).toBe(method)
    const dropped = await answered(write, { displayName: undefined }, [{}])
    expect(dropped.sent[0]!.init.body).toBe('{}')
  })

  it('POST without fields sends {}', async () => {
    const { sent } = await answered(endpoint('POST /things', { access: 'client' }), {}, [{}])
    expect(sent[0]!.init.body).toBe('{}')
    expect(sent[0]!.headers.get('content-type')).toBe('application/json')
  })

  it.each(['GET', 'DELETE'] as const)('%s has no body and no content type', async method => {
    const { sent } = await answered(endpoint(`${method} /things`, { access: 'client' }), {}, [{}])
    expect(sent[0]!.init).not.toHaveProperty('body')
    expect(sent[0]!.headers.has('content-type')).toBe(false)
  })

  it.each([
    ['GET', '?user_id=me&order_by=signed_up&since_millis=5&limit=10', undefined],
    ['DELETE', '?user_id=me&order_by=signed_up&since_millis=5&limit=10', undefined],
    ['POST', '?order_by=signed_up&since_millis=5&limit=10', { user_id: 'me' }],
    ['PATCH', '?order_by=signed_up&since_millis=5&limit=10', { user_id: 'me' }],
  ] as const)('%s has its query and what is fixed where they belong', async (method, search, body) => {
    const query = { orderBy: v.string(), since: millis(), limit: v.number(), cursor: v.optional(v.string()) }
    const list = endpoint(`${method} /things`, { access: 'client', fixed: { user_id: 'me' }, query })
    const { sent } = await answered(list, { orderBy: 'signed_up', since: new Date(5), limit: 10 }, [{}])
    expect(new URL(sent[0]!.url).search).toBe(search)
    expect(sent[0]!.body).toEqual(body)
  })

  it('encodes what stands in the query', async () => {
    const list = endpoint('GET /things', { access: 'client', query: { query: v.string() } })
    const { sent } = await answered(list, { query: 'a&b=c/d#e é/' }, [{}])
    const url = new URL(sent[0]!.url)
    expect([url.pathname, url.searchParams.get('query'), url.hash]).toEqual(['/api/v1/things', 'a&b=c/d#e é/', ''])
  })

  it('sends no cookies, reads no cache, and sets keepalive only on request', async () => {
    const { sent } = await answered(getThing, { thingId: 'x' }, [{ body: wireThing }])
    expect(sent[0]!.init).toMatchObject({ credentials: 'omit', cache: 'no-store' })
    expect(sent[0]!.init).not.toHaveProperty('keepalive')
    const kept = await answered(getThing, { thingId: 'x' }, [{ body: wireThing }], {}, { keepalive: true })
    expect(kept.sent[0]!.init.keepalive).toBe(true)
  })
})

describe('the input', () => {
  const write = endpoint('POST /things/{thingId}', {
    access: 'client',
    body: { email: email(), limit: v.optional(v.number(), 3), part: v.optional(v.object({ isNew: v.boolean() })) },
  })

  it('gets its defaults and normal forms', () => {
    const input = checkInput(write, { thingId: 'x', email: '  Ada@Example.COM ' })
    expect(input).toEqual({ thingId: 'x', email: 'ada@example.com', limit: 3 })
  })

  it.each([
    ['email', { thingId: 'x', email: 7777 }],
    ['email', { thingId: 'x' }],
    ['thingId', { email: 'a@b.cd' }],
    ['part.isNew', { thingId: 'x', email: 'a@b.cd', part: { isNew: 7777 } }],
    ['colour', { thingId: 'x', email: 'a@b.cd', colour: 7777 }],
    ['input', 7777],
    ['input', null],
  ])('names the field %s when it is wrong, never the value', (field, input) => {
    let error: unknown
    try {
      checkInput(write, input)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect((error as Error).message).toContain(field)
    expect((error as Error).message).not.toContain('7777')
  })
})

describe('the answer', () => {
  it('follows its schema, in local terms', async () => {
    const { value } = await answered(getThing, { thingId: 'x' }, [{ body: { ...wireThing, unknown_field: 1 } }])
    expect(value).toEqual({ ok: true, value: { id: 'x', madeAt: new Date(5), part: { isNew: true } } })
  })

  it.each([
    ['madeAt', { ...wireThing, made_at_millis: 'secret' }],
    ['madeAt', { ...wireThing, made_at_millis: 8.64e15 + 1 }],
    ['madeAt', { id: 'x' }],
    ['part.isNew', { ...wireThing, part: { is_new: 'secret' } }],
    ['id', ['secret']],
    ['(whole)', '"secret"'],
    ['(whole)', 'null'],
  ])('of the wrong shape names the field %s, never the value', async (field, body) => {
    const { error } = await answered(getThing, { thingId: 'x' }, [{ body }])
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200 })
    expect(error.message).toContain(`/things/{thingId}: the answer's field "${field}"`)
    expect(error.message).not.toContain('secret')
  })

  it('names a wrong field inside a list by its place', async () => {
    const list = endpoint('GET /things', { access: 'client', returns: items(thing) })
    const { error } = await answered(list, {}, [{ body: { items: [wireThing, { id: 7 }], is_paginated: false } }])
    expect(error.message).toContain('"1.id"')
  })

  it.each(['', '{', '{"id": "x", "made_at', '<!doctype html>'])(
    'that is not whole JSON (%j) is INVALID_RESPONSE',
    async body => {
      const { error } = await answered(getThing, { thingId: 'x' }, [{ body }])
      expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200 })
    },
  )

  it.each(['{}', '{"success":true}', '{"success":"true"}', '{"ok":"ok"}'])(
    'has no value if the endpoint returns nothing: %s',
    async body => {
      const { value } = await answered(endpoint('DELETE /things', { access: 'client' }), {}, [{ body }])
      expect(value).toEqual({ ok: true, value: undefined })
    },
  )

  // Promise: actual-status
  it.each([
    [{ status: 201, body: wireThing }, 'value'],
    [{ headers: { 'x-stack-actual-status': '201' }, body: wireThing }, 'value'],
    [{ headers: { 'x-stack-actual-status': 'nonsense' }, body: wireThing }, 'value'],
    [{ headers: { 'x-stack-actual-status': '403' }, body: wireThing }, 403],
    [{ headers: { 'x-stack-actual-status': '500' }, body: 'oops' }, 500],
    [{ status: 404, body: 'Not found' }, 404],
    [{ status: 500, headers: { 'x-stack-actual-status': '404' }, body: 'no' }, 404],
  ] as [Reply & object, 'value' | number][])('%j is judged by its actual status: %s', async (reply, expected) => {
    const outcome = await answered(getThing, { thingId: 'x' }, [reply])
    if (expected === 'value') expect(outcome.value).toMatchObject({ ok: true })
    else {
      const details = { method: 'GET', path: '/things/{thingId}', status: expected, body: expect.any(String) }
      expect(outcome.error).toMatchObject({ code: 'REQUEST_FAILED', status: expected, details })
    }
  })
})

describe('a known error', () => {
  it('that the endpoint declares is returned', async () => {
    const { value } = await answered(getThing, { thingId: 'x' }, [
      refusal('TEAM_NOT_FOUND', 404, { team_id: 't' }, 'gone'),
    ])
    const error = value?.ok === false ? value.error : undefined
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({
      code: 'TEAM_NOT_FOUND',
      status: 404,
      details: { teamId: 't' },
      message: 'gone',
    })
  })

  // Promise: error-family
  it.each([
    ['PASSWORD_REQUIREMENTS_NOT_MET', 'PASSWORD_TOO_SHORT'],
    ['VERIFICATION_ERROR', 'VERIFICATION_CODE_EXPIRED'],
    ['API_KEY_NOT_VALID', 'API_KEY_NOT_FOUND'],
  ] as const)(
    'that is %s is returned as a value if the endpoint declares one of the family: %s',
    async (family, declared) => {
      const change = endpoint('POST /things', { access: 'client', fails: [declared] })
      const { value } = await answered(change, {}, [refusal(family)])
      expect(value).toMatchObject({ ok: false, error: { code: family } })
      const other = endpoint('POST /things', { access: 'client', fails: ['TEAM_NOT_FOUND'] })
      expect((await answered(other, {}, [refusal(family)])).error).toMatchObject({ code: family })
      // Another member of the family is another failure.
      const sibling = {
        PASSWORD_TOO_SHORT: 'PASSWORD_TOO_LONG',
        VERIFICATION_CODE_EXPIRED: 'VERIFICATION_CODE_NOT_FOUND',
      }
      const code = { ...sibling, API_KEY_NOT_FOUND: 'API_KEY_REVOKED' }[declared]
      expect((await answered(change, {}, [refusal(code)])).error).toMatchObject({ code })
    },
  )

  it('that it does not declare is thrown', async () => {
    const { error } = await answered(getThing, { thingId: 'x' }, [refusal('USER_NOT_FOUND', 404)])
    expect(error).toMatchObject({ code: 'USER_NOT_FOUND', status: 404 })
  })

  // Promise: actual-status
  it('is one whether its status was overridden or not', async () => {
    const reply = {
      status: 404,
      headers: { 'x-stack-known-error': 'USER_NOT_FOUND' },
      body: { code: 'USER_NOT_FOUND', error: 'no' },
    }
    const { error } = await answered(getThing, { thingId: 'x' }, [reply])
    expect(error).toMatchObject({ code: 'USER_NOT_FOUND', status: 404 })
  })

  it.each([
    [{ error: 'E', message: 'M' }, 'E'],
    [{ message: 'M' }, 'M'],
    [{}, 'USER_NOT_FOUND'],
    [{ error: 7 }, 'USER_NOT_FOUND'],
  ])('with the body %j says "%s"', async (texts, message) => {
    const reply = { headers: { 'x-stack-known-error': 'USER_NOT_FOUND' }, body: { code: 'USER_NOT_FOUND', ...texts } }
    const { error } = await answered(getThing, { thingId: 'x' }, [reply])
    expect(error).toMatchObject({ code: 'USER_NOT_FOUND', message, details: undefined })
  })

  it.each([
    ['SIGN_UP_NOT_ENABLED', 'signUpEnabled'],
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', 'credentialEnabled'],
    ['PASSKEY_AUTHENTICATION_NOT_ENABLED', 'passkeyEnabled'],
  ])('of a method that is switched off names its setting once: %s', async (code, setting) => {
    const says = async (told: string) => {
      const { error } = await answered(getThing, { thingId: 'x' }, [refusal(code, 400, undefined, told)])
      expect(error).toMatchObject({ code })
      return (error as Error).message
    }
    expect(await says('Not enabled.')).toBe(`Not enabled. The project's setting ${setting} turns it on.`)
    expect(await says(`Off: switch on ${setting}.`)).toBe(`Off: switch on ${setting}.`)
  })

  // Promise: actual-status
  it.each([
    { code: 'USER_EMAIL_ALREADY_EXISTS', error: 'no' },
    { error: 'no' },
    ['USER_NOT_FOUND'],
    'null',
    '"USER_NOT_FOUND"',
    '{"code": "USER_NOT_FOUND"',
    '',
  ])('whose header contradicts its body %j is INVALID_RESPONSE', async body => {
    const reply = { headers: { 'x-stack-known-error': 'USER_NOT_FOUND', 'x-stack-actual-status': '404' }, body }
    const { error } = await answered(getThing, { thingId: 'x' }, [reply])
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 404 })
  })

  it('that no version knew is UNSUPPORTED_ERROR with status 500 and the original code', async () => {
    const { error } = await answered(getThing, { thingId: 'x' }, [refusal('BRAND_NEW', 418, {}, 'teapot')])
    expect(error).toMatchObject({ code: 'UNSUPPORTED_ERROR', status: 500, details: { originalErrorCode: 'BRAND_NEW' } })
    expect(error.message).toMatch(/BRAND_NEW.*teapot/)
  })

  it.each(['__proto__', 'constructor', 'toString'])('called %s is unknown', async code => {
    const body = `{"code": "${code}", "error": "no"}`
    const { error } = await answered(getThing, { thingId: 'x' }, [{ headers: { 'x-stack-known-error': code }, body }])
    expect(error).toMatchObject({ code: 'UNSUPPORTED_ERROR', details: { originalErrorCode: code } })
  })
})

describe('tokens', () => {
  const tokens = { accessToken: 'access-1', refreshToken: 'refresh' }
  const expired = refusal('ACCESS_TOKEN_EXPIRED', 401)

  it('are requested before each attempt, for the owner of the call', async () => {
    const owners: unknown[] = []
    const tokensFor = (whose: unknown) => {
      owners.push(whose)
      return Promise.resolve({ accessToken: `access-${owners.length}`, refreshToken: null })
    }
    const { transport, clock, sent } = exchange([{ status: 429, body: '' }, { body: wireThing }], {
      credentials: { tokensFor },
    })
    watch(call(transport, getThing, { thingId: 'x' }, { owner }))
    await clock.advance(1000)
    expect(owners).toEqual([owner, owner])
    expect(sent.map(({ headers }) => headers.get('x-stack-access-token'))).toEqual(['access-1', 'access-2'])
  })

  it('of another identity end the call before another request', async () => {
    const changed = new AuthError('SESSION_CHANGED', 'another')
    const answers = [Promise.resolve(tokens), Promise.reject(changed)]
    answers[1]!.catch(() => undefined)
    const { transport, clock, sent } = exchange([{ status: 429, body: '' }], {
      credentials: { tokensFor: () => answers.shift()! },
    })
    const outcome = watch(call(transport, getThing, { thingId: 'x' }, { owner }))
    await clock.advance(100_000)
    expect(outcome.error).toBe(changed)
    expect(sent).toHaveLength(1)
  })

  it('are not sent with a call that no session owns', async () => {
    const { sent } = await answered(getThing, { thingId: 'x' }, [expired], { tokens })
    expect(sent).toHaveLength(1)
    expect(sent[0]!.headers.has('x-stack-access-token')).toBe(false)
    expect(sent[0]!.headers.has('x-stack-refresh-token')).toBe(false)
  })

  it('given for one call are sent with it', async () => {
    const { sent } = await answered(
      getThing,
      { thingId: 'x' },
      [{ body: wireThing }],
      { tokens },
      { as: { accessToken: 'other', refreshToken: null } },
    )
    expect(sent[0]!.headers.get('x-stack-access-token')).toBe('other')
    expect(sent[0]!.headers.has('x-stack-refresh-token')).toBe(false)
  })

  // Promise: refused-token-resent
  it.each(['ACCESS_TOKEN_EXPIRED', 'UNPARSABLE_ACCESS_TOKEN', 'INVALID_PROJECT_FOR_ACCESS_TOKEN'])(
    '%s drops the token and sends the call once more',
    async code => {
      const dropped: string[] = []
      const replies = [refusal(code, 401), { body: wireThing }]
      const { sent, value } = await answered(
        getThing,
        { thingId: 'x' },
        replies,
        { tokens, credentials: { refused: token => dropped.push(token) } },
        { owner },
      )
      expect(dropped).toEqual(['access-1'])
      expect(sent).toHaveLength(2)
      expect(value).toMatchObject({ ok: true })
    },
  )

  // Promise: refused-token-resent
  it('refused twice are an error, not a loop', async () => {
    const { sent, error } = await answered(getThing, { thingId: 'x' }, [expired], { tokens }, { owner })
    expect(sent).toHaveLength(2)
    expect(error).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED', status: 401 })
  })

  it.each([
    [true, 2],
    [false, 1],
  ])('of an unknown user: worth another try %s, %i requests', async (isWorthIt, requests) => {
    const userMissing = () => Promise.resolve(isWorthIt)
    const { sent, error } = await answered(
      getThing,
      { thingId: 'x' },
      [refusal('CANNOT_GET_OWN_USER_WITHOUT_USER')],
      { tokens, credentials: { userMissing } },
      { owner },
    )
    expect(sent).toHaveLength(requests)
    expect(error).toMatchObject({ code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' })
  })

  it('that cannot be read make the call fail with their error', async () => {
    const tokensFor = () => Promise.reject(new AuthError('NETWORK_ERROR', 'no refresh'))
    const { sent, error } = await answered(getThing, { thingId: 'x' }, [{}], { credentials: { tokensFor } }, { owner })
    expect(sent).toEqual([])
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', message: 'no refresh' })
  })
})
