import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKit, memoryTokens, ownFetch, requestTokens, systemClock } from 'rxauth'
import { Subject } from 'rxjs'
import type { TokenSource, TokenStore } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { destination, hostileTexts } from '../navigation/hostile-texts'
import { leavePages, showPage } from '../page'
import { watchable } from '../sign-in/watchable'
import { ada, world } from '../world'

const api = 'https://api.example.com'
const apiOrigins = [api]

interface Sent {
  readonly url: string
  readonly method: string
  readonly authorization: string | null
  readonly body: string
  readonly signal: AbortSignal
}

/** The backend, in place of the network. */
let backend: (sent: Sent) => Response | Promise<Response>
const sent: Sent[] = []
const network = globalThis.fetch

beforeEach(() => {
  sent.length = 0
  backend = () => new Response('done')
  globalThis.fetch = async (input, init) => {
    // As the platform does, which refuses a body that has been read.
    const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) })
    const one = {
      url: request.url,
      method: request.method,
      authorization: request.headers.get('authorization'),
      body: await request.text(),
      signal: request.signal,
    }
    sent.push(one)
    return await backend(one)
  }
})

afterEach(() => {
  globalThis.fetch = network
  leavePages()
})

const tokenOf = ({ authorization }: Sent) => authorization?.replace('Bearer ', '')

async function signedIn() {
  const all = await world({ app: { apiOrigins } })
  const token = (await all.settled(all.app.accessToken()))!
  return { ...all, token, refreshes: () => all.requests.filter(line => line === 'POST /auth/oauth/token').length }
}

/** The same tokens in a store of their own. */
async function copyOf(source: TokenSource): Promise<TokenStore> {
  return memoryTokens((await (source as TokenStore).read())!)
}

/** Answers 401 to all tokens in the set. */
function refuse(...tokens: readonly string[]): void {
  backend = one => new Response(null, { status: tokens.includes(tokenOf(one) ?? '') ? 401 : 200 })
}

function thrown(): never {
  throw new TypeError('no stream')
}

