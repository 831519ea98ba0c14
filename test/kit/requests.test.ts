import { asUser, withSession, type AnswerHeaders, type RequestApp } from 'rxauth/server'
import type { AuthError } from 'rxauth'
import { adaId, renderWorld, tenMinutes } from '../session/render-world'
import { ada } from '../world'

const signIn = (own: RequestApp) => own.signInWithPassword({ email: ada.email, password: ada.password })

/** The names of the cookies that an answer sets, and `-` before those that it deletes. */
const cookiesSetBy = (headers: Headers) =>
  headers.getSetCookie().map(line => `${/Max-Age=0;/.test(line) ? '-' : ''}${line.slice(0, line.indexOf('='))}`)

async function scene(...options: Parameters<typeof renderWorld>) {
  const one = await renderWorld(...options)
  const refresh = `stack-refresh-${one.platform.options.projectId}`
  const apps: RequestApp[] = []
  const { withTokens } = one.server
  jest.spyOn(one.server, 'withTokens').mockImplementation(tokens => {
    const app = withTokens(tokens)
    apps.push(app)
    return app
  })
  return { ...one, refresh, apps }
}

/** Of answers that caches in front of the app store, with what none of them reads. */
const forCaches = {
  'akamai-cache-control': 'max-age=60',
  'cache-control': 'public, max-age=60',
  'cdn-cache-control': 'max-age=60',
  'cloudflare-cdn-cache-control': 'max-age=60',
  'edge-control': 'max-age=60',
  'example-cache-control': 'max-age=60',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
  'netlify-cdn-cache-control': 'max-age=60',
  'surrogate-control': 'max-age=60',
  'surrogate-key': 'pages',
  'vercel-cdn-cache-control': 'max-age=60',
  'x-accel-expires': '60',
}

/** As `fetch` gives it: its headers cannot be changed. */
function fetched(headers: Readonly<Record<string, string>>): Response {
  const response = new Response('', { headers })
  for (const name of ['delete', 'set', 'append'] as const)
    response.headers[name] = () => {
      throw new TypeError('immutable')
    }
  return response
}

const toldCaches = (headers: Headers) => [...headers].filter(([name]) => /-control$|expires$/.test(name))

const codeOfReading = (app: RequestApp) => app.user$.get().catch((error: unknown) => (error as AuthError).code)

describe('asUser', () => {
  it('calls back with an app of the request’s user, and disposes of it afterwards', async () => {
    const { server, browser, settled, apps } = await scene()
    const request = (await browser()).request()
    expect(await settled(asUser(server, request, async own => (await own.user$.get())?.id))).toBe(adaId)
    expect(await Promise.all(apps.map(codeOfReading))).toEqual(['DISPOSED'])
  })

  it('disposes of the app when the callback throws, and rejects with what it has thrown', async () => {
    const { server, apps } = await scene()
    const error = new Error('mine')
    const thrown = asUser(server, { headers: {} }, () => {
      throw error
    })
    await expect(thrown).rejects.toBe(error)
    expect(await Promise.all(apps.map(codeOfReading))).toEqual(['DISPOSED'])
  })

  // Promise: request-sets-cookies
  it('adds cookies to the headers of the answer, once with those that forbid caches', async () => {
    const { server, settled, refresh } = await scene()
    const headers = new Headers({ vary: 'Accept-Language' })
    await settled(asUser(server, { url: 'https://app.example.com/', headers: {} }, signIn, headers))
    expect(cookiesSetBy(headers)).toEqual(['stack-access', refresh])
    expect(headers.getSetCookie()[1]).toMatch(/; Max-Age=31536000; Path=\/; SameSite=Lax; Secure$/)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('vary')).toBe('Accept-Language, Cookie')
  })

  it('removes what tells a cache in front of the app to store the answer', async () => {
    const { server, settled } = await scene()
    const headers = new Headers(forCaches)
    await settled(asUser(server, { headers: {} }, () => Promise.resolve(), headers))
    expect(Object.fromEntries(headers)).toEqual(forCaches)
    await settled(asUser(server, { headers: {} }, signIn, headers))
    expect(toldCaches(headers)).toEqual([['cache-control', 'private, no-store']])
    expect(headers.get('surrogate-key')).toBe('pages')
  })

  it('overwrites it in an answer that can remove no header', async () => {
    const { server, settled } = await scene()
    const headers = new Headers(forCaches)
    const answer: AnswerHeaders = {
      get: name => headers.get(name),
      set: (name, value) => headers.set(name, value),
      append: (name, value) => headers.append(name, value),
    }
    headers.delete('example-cache-control')
    headers.delete('akamai-cache-control')
    await settled(asUser(server, { headers: {} }, signIn, answer))
    const told = toldCaches(headers)
    expect(told.map(([name]) => name)).toEqual(
      toldCaches(new Headers(forCaches)).flatMap(([name]) => (/^(exa|aka)/.test(name) ? [] : name)),
    )
    expect(told.filter(([, value]) => !/no-store|^0$/.test(value))).toEqual([])
    // A name that only the answer knows.
    headers.set('example-cache-control', 'max-age=60')
    const listed = { ...answer, forEach: headers.forEach.bind(headers) }
    await settled(asUser(server, { headers: {} }, signIn, listed))
    expect(headers.get('example-cache-control')).toBe('private, no-store')
  })

  it('calls the function that sets cookies', async () => {
    const { server, settled, refresh } = await scene()
    const names: string[] = []
    await settled(asUser(server, { headers: {} }, signIn, ({ name }) => names.push(name)))
    expect(names).toEqual(['stack-access', refresh])
  })

  it('throws for an app that is none of a server', async () => {
    const { app } = await scene()
    await expect(asUser(app as never, { headers: {} }, signIn)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'server' },
    })
  })
})

