import { memoryTokens, requestTokens, type ClientApp, type CookieWrite, type Tokens } from 'rxauth'
import { tokenStoreConformance } from 'rxauth/platform'
import { ada, grace, world } from '../../world'
import { storeOf } from '../request-world'

describe('requestTokens', () => {
  tokenStoreConformance(test, () => storeOf({ headers: {} }, () => undefined))
})

describe('a server', () => {
  it.each(['bearer', 'stack', undefined] as const)(
    'knows the user of a request by the headers that authHeaders gives (%s)',
    async as => {
      const { app, newApp, settled } = await world()
      const headers = await settled(app.authHeaders(as && { as }))
      const forRequest = newApp({ tokens: requestTokens({ headers }) })
      expect((await settled(forRequest.user$.get()))?.displayName).toBe(ada.displayName)
    },
  )

  it('requests no new access token for one in Authorization that has expired', async () => {
    const { app, clock, newApp, platform, requests, settled } = await world()
    const headers = await settled(app.authHeaders())
    const { refreshToken } = (await platform.tokensFor(grace.email)).read()!
    const cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}`
    const names: string[] = []
    const tokens = requestTokens({ headers: { ...headers, cookie } }, ({ name }) => names.push(name))
    await clock.advance(600_000)
    requests.length = 0
    const forRequest = newApp({ tokens })
    await settled(Promise.allSettled([forRequest.user$.get()]))
    expect(await settled(forRequest.user$.get())).toBeNull()
    expect([requests, names]).toEqual([[], []])
  })

  it.each([
    ['sets the cookies of a request without one', undefined, 2],
    ['sets the cookies of the same session', ada, 2],
    ['sets no cookies of another session', grace, 0],
  ])('that refreshes for the header x-stack-auth %s', async (_, inCookies, set) => {
    const { clock, newApp, platform, settled } = await world()
    const tokens = (await platform.tokensFor(ada.email)).read()!
    const others = (await platform.tokensFor(grace.email)).read()!
    const name = `stack-refresh-${platform.options.projectId}`
    const cookie = `${name}=${(inCookies === ada ? tokens : others).refreshToken}`
    const headers = { 'x-stack-auth': JSON.stringify(tokens), ...(inCookies && { cookie }) }
    const written: string[] = []
    await clock.advance(600_000)
    const app = newApp({ tokens: requestTokens({ headers }, ({ name }) => written.push(name)) })
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
    expect(written).toEqual(['stack-access', name].slice(0, set))
  })

  // Promise: one-refresh
  it('refreshes once for the kits of a request that ask at once, and sets its cookies once', async () => {
    const { clock, newApp, platform, requests, settled } = await world({ platform: { rotation: true } })
    const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const name = `stack-refresh-${platform.options.projectId}`
    const expired = encodeURIComponent(JSON.stringify([refreshToken, accessToken]))
    const request = { headers: { cookie: `${name}=${refreshToken}; stack-access=${expired}` } }
    const written: CookieWrite[] = []
    const apps = Array.from({ length: 3 }, () =>
      newApp({ tokens: requestTokens(request, cookie => written.push(cookie)) }),
    )
    await clock.advance(600_000)
    const users = await settled(Promise.all(apps.map(app => app.user$.get())))
    expect(users.map(user => user?.displayName)).toEqual(Array(3).fill(ada.displayName))
    const tokens = await settled(Promise.all(apps.map(app => app.accessToken())))
    expect(new Set(tokens).size).toBe(1)
    expect(written.map(({ name }) => name)).toEqual(['stack-access', name])
    expect(written[1]!.value).not.toBe(refreshToken)
    // No request carries the expired token.
    expect(requests.sort()).toEqual([...Array<string>(3).fill('GET /users/me'), 'POST /auth/oauth/token'])
  })

  it.each([
    ['is disposed of', (first: ClientApp) => first.dispose()],
    ['gives up', (_: ClientApp, controller: AbortController) => controller.abort()],
  ])('continues for the other kits of a request when the one that refreshes for all %s', async (_, leave) => {
    const { clock, newApp, platform, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    const [first, second] = [
      newApp({ tokens: requestTokens({ headers }) }),
      newApp({ tokens: requestTokens({ headers }) }),
    ]
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 50 })
    const controller = new AbortController()
    const given = first.accessToken({ signal: controller.signal }).catch((error: unknown) => error)
    await clock.advance(10)
    const token = second.accessToken()
    leave(first, controller)
    expect(await settled(given)).toMatchObject({ code: expect.stringMatching(/^(DISPOSED|ABORTED)$/) as string })
    await clock.advance(50)
    expect(await settled(token)).toMatch(/^ey/)
    expect((await settled(second.user$.get()))?.displayName).toBe(ada.displayName)
  })

  it('reports the end of the session to every kit of a request', async () => {
    const { clock, newApp, platform, requests, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    const apps = Array.from({ length: 3 }, () => newApp({ tokens: requestTokens({ headers }) }))
    await clock.advance(600_000)
    const server = newApp({ tokens: memoryTokens(JSON.parse(headers['x-stack-auth']) as Tokens) })
    await settled(server.signOut())
    requests.length = 0
    await settled(Promise.allSettled(apps.map(app => app.user$.get())))
    expect(await settled(Promise.all(apps.map(app => app.user$.get())))).toEqual([null, null, null])
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
  })

  it('refreshes once per request, however many kits it makes for it', async () => {
    const { clock, newApp, platform, requests, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    await clock.advance(600_000)
    for (let times = 0; times < 3; times++) {
      const forRequest = newApp({ tokens: requestTokens({ headers }) })
      expect((await settled(forRequest.user$.get()))?.displayName).toBe(ada.displayName)
    }
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
  })
})