describe('fetch of an app', () => {
  it('sends the access token alone, and returns the response of the backend', async () => {
    const { app, settled, token } = await signedIn()
    const answer = Response.json(['buy tea'], { status: 203 })
    backend = () => answer
    const got = await settled(
      app.fetch(`${api}/notes?x=1`, { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } }),
    )
    expect(got).toBe(answer)
    expect(sent).toMatchObject([
      { url: `${api}/notes?x=1`, method: 'PUT', authorization: `Bearer ${token}`, body: '{}' },
    ])
  })

  it('takes a request in place of the options, as fetch does', async () => {
    const { app, settled, token } = await signedIn()
    const passedOn = new Request('https://front.example/', { method: 'POST', body: 'tea', headers: { 'x-id': '1' } })
    backend = () => new Response(null, { status: sent.length === 1 ? 401 : 200 })
    expect((await settled(app.fetch(`${api}/notes`, passedOn))).status).toBe(200)
    expect(sent).toMatchObject(Array(2).fill({ url: `${api}/notes`, method: 'POST', body: 'tea' }))
    expect(tokenOf(sent[0]!)).toBe(token)
  })

  it.each([
    [
      'of a class',
      new (class {
        get method() {
          return 'POST'
        }
        get body() {
          return 'x'
        }
      })(),
    ],
    ['with defaults as its prototype', Object.create({ method: 'POST', body: 'x' }) as RequestInit],
    ['without a prototype', Object.assign(Object.create(null) as RequestInit, { method: 'POST', body: 'x' })],
  ])('reads options %s, as fetch does', async (_, init) => {
    const { app, settled, token } = await signedIn()
    refuse(token)
    expect((await settled(app.fetch(`${api}/a`, init))).status).toBe(200)
    expect(sent.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST x', 'POST x'])
  })

  it('is ownFetch of a kit', async () => {
    const { platform, tokensOf, settled } = await world()
    const kit = createKit({ ...platform.options, tokens: await tokensOf(ada), apiOrigins })
    expect((await settled(ownFetch(kit)(`${api}/a`))).status).toBe(200)
    expect(sent[0]!.authorization).toMatch(/^Bearer eyJ/)
  })

  it('acts as the user of a request on a server', async () => {
    const { platform, tokensOf, settled } = await world()
    const tokens = await (await copyOf(await tokensOf(ada))).read()
    const server = createServerApp({ ...platform.serverOptions, apiOrigins })
    const request = new Request('https://x.example', { headers: { 'x-stack-auth': JSON.stringify(tokens) } })
    const own = server.withTokens(requestTokens(request))
    await settled(own.fetch(`${api}/a`))
    expect(sent[0]!.authorization).toMatch(/^Bearer eyJ/)
    own.dispose()
  })

  it('refreshes first', async () => {
    const { app, settled, clock, token, refreshes } = await signedIn()
    await clock.advance(600_000)
    await settled(app.fetch(`${api}/a`))
    expect(refreshes()).toBe(1)
    expect(tokenOf(sent[0]!)).not.toBe(token)
  })

  it('watches the token store until the answer comes, however it comes', async () => {
    const { newApp, tokensOf, settled } = await world()
    const { store, watchers } = watchable(await copyOf(await tokensOf(ada)))
    const app = newApp({ tokens: store, apiOrigins })
    const seen: number[] = []
    backend = () => {
      seen.push(watchers())
      if (seen.length > 1) throw new TypeError('fetch failed')
      return new Response('tea')
    }
    expect((await settled(app.fetch(`${api}/a`))).status).toBe(200)
    seen.push(watchers())
    await expect(settled(app.fetch(`${api}/a`))).rejects.toThrow('fetch failed')
    expect([...seen, watchers()]).toEqual([1, 0, 1, 0])
    app.dispose()
  })

  it('learns of a sign-out elsewhere, and sends no token', async () => {
    const { newApp, tokensOf, settled } = await world()
    const tokens = await copyOf(await tokensOf(ada))
    const app = newApp({ tokens, apiOrigins })
    await settled(app.user$.get())
    await tokens.replace(await tokens.read(), null)
    expect((await settled(app.fetch(`${api}/a`))).status).toBe(200)
    expect(sent.map(tokenOf)).toEqual([undefined])
    app.dispose()
  })

  it('takes null in place of options, as fetch does', async () => {
    const { app, settled, token } = await signedIn()
    await settled(app.fetch(`${api}/a`, null as unknown as RequestInit))
    expect(tokenOf(sent[0]!)).toBe(token)
  })

  it('cancels the body of a 401 whose refresh fails', async () => {
    const { app, platform, inTime } = await signedIn()
    let isCancelled = false
    backend = () => new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }), { status: 401 })
    platform.faults.every('*', { status: 503 })
    await expect(inTime(app.fetch(`${api}/a`))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(isCancelled).toBe(true)
  })

  it('cancels the body of a redirect that it refuses', async () => {
    const { app, settled } = await signedIn()
    let isCancelled = false
    const headers = { location: 'https://other.example/' }
    backend = () =>
      new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }), { status: 307, headers })
    await expect(settled(app.fetch(`${api}/a`))).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
    expect(isCancelled).toBe(true)
  })

  it('sends no token while signed out', async () => {
    const { newApp, settled } = await world()
    await settled(newApp({ apiOrigins }).fetch(`${api}/a`))
    expect(sent).toMatchObject([{ authorization: null }])
  })

  it('leaves a header of the caller as it is', async () => {
    const { app, settled, refreshes } = await signedIn()
    backend = () => new Response(null, { status: 401 })
    await settled(app.fetch(`${api}/a`, { headers: { Authorization: 'Basic eA==' } }))
    await settled(app.fetch(new Request(`${api}/a`, { headers: { authorization: 'Basic eA==' } })))
    expect(sent.map(one => one.authorization)).toEqual(['Basic eA==', 'Basic eA=='])
    expect(refreshes()).toBe(0)
  })

  it('sends nothing while the session cannot be found out', async () => {
    const { app, clock, platform, inTime } = await signedIn()
    await clock.advance(600_000)
    platform.faults.every('*', { status: 503 })
    await expect(inTime(app.fetch(`${api}/a`))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(sent).toEqual([])
  })

  it('rejects once the kit is disposed of, also while it waits', async () => {
    const { app, settled } = await signedIn()
    backend = () => new Promise(() => undefined)
    const waiting = app.fetch(`${api}/a`)
    waiting.catch(() => undefined)
    await settled(Promise.resolve())
    app.dispose()
    await expect(waiting).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(app.fetch(`${api}/a`)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('rejects as fetch does if the network fails, or the caller aborts', async () => {
    const { app, settled } = await signedIn()
    const failed = new TypeError('fetch failed')
    backend = () => Promise.reject(failed)
    await expect(settled(app.fetch(`${api}/a`))).rejects.toBe(failed)
    const reason = new Error('enough')
    globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error))
      })
    const controller = new AbortController()
    const waiting = app.fetch(`${api}/a`, { signal: controller.signal })
    waiting.catch(() => undefined)
    await settled(Promise.resolve())
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  it.each([0, 600_000])(
    'rejects as fetch does if the caller has aborted, %d ms after the token is new',
    async millis => {
      const { app, settled, clock } = await signedIn()
      await clock.advance(millis)
      const reason = new Error('enough')
      await expect(settled(app.fetch(`${api}/a`, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
      expect(sent).toEqual([])
    },
  )

  it('rejects as fetch does if the caller aborts while the token store does not answer', async () => {
    const { newApp, clock } = await world()
    const tokens = { read: () => new Promise<never>(() => undefined), replace: () => Promise.resolve(true) }
    const app = newApp({ apiOrigins, tokens })
    const controller = new AbortController()
    const reason = new Error('enough')
    const rejected: unknown[] = []
    for (const signal of [controller.signal, AbortSignal.abort(reason)])
      app.fetch(`${api}/a`, { signal }).catch((error: unknown) => rejected.push(error))
    await clock.advance(0)
    expect(rejected).toEqual([reason])
    controller.abort(reason)
    await clock.advance(0)
    expect(rejected).toEqual([reason, reason])
    expect(sent).toEqual([])
    app.dispose()
  })

  it('takes signal: null to detach a request from its own signal, as fetch does', async () => {
    const { app, settled } = await signedIn()
    const controller = new AbortController()
    const request = new Request(`${api}/a`, { signal: controller.signal })
    backend = () => {
      controller.abort()
      return new Response('done')
    }
    const response = await settled(app.fetch(request, { signal: null }))
    expect([await response.text(), sent[0]!.signal.aborted]).toEqual(['done', false])
  })
})

describe('the origins of fetch', () => {
  const page = { href: 'https://app.example.com/notes/1', origin: 'https://app.example.com' }

  it.each([
    ['/api', 'https://app.example.com/api'],
    ['api', 'https://app.example.com/notes/api'],
    ['https://app.example.com/x', 'https://app.example.com/x'],
    [`${api}/x`, `${api}/x`],
    ['https://eu.things.example/x', 'https://eu.things.example/x'],
  ])('on a page: %s', async (input, url) => {
    const { newApp, tokensOf, settled } = await world()
    const app = newApp({ tokens: await tokensOf(ada), apiOrigins: [api, 'https://*.things.example'] })
    showPage({ location: page })
    await settled(app.fetch(input))
    await settled(app.fetch(new URL(url)))
    expect(sent.map(one => [one.url, one.authorization !== null])).toEqual([
      [url, true],
      [url, true],
    ])
  })

  it.each([
    'https://evil.example/x',
    'http://api.example.com/x',
    'https://api.example.com:8443/x',
    'https://api.example.com.evil.example/',
    'https://user:word@api.example.com/',
    '//evil.example/x',
    'data:text/plain,x',
    'blob:https://api.example.com/1',
    'javascript:1',
    '/only-on-a-page',
    '',
  ])('elsewhere nothing is sent: %s', async input => {
    const { app, settled } = await signedIn()
    await expect(settled(app.fetch(input))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'input' },
    })
    expect(sent).toEqual([])
  })

  it('a foreign request is refused, too, without its query in the message', async () => {
    const { app, settled } = await signedIn()
    const refused = settled(app.fetch(new Request('https://evil.example/?code=abc')))
    await expect(refused).rejects.toThrow(/"https:\/\/evil\.example"/)
    await expect(refused).rejects.not.toThrow(/abc/)
  })

  it('a relative address without a page is refused, too, without its query in the message', async () => {
    const { app, settled } = await signedIn()
    const refused = settled(app.fetch('/notes?code=abc#def'))
    await expect(refused).rejects.toThrow(/"\/notes"/)
    await expect(refused).rejects.not.toThrow(/abc|def/)
  })

  it('resolves as fetch does, and judges that: by a <base> elsewhere it sends nothing', async () => {
    const { app, settled } = await signedIn()
    showPage({ location: page })
    Object.assign(document, { baseURI: 'https://evil.example/dir/' })
    for (const input of ['/notes', 'notes', '?x', ''])
      await expect(settled(app.fetch(input))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('"https://evil.example"'),
      })
    await settled(app.fetch(`${page.origin}/notes`))
    expect(sent.map(({ url }) => url)).toEqual([`${page.origin}/notes`])
  })

  // Promise: own-fetch
  it('no text, however hostile, sends a token elsewhere', async () => {
    const { newApp, tokensOf, settled } = await world()
    const app = newApp({ tokens: await tokensOf(ada), apiOrigins })
    showPage({ location: page })
    const texts = [...hostileTexts(3000)].flatMap(text => [text, `https:${text}`, `${api}${text}`])
    const seen: string[] = []
    globalThis.fetch = async input => {
      seen.push(destination((input as URL).href, page.href)!.origin)
      return new Response()
    }
    const all = Promise.allSettled(texts.map(text => app.fetch(text)))
    const results = await settled(all)
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(100)
    expect([...new Set(seen)].sort()).toEqual([api, page.origin])
  })
})

