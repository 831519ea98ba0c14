import type { JWK } from 'jose'
import { isAuthError } from 'rxauth'
import { tokenVerifier } from 'rxauth/server'
import { baseUrl, codeOf, hosted, projectId, tokenOf } from './verifier-world'
import { ada, world } from '../world'

describe('the keys of a project', () => {
  // Promise: keys-fetched-once
  it('are fetched once for all waiting callers', async () => {
    const { verify, first, asked } = await hosted()
    expect(asked).toEqual([])
    const tokens = await Promise.all(Array.from({ length: 20 }, () => first.sign()))
    await Promise.all(tokens.map(token => verify(token)))
    await verify(await first.sign())
    expect(asked).toEqual([`/api/v1/projects/${projectId}/.well-known/jwks.json`])
  })

  // Promise: keys-fetched-once
  it('are fetched again for a token of a new key, once for all', async () => {
    const { verify, first, asked, state, newKey, clock } = await hosted()
    const old = await first.sign()
    await verify(old)
    const second = await newKey('second')
    state.keys = [first.publicKey, second.publicKey]
    await clock.advance(30_000)
    const tokens = await Promise.all([1, 2, 3].map(() => second.sign()))
    await Promise.all(tokens.map(token => verify(token)))
    await verify(old)
    expect(asked).toHaveLength(2)
  })

  // Promise: keys-fetched-once
  it('are fetched at most every 30 s for unknown keys', async () => {
    const { verify, first, asked, newKey, clock } = await hosted()
    await verify(await first.sign())
    const unknown = await (await newKey('unknown')).sign()
    const counts: number[] = []
    for (const millis of [29_999, 1, 0, 29_999, 1]) {
      await clock.advance(millis)
      expect(await codeOf(verify(unknown))).toBe('INVALID_ACCESS_TOKEN')
      counts.push(asked.length)
    }
    expect(counts).toEqual([1, 2, 2, 2, 3])
  })

  it('that were withdrawn are believed for ten minutes at most', async () => {
    const { verify, first, state, newKey, clock } = await hosted()
    const token = await first.sign({ exp: 2e9 })
    await verify(token)
    state.keys = [(await newKey('second')).publicKey]
    await clock.advance(599_999)
    expect(await codeOf(verify(token))).toBe('good')
    await clock.advance(1)
    expect(await codeOf(verify(token))).toBe('INVALID_ACCESS_TOKEN')
  })

  // Promise: verify-token
  it('that cannot be fetched make no token invalid, and are fetched again for the next one', async () => {
    const { verify, first, state } = await hosted()
    state.answer = () => Promise.reject(new TypeError('fetch failed'))
    const error: unknown = await verify(await first.sign()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', details: { attempts: 1 } })
    expect(isAuthError(error, 'INVALID_ACCESS_TOKEN')).toBe(false)
    delete state.answer
    expect(await codeOf(verify(await first.sign()))).toBe('good')
  })

  it.each<[string, () => Promise<Response>, string]>([
    ['refused', async () => new Response('no such project', { status: 404 }), 'REQUEST_FAILED'],
    ['half', async () => new Response('{"keys":['), 'INVALID_RESPONSE'],
    ['something else', async () => Response.json({ items: [] }), 'INVALID_RESPONSE'],
  ])('whose answer is %s say nothing about the token', async (_, answer, code) => {
    const { verify, first, state } = await hosted()
    state.answer = answer
    expect(await codeOf(verify(await first.sign()))).toBe(code)
  })

  it.each<[string, () => Promise<Response>, boolean]>([
    ['a page', async () => new Response('<!doctype html>'), true],
    ['no page', async () => new Response('<!doctype html>', { status: 404 }), true],
    ['nothing', async () => new Response('', { status: 404 }), true],
    ['a sentence of the platform', async () => new Response('Project not found', { status: 404 }), false],
  ])('whose URL answers with %s are reported as the platform’s, or not', async (_, answer, isSaid) => {
    const { verify, first, state } = await hosted()
    state.answer = answer
    const { message } = (await verify(await first.sign()).catch((thrown: unknown) => thrown)) as Error
    expect(message.includes(`what answers at ${baseUrl} is not the platform`)).toBe(isSaid)
  })

  it('are waited for 5 s', async () => {
    const { verify, first, state, clock } = await hosted()
    state.answer = () => new Promise(() => undefined)
    const code = codeOf(verify(await first.sign()))
    await clock.advance(4999)
    await expect(clock.settled(code)).rejects.toThrow('needs time')
    await clock.advance(1)
    expect(await clock.settled(code)).toBe('TIMED_OUT')
  })

  it('are not asked for in another way where nothing was asked in a newer one', async () => {
    const { verify, first, state, asked } = await hosted()
    state.answer = async () => new Response('no', { status: 400 })
    expect(await codeOf(verify(await first.sign()))).toBe('REQUEST_FAILED')
    expect(asked).toHaveLength(1)
  })

  it('are not fetched for a caller that has aborted before', async () => {
    const { verify, first, asked } = await hosted()
    expect(await codeOf(verify(await first.sign(), { signal: AbortSignal.abort() }))).toBe('ABORTED')
    expect(asked).toEqual([])
  })

  // Promise: keys-fetched-once
  it('that are known still work while the platform cannot be reached', async () => {
    const { verify, first, state, clock, asked } = await hosted()
    await verify(await first.sign())
    state.answer = () => Promise.reject(new TypeError('fetch failed'))
    await clock.advance(3_600_000)
    for (let times = 0; times < 3; times++) expect(await codeOf(verify(await first.sign()))).toBe('good')
    // Not asked for with every request either.
    expect(asked).toHaveLength(2)
  })

  it('that are given are not fetched', async () => {
    const made = await hosted()
    const verify = tokenVerifier({
      projectId,
      baseUrl,
      clock: made.clock,
      keys: { keys: [made.first.publicKey] },
      fetch: () => Promise.reject(new Error('not allowed')),
    })
    expect(await codeOf(verify(await made.first.sign()))).toBe('good')
    expect(await codeOf(verify(await (await made.newKey('second')).sign()))).toBe('INVALID_ACCESS_TOKEN')
    expect(() => tokenVerifier({ projectId, baseUrl, keys: [made.first.publicKey] as never })).toThrow(/keys/)
  })

  const unusable: readonly [string, (key: JWK) => JWK][] = [
    ['lacks a coordinate', ({ y: _, ...key }) => key],
    ['is a point that is not on the curve', key => ({ ...key, y: key.x! })],
    ['is no text where it has to be', key => ({ ...key, x: 7 as never })],
    ['is a private one', key => ({ ...key, d: key.x! })],
  ]

  // Promise: unusable-key
  it.each(unusable)('one of which %s make no token invalid, and the others still work', async (_, broken) => {
    const { verify, first, state, newKey } = await hosted()
    const second = await newKey('second')
    state.keys = [broken(first.publicKey), second.publicKey]
    const refused = await verify(await first.sign()).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({ code: 'INVALID_RESPONSE', message: expect.stringContaining('"first"') as string })
    expect(isAuthError(refused, 'INVALID_ACCESS_TOKEN')).toBe(false)
    expect(await codeOf(verify(await second.sign()))).toBe('good')
  })

  it('are asked for again after 30 s where one is of no use', async () => {
    const { verify, first, state, clock } = await hosted()
    const [[, broken] = fail()] = unusable
    state.keys = [broken(first.publicKey)]
    expect(await codeOf(verify(await first.sign()))).toBe('INVALID_RESPONSE')
    state.keys = [first.publicKey]
    await clock.advance(30_000)
    expect(await codeOf(verify(await first.sign()))).toBe('good')
  })

  // Promise: unusable-key
  it.each(unusable)('that are given, one of which %s, are a mistake in the options', async (_, broken) => {
    const { first, clock } = await hosted()
    const verify = tokenVerifier({ projectId, baseUrl, clock, keys: { keys: [broken(first.publicKey)] } })
    await expect(verify(await first.sign())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'keys' },
    })
  })

  it('of a local platform that has been given new ones are found', async () => {
    const { platform, app, clock, settled, newApp, tokensOf } = await world()
    const verify = tokenVerifier(platform.options)
    const old = await settled(tokenOf(app))
    await verify(old)
    const snapshot = platform.snapshot() as { shared: { signingKeys: unknown[] } }
    platform.restore({ ...snapshot, shared: { ...snapshot.shared, signingKeys: [] } })
    await clock.advance(30_000)
    const fresh = await settled(tokenOf(newApp({ tokens: await tokensOf(ada) })))
    await verify(fresh)
    expect(await codeOf(verify(old))).toBe('INVALID_ACCESS_TOKEN')
  })

  it('reject a caller that aborts', async () => {
    const { verify, first, state } = await hosted()
    let answer: (response: Response) => void = () => undefined
    state.answer = () => new Promise(resolve => (answer = resolve))
    const caller = new AbortController()
    const token = await first.sign()
    const [left, stayed] = [codeOf(verify(token, { signal: caller.signal })), codeOf(verify(token))]
    caller.abort()
    expect(await left).toBe('ABORTED')
    answer(Response.json({ keys: state.keys }))
    expect(await stayed).toBe('good')
    expect(await codeOf(verify(token, { signal: caller.signal }))).toBe('ABORTED')
  })
})

function fail(): never {
  throw new Error('there is none')
}
