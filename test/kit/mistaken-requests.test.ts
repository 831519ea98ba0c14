import { createClientApp, memoryTokens, project$, requestTokens, storageTokens, until, user$ } from 'rxauth'
import { createServerApp, currentUser, requestAccessToken, tokenVerifier, verifyWebhook } from 'rxauth/server'
import { secret } from '../verify/webhook-world'
import { world } from '../world'
import { invalid, local } from './mistaken-calls'

describe('what is no request', () => {
  const server = createServerApp(local)
  const verify = tokenVerifier(local)
  const awaited = [undefined, null, {}, 'cookie', new Headers(), { headers: null }, { headers: 'a: b' }] as const

  // Promise: mistaken-requests
  it.each<[call: string, run: (request: never) => unknown]>([
    ['requestTokens(request)', request => requestTokens(request)],
    ['requestAccessToken(request)', requestAccessToken],
    ['currentUser(server, request)', request => currentUser(server, request)],
    ['verify.request(request)', request => verify.request(request)],
    ['verifyWebhook(request, secret)', request => verifyWebhook(request, secret)],
  ])('is refused with the call to write: %s', async (call, run) => {
    for (const request of awaited) {
      const outcome = (async () => run(request as never))()
      await expect(outcome).rejects.toThrow(invalid('request.headers'))
      await expect(outcome).rejects.toThrow(`write ${call}, with a request or { headers }`)
    }
    const unawaited = (async () => run({ headers: Promise.resolve(new Headers()) } as never))()
    await expect(unawaited).rejects.toThrow(/await it first/)
  })

  it('is no server for currentUser()', async () => {
    await expect(currentUser(undefined as never, { headers: {} })).rejects.toThrow(invalid('server'))
  })
})

describe('what is no token store', () => {
  // Promise: mistaken-requests
  it('says what to write for a request, and for nothing', () => {
    const server = createServerApp(local)
    for (const request of [new Request('http://localhost:3000'), { headers: { cookie: 'a=b' } }]) {
      expect(() => server.withTokens(request as never)).toThrow(invalid('tokens'))
      expect(() => server.withTokens(request as never)).toThrow(
        /is a request; write withTokens\(requestTokens\(request\)\)/,
      )
    }
    expect(() => server.withTokens(undefined as never)).toThrow(/is missing.*withTokens\(requestTokens\(request\)\)/)
  })

  // Promise: mistaken-requests
  it.each([
    ['requestTokens(request)', requestTokens],
    ['memoryTokens()', memoryTokens],
    ['storageTokens(localStorage)', storageTokens],
  ])('says that it is called: %s', (call, tokens) => {
    const make = () => createClientApp({ ...local, tokens: tokens as never })
    expect(make).toThrow(invalid('tokens'))
    expect(make).toThrow(`call it: ${call}`)
    expect(() => createServerApp(local).withTokens(tokens as never)).toThrow(`call it: ${call}`)
  })
})

describe('what is no store', () => {
  it.each<[what: string, of: (given: Awaited<ReturnType<typeof world>>) => unknown]>([
    ['an observable', ({ app }) => app.trace$],
    ['a function', ({ app }) => app.teamMembers$],
    ['nothing', () => undefined],
  ])('is refused with what to write by until() and derive(): %s', async (_, of) => {
    const one = await world()
    const store = of(one) as typeof one.app.user$
    await expect(until(store, () => true)).rejects.toThrow(invalid('store'))
    await expect(until(store, () => true)).rejects.toThrow(/app\.user\$ or app\.teamMembers\$/)
    await expect(one.settled(one.app.derive(read => read(store)).get())).rejects.toThrow(/combineLatest/)
  })
})

it.each<[unknown]>([[undefined], [null], [{}]])('a definition without a kit says how to make one: %j', kit => {
  for (const call of [() => user$(kit as never), () => project$(kit as never)])
    expect(call).toThrow(/make one with createKit/)
})