describe('after a 401', () => {
  it('the request is repeated with another token', async () => {
    const { app, settled, token, refreshes } = await signedIn()
    refuse(token)
    const response = await settled(app.fetch(`${api}/a`, { method: 'POST', body: 'x' }))
    expect(response.status).toBe(200)
    expect(refreshes()).toBe(1)
    expect(sent.map(one => one.body)).toEqual(['x', 'x'])
    expect(tokenOf(sent[1]!)).toBe(await settled(app.accessToken()))
  })

  it('the connection of the first answer is given back', async () => {
    const { app, settled, token } = await signedIn()
    const first = new Response('denied', { status: 401 })
    backend = one => (tokenOf(one) === token ? first : new Response())
    await settled(app.fetch(`${api}/a`))
    expect(await first.body!.getReader().read()).toEqual({ done: true, value: undefined })
  })

  it.each([
    ['cannot be given back', () => Promise.reject(new TypeError('locked'))],
    ['is never given back', () => new Promise<void>(() => undefined)],
    ['throws when it is given back', thrown],
  ])('a connection that %s does not stop the repetition', async (_, cancel) => {
    const { app, settled, token } = await signedIn()
    const first = new Response('denied', { status: 401 })
    Object.defineProperty(first.body, 'cancel', { value: cancel })
    backend = one => (tokenOf(one) === token ? first : new Response('done'))
    expect(await (await settled(app.fetch(`${api}/a`))).text()).toBe('done')
  })

  const bytes = new TextEncoder().encode('x')
  const stream = () =>
    new ReadableStream({
      start: (at: ReadableStreamDefaultController) => {
        at.enqueue(bytes)
        at.close()
      },
    })
  async function* pieces() {
    yield await Promise.resolve(bytes)
  }
  const bodies: [string, () => [string | Request, RequestInit?], repeats: boolean][] = [
    ['none', () => [`${api}/a`], true],
    ['a text', () => [`${api}/a`, { body: 'x' }], true],
    ['bytes', () => [`${api}/a`, { body: bytes }], true],
    ['a buffer', () => [`${api}/a`, { body: bytes.buffer }], true],
    ['a blob', () => [`${api}/a`, { body: new Blob(['x']) }], true],
    ['a form', () => [`${api}/a`, { body: new URLSearchParams({ x: '' }) }], true],
    ['a stream', () => [`${api}/a`, { body: stream(), duplex: 'half' } as RequestInit], false],
    ['pieces that Node reads', () => [`${api}/a`, { body: pieces(), duplex: 'half' } as unknown as RequestInit], false],
    ['that of a request', () => [new Request(`${api}/a`, { method: 'POST', body: 'x' })], true],
  ]

  it.each(bodies)('a body is sent twice only if it can be: %s', async (_, inputs, repeats) => {
    const { app, settled, token } = await signedIn()
    refuse(token)
    const [input, init] = inputs()
    const post = init && { method: 'POST', ...init }
    const response = await settled(app.fetch(input, post))
    expect(response.status).toBe(repeats ? 200 : 401)
    expect(new Set(sent.map(one => one.body)).size).toBe(1)
    expect(sent.length).toBe(repeats ? 2 : 1)
  })

  it('a form with a file is sent twice', async () => {
    const { app, settled, token } = await signedIn()
    refuse(token)
    const body = new FormData()
    body.set('file', new Blob(['inside']), 'a.txt')
    expect((await settled(app.fetch(`${api}/a`, { method: 'POST', body }))).status).toBe(200)
    expect(sent.map(one => one.body.includes('inside'))).toEqual([true, true])
  })

  it.each([200, 204, 400, 403, 404, 409, 419, 429, 500, 503])('%d is no such answer', async status => {
    const { app, settled, refreshes } = await signedIn()
    backend = () => new Response(null, { status })
    expect((await settled(app.fetch(`${api}/a`))).status).toBe(status)
    expect([sent.length, refreshes()]).toEqual([1, 0])
  })

  // Promise: own-fetch
  it('one hundred at once are one refresh', async () => {
    const { app, settled, token, refreshes } = await signedIn()
    refuse(token)
    const all = await settled(Promise.all(Array.from({ length: 100 }, (_, at) => app.fetch(`${api}/${at}`))))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(refreshes()).toBe(1)
    expect(sent.length).toBe(200)
  })

  it('to a token that has been replaced costs no refresh', async () => {
    const { app, settled, token, refreshes, clock } = await signedIn()
    let answer: (response: Response) => void = () => undefined
    backend = one => (tokenOf(one) === token ? new Promise(resolve => (answer = resolve)) : new Response())
    const slow = app.fetch(`${api}/slow`)
    await settled(Promise.resolve())
    await clock.advance(600_000)
    await settled(app.accessToken())
    expect(refreshes()).toBe(1)
    answer(new Response(null, { status: 401 }))
    expect((await settled(slow)).status).toBe(200)
    expect(refreshes()).toBe(1)
  })

  // Promise: own-fetch
  it('that a new token gets too, the kit refreshes once in 10 s', async () => {
    const { app, settled, clock, refreshes } = await signedIn()
    backend = () => new Response(null, { status: 401 })
    const ask = async () => (await settled(app.fetch(`${api}/a`))).status
    expect(await ask()).toBe(401)
    expect([sent.length, refreshes()]).toEqual([2, 1])
    expect(await ask()).toBe(401)
    await clock.advance(9_999)
    expect(await ask()).toBe(401)
    expect([sent.length, refreshes()]).toEqual([4, 1])
    await clock.advance(1)
    expect(await ask()).toBe(401)
    expect([sent.length, refreshes()]).toEqual([6, 2])
  })

  it('whose session has ended it returns the 401', async () => {
    const { settled, newApp, tokensOf } = await world()
    const tokens = await tokensOf(ada)
    const app = newApp({ tokens, apiOrigins })
    refuse((await settled(app.accessToken()))!)
    await settled(newApp({ tokens: await copyOf(tokens) }).signOut())
    expect((await settled(app.fetch(`${api}/a`))).status).toBe(401)
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it('offline it rejects, since the session is not over', async () => {
    const { app, inTime, platform, token } = await signedIn()
    refuse(token)
    platform.faults.every('POST /auth/oauth/token', { status: 503 })
    await expect(inTime(app.fetch(`${api}/a`))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(app.tokens$.value).not.toBeNull()
  })
})

describe('a sign-out', () => {
  // Promise: own-fetch
  it('before the answer aborts the request', async () => {
    const { app, settled } = await signedIn()
    backend = () => new Promise(() => undefined)
    const waiting = app.fetch(`${api}/a`)
    waiting.catch(() => undefined)
    await settled(Promise.resolve())
    expect(sent.length).toBe(1)
    await settled(app.signOut())
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(sent[0]!.signal.aborted).toBe(true)
  })

  it('aborts all requests that run', async () => {
    const { app, settled } = await signedIn()
    backend = () => new Promise(() => undefined)
    const all = Promise.allSettled([1, 2, 3].map(id => app.fetch(`${api}/${id}`)))
    await settled(Promise.resolve())
    await settled(app.signOut())
    const refused = { status: 'rejected', reason: { code: 'SESSION_CHANGED' } }
    expect(await settled(all)).toMatchObject([refused, refused, refused])
  })

  // Promise: own-fetch
  it('while the body is read ends the body', async () => {
    const { app, settled } = await signedIn()
    await settled(app.fetch(`${api}/stream`))
    expect(sent[0]!.signal.aborted).toBe(false)
    await settled(app.signOut())
    expect(sent[0]!.signal.aborted).toBe(true)
    expect(sent[0]!.signal.reason).toMatchObject({ code: 'SESSION_CHANGED' })
  })

  it('while the body is read ends the body, too, if the caller has a signal', async () => {
    const { app, settled } = await signedIn()
    const { signal } = new AbortController()
    await settled(app.fetch(`${api}/stream`, { signal }))
    expect(sent[0]!.signal.aborted).toBe(false)
    await settled(app.signOut())
    expect(sent[0]!.signal.reason).toMatchObject({ code: 'SESSION_CHANGED' })
  })

  describe('in a browser without AbortSignal.any', () => {
    const { any } = AbortSignal
    beforeEach(() => {
      Object.assign(AbortSignal, { any: undefined })
    })
    afterEach(() => {
      AbortSignal.any = any
    })

    /** A signal that counts its listeners. */
    function counted() {
      const { signal } = new AbortController()
      const listeners = new Set<unknown>()
      const { addEventListener, removeEventListener } = signal
      signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
        listeners.add(given[1])
        addEventListener.apply(signal, given)
      }
      signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
        listeners.delete(given[1])
        removeEventListener.apply(signal, given)
      }
      return { signal, listeners }
    }

    it.each([
      ['has no body', () => new Response(null, { status: 204 })],
      ['fails', () => Promise.reject(new TypeError('network'))],
      [
        'is redirected elsewhere',
        () => new Response(null, { status: 302, headers: { location: 'https://x.example' } }),
      ],
    ])('the signal of a caller keeps no listener after an answer that %s', async (_, answer) => {
      const { app, settled } = await signedIn()
      backend = answer
      const { signal, listeners } = counted()
      // Request itself adds one that it keeps.
      const network = globalThis.fetch
      globalThis.fetch = (input, init) => network(input, { ...init, signal: null })
      for (let times = 0; times < 3; times++) await settled(app.fetch(`${api}/a`, { signal }).catch(() => undefined))
      expect(listeners.size).toBe(0)
    })

    // Promise: own-fetch
    it.each<[string, (response: Response) => unknown]>([
      ['text()', response => response.text()],
      ['json()', response => response.json()],
      ['arrayBuffer()', response => response.arrayBuffer()],
      ['blob()', response => response.blob()],
      [
        'a reader',
        async ({ body }) => {
          const reader = body!.getReader()
          while (!(await reader.read()).done);
        },
      ],
      [
        'a loop',
        async ({ body }) => {
          for await (const part of body!) expect(part.length).toBeGreaterThan(0)
        },
      ],
      ['pipeTo()', ({ body }) => body!.pipeTo(new WritableStream())],
      ['pipeThrough()', ({ body }) => new Response(body!.pipeThrough(new TransformStream())).text()],
      ['a clone', response => Promise.all([response.clone().clone().text(), response.text()])],
      ['tee()', ({ body }) => Promise.all(body!.tee().map(half => new Response(half).text()))],
      ['cancel()', ({ body }) => body!.cancel()],
      [
        'a loop that is left',
        async ({ body }) => {
          for await (const part of body!) if (part.length > 0) break
        },
      ],
    ])('the signals keep no listener of a body that was read or ended by %s', async (_, read) => {
      const { app, settled } = await signedIn()
      backend = () => Response.json(['buy tea'])
      const { signal, listeners } = counted()
      const network = globalThis.fetch
      let ofBoth: AbortSignal | null | undefined
      globalThis.fetch = (input, init) => {
        ofBoth = init?.signal
        return network(input, { ...init, signal: null })
      }
      const response = await settled(app.fetch(`${api}/a`, { signal }))
      expect(listeners.size).toBe(1)
      await read(response)
      expect(listeners.size).toBe(0)
      await settled(app.signOut())
      expect(ofBoth?.aborted).toBe(false)
    })

    it('the signals keep no listener of a body that fails', async () => {
      const { app, settled } = await signedIn()
      const broken = new TypeError('connection lost')
      backend = () => new Response(new ReadableStream({ pull: controller => controller.error(broken) }))
      const { signal, listeners } = counted()
      const network = globalThis.fetch
      globalThis.fetch = (input, init) => network(input, { ...init, signal: null })
      const response = await settled(app.fetch(`${api}/a`, { signal }))
      await expect(response.text()).rejects.toBe(broken)
      expect(listeners.size).toBe(0)
    })

    it('the response of a caller with a signal has all that fetch tells of it, and so have its clones', async () => {
      const { app, settled } = await signedIn()
      const answer = Response.json(['buy tea'], { status: 203, statusText: 'Tea', headers: { 'x-id': '1' } })
      Object.defineProperties(answer, {
        url: { value: `${api}/b` },
        redirected: { value: true },
        type: { value: 'cors' },
      })
      backend = () => answer
      const { signal } = new AbortController()
      const response = await settled(app.fetch(`${api}/a`, { signal }))
      const told = { url: `${api}/b`, redirected: true, type: 'cors', status: 203, statusText: 'Tea', bodyUsed: false }
      for (const each of [response, response.clone(), response.clone().clone()]) {
        expect(each).toBeInstanceOf(Response)
        expect(each).toMatchObject(told)
        expect(each.headers.get('x-id')).toBe('1')
        expect(await each.clone().json()).toEqual(['buy tea'])
      }
      expect(response.bodyUsed).toBe(false)
      await response.text()
      expect(response.bodyUsed).toBe(true)
    })

    it('an answer whose stream is not one of the platform is returned as it is', async () => {
      const { app, settled } = await signedIn()
      const answer = Object.defineProperty(new Response(), 'body', { value: { pipe: () => undefined } })
      backend = () => answer
      const { signal } = new AbortController()
      expect(await settled(app.fetch(`${api}/a`, { signal }))).toBe(answer)
    })

    it('the signal of a caller keeps no listener of a first answer that was a 401', async () => {
      const { app, settled, token } = await signedIn()
      backend = one => (tokenOf(one) === token ? new Response('denied', { status: 401 }) : new Response())
      const { signal, listeners } = counted()
      const network = globalThis.fetch
      globalThis.fetch = (input, init) => network(input, { ...init, signal: null })
      await settled(app.fetch(`${api}/a`, { signal }))
      expect([sent.length, listeners.size]).toEqual([2, 0])
    })

    it('it ends the body all the same', async () => {
      const { app, settled } = await signedIn()
      const { signal } = counted()
      await settled(app.fetch(`${api}/stream`, { signal }))
      expect(sent[0]!.signal.aborted).toBe(false)
      await settled(app.signOut())
      expect(sent[0]!.signal.reason).toMatchObject({ code: 'SESSION_CHANGED' })
    })

    it('the signal of the caller aborts the request, also its repetition', async () => {
      const { app, settled, token } = await signedIn()
      const caller = new AbortController()
      backend = one => {
        if (tokenOf(one) === token) return new Response(null, { status: 401 })
        caller.abort()
        return new Promise((_, reject) => {
          if (one.signal.aborted) reject(one.signal.reason as Error)
        })
      }
      await expect(settled(app.fetch(`${api}/a`, { signal: caller.signal }))).rejects.toMatchObject({
        name: 'AbortError',
      })
      expect(sent.length).toBe(2)
    })
  })

  it('elsewhere is noticed while the request runs', async () => {
    const { newApp, tokensOf, settled } = await world()
    const changes$ = new Subject<void>()
    const tokens = { ...(await copyOf(await tokensOf(ada))), changes$ }
    const [app, other] = [newApp({ tokens, apiOrigins }), newApp({ tokens })]
    backend = () => new Promise(() => undefined)
    const waiting = app.fetch(`${api}/a`)
    waiting.catch(() => undefined)
    await settled(Promise.resolve())
    await settled(other.signOut())
    changes$.next()
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
  })

  it('a sign-in does not abort a request without a user', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ apiOrigins, tokens: memoryTokens() })
    let answer: (response: Response) => void = () => undefined
    backend = () => new Promise(resolve => (answer = resolve))
    const waiting = app.fetch(`${api}/sign-in`, { method: 'POST' })
    await settled(Promise.resolve())
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    answer(new Response())
    expect((await settled(waiting)).status).toBe(200)
  })

  it('leaves nothing running', async () => {
    const { app, settled } = await signedIn()
    await settled(app.fetch(`${api}/a`))
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })
})