describe('withSession', () => {
  const page = () => new Response('a page')

  // Promise: request-sets-cookies
  it('renews the session before the page, and sets its cookies on the response', async () => {
    const { server, browser, clock, settled, refreshes } = await scene()
    const request = (await browser()).request()
    await clock.advance(tenMinutes)
    const answer = jest.fn(() => (expect(refreshes()).toBe(1), page()))
    const response = await settled(withSession(server, request, answer))
    expect(answer).toHaveBeenCalledTimes(1)
    expect(cookiesSetBy(response.headers)[0]).toBe('stack-access')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('vary')).toBe('Cookie')
    expect(await response.text()).toBe('a page')
  })

  it('removes what tells a cache in front of the app to store the response, of any kind', async () => {
    const { server, browser, clock, settled } = await scene()
    const request = (await browser()).request()
    await clock.advance(tenMinutes)
    for (const answer of [() => new Response('a page', { headers: forCaches }), () => fetched(forCaches)]) {
      const { headers } = await settled(withSession(server, request, answer))
      expect(toldCaches(headers)).toEqual([['cache-control', 'private, no-store']])
      expect(headers.get('surrogate-key')).toBe('pages')
    }
  })

  it('sets no cookie for a visitor, and forbids caches all the same', async () => {
    const { server, settled, requests } = await scene()
    const response = await settled(withSession(server, { headers: {} }, page))
    expect(cookiesSetBy(response.headers)).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(requests).toEqual([])
  })

  it('sets the cookies of a sign-in and a sign-out in the page', async () => {
    const { server, browser, settled, refresh } = await scene()
    const entering = { url: 'https://app.example.com/', headers: new Headers() }
    const entered = withSession(server, entering, async () => (await asUser(server, entering, signIn), page()))
    expect(cookiesSetBy((await settled(entered)).headers)).toEqual(['stack-access', refresh])
    const leaving = (await browser()).request()
    const left = withSession(server, leaving, async () => (await asUser(server, leaving, own => own.signOut()), page()))
    expect(cookiesSetBy((await settled(left)).headers)).toEqual([`-${refresh}`, '-stack-access'])
  })

  it('puts the cookies of the response itself after its own', async () => {
    const { server, browser, clock, settled } = await scene()
    const request = (await browser()).request()
    await clock.advance(tenMinutes)
    const own = () => new Response('', { headers: { 'set-cookie': 'theme=dark' } })
    const names = cookiesSetBy((await settled(withSession(server, request, own))).headers)
    expect(names.at(-1)).toBe('theme')
    expect(names.length).toBeGreaterThan(1)
  })

  it.each([
    ['a redirect', () => Response.redirect('https://app.example.com/next', 303)],
    ['an answer without a body', () => new Response(null, { status: 304 })],
  ])('keeps the status and the headers of %s', async (_, answer) => {
    const { server, browser, clock, settled } = await scene()
    const request = (await browser()).request()
    await clock.advance(tenMinutes)
    const response = await settled(withSession(server, request, answer))
    const { status, headers } = answer()
    expect([response.status, response.headers.get('location')]).toEqual([status, headers.get('location')])
    expect(cookiesSetBy(response.headers)[0]).toBe('stack-access')
  })

  // Promise: request-sets-cookies
  it('leaves the tokens of a stream to the next request, which sets them', async () => {
    const { server, browser, clock, settled, refreshes } = await scene({}, { rotation: { graceMillis: 0 } })
    const jar = await browser()
    const request = jar.request()
    let streamed!: () => Promise<unknown>
    await settled(
      withSession(server, request, () => {
        streamed = () => asUser(server, request, async own => (await own.user$.get())?.id)
        return page()
      }),
    )
    await clock.advance(tenMinutes)
    expect(await settled(streamed())).toBe(adaId)
    const next = await settled(withSession(server, jar.request(), page))
    expect(cookiesSetBy(next.headers)[0]).toBe('stack-access')
    expect(refreshes()).toBe(1)
  })

  // Promise: request-sets-cookies
  it('calls the page although the platform cannot be reached', async () => {
    const { newServer, browser, clock } = await scene()
    const request = (await browser()).request()
    await clock.advance(tenMinutes)
    const server = newServer({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const response = withSession(server, request, page)
    await clock.advance(60_000)
    expect(await (await response).text()).toBe('a page')
  })

  it('throws for a request that is none', async () => {
    const { server } = await scene()
    await expect(withSession(server, {} as never, page)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})