describe('a redirect', () => {
  it('is refused in a browser, which hides its target', async () => {
    const { app, settled } = await signedIn()
    backend = () => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
    await expect(settled(app.fetch(`${api}/a`))).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
      details: { from: api, to: null },
    })
  })

  it('that was followed within the origin is the answer', async () => {
    const { app, settled } = await signedIn()
    const answer = Object.defineProperties(new Response(), {
      redirected: { value: true },
      url: { value: `${api}/there` },
    })
    backend = () => answer
    expect(await settled(app.fetch(`${api}/a`))).toBe(answer)
    expect(sent.length).toBe(1)
  })

  it('that was followed to another origin is refused', async () => {
    const { app, settled } = await signedIn()
    backend = () =>
      Object.defineProperties(new Response(), { redirected: { value: true }, url: { value: 'https://evil.example/' } })
    await expect(settled(app.fetch(`${api}/a`))).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
  })

  describe('in Node', () => {
    const reached: string[] = []
    const foreign = createServer((request, response) => {
      reached.push(`foreign ${request.headers.authorization ? 'with' : 'without'} a token`)
      response.end()
    })
    let elsewhere = ''
    const own = createServer((request, response) => {
      const [, status = '', to = ''] = /^\/(\d+)\/(.*)$/.exec(request.url!) ?? []
      let body = ''
      request.on('data', part => (body += String(part)))
      request.on('end', () => {
        const token = request.headers.authorization ? ' with a token' : ''
        reached.push(`${request.method} ${request.url}${body && ` "${body}"`}${token}`)
        if (to) response.writeHead(Number(status), { location: to === 'foreign' ? elsewhere : `/${to}` })
        response.end('here')
      })
    })
    const listening = async (server: typeof own) => {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    let home = ''

    beforeAll(async () => {
      elsewhere = await listening(foreign)
      home = await listening(own)
    })
    afterAll(() => {
      for (const server of [own, foreign]) {
        server.closeAllConnections()
        server.close()
      }
    })
    beforeEach(() => {
      globalThis.fetch = network
      reached.length = 0
    })

    async function appAtHome() {
      const { newApp, tokensOf } = await world()
      const app = newApp({ clock: systemClock, tokens: await tokensOf(ada), apiOrigins: [home] })
      return app
    }

    it.each([
      ['GET', 301, 'GET', ''],
      ['GET', 308, 'GET', ''],
      ['POST', 301, 'GET', ''],
      ['POST', 302, 'GET', ''],
      ['post', 302, 'GET', ''],
      ['POST', 303, 'GET', ''],
      ['PUT', 303, 'GET', ''],
      ['POST', 307, 'POST', ' "x"'],
      ['PUT', 302, 'PUT', ' "x"'],
      ['DELETE', 308, 'DELETE', ' "x"'],
      ['HEAD', 303, 'HEAD', ''],
      ['head', 303, 'HEAD', ''],
    ])('%s is followed within the origin after %d as %s', async (method, status, then, body) => {
      const app = await appAtHome()
      const init = { method, ...(!['GET', 'HEAD'].includes(method.toUpperCase()) && { body: 'x' }) }
      for (const input of [`${home}/${status}/there`, new Request(`${home}/${status}/there`, init)])
        expect((await app.fetch(input, input instanceof Request ? undefined : init)).status).toBe(200)
      expect(reached.filter((_, at) => at % 2 === 1)).toEqual(Array(2).fill(`${then} /there${body} with a token`))
      app.dispose()
    })

    // Promise: own-fetch
    it.each([301, 302, 303, 307, 308])('%d to another origin is refused, and no token goes there', async status => {
      const app = await appAtHome()
      await expect(app.fetch(`${home}/${status}/foreign`)).rejects.toMatchObject({
        code: 'REDIRECT_REFUSED',
        status,
        details: { from: home, to: elsewhere },
      })
      expect(reached).toHaveLength(1)
      app.dispose()
    })

    it('is returned with redirect: "manual", and refused with "error"', async () => {
      const app = await appAtHome()
      const options = { redirect: 'manual' } as const
      expect((await app.fetch(`${home}/302/foreign`, options)).headers.get('location')).toBe(elsewhere)
      expect((await app.fetch(new Request(`${home}/302/there`, options))).status).toBe(302)
      await expect(app.fetch(`${home}/302/there`, { redirect: 'error' })).rejects.toMatchObject({
        code: 'REDIRECT_REFUSED',
      })
      expect(reached).toHaveLength(3)
      app.dispose()
    })

    it('that would send a stream again is refused', async () => {
      const app = await appAtHome()
      const body = new Blob(['x']).stream()
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit
      await expect(app.fetch(`${home}/307/there`, init)).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
      expect(reached).toHaveLength(1)
      app.dispose()
    })

    it.each([
      ['POST', 303, 307],
      ['POST', 302, 308],
      ['PUT', 303, 302],
    ])('%s that has become GET by %d stays GET after %d, whatever its body was', async (method, first, second) => {
      const app = await appAtHome()
      const url = `${home}/${first}/${second}/there`
      const stream = { method, body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit
      const inputs: [string | Request, RequestInit?][] = [
        [url, { method, body: 'x' }],
        [new Request(url, { method, body: 'x' })],
        [url, stream],
      ]
      for (const [input, init] of inputs) expect((await app.fetch(input, init)).status).toBe(200)
      const lines = [`${method} /${first}/${second}/there "x"`, `GET /${second}/there`, 'GET /there']
      expect(reached).toEqual(
        Array(3)
          .fill(lines.map(line => `${line} with a token`))
          .flat(),
      )
      app.dispose()
    })

    it('in a circle is refused after twenty', async () => {
      const app = await appAtHome()
      const circle = `${home}/302/${'302/'.repeat(30)}x`
      await expect(app.fetch(circle)).rejects.toMatchObject({ code: 'REDIRECT_REFUSED' })
      expect(reached).toHaveLength(21)
      app.dispose()
    })
  })
})
