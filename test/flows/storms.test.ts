import type { AuthError, ClientApp } from 'rxauth'
import { BehaviorSubject } from 'rxjs'
import { runs } from '../runs'
import { ada, world } from '../world'

const user = 'GET /users/me'
const refresh = 'POST /auth/oauth/token'

/** A thousand subscriptions in one tick, in every way that exists. */
function crowd(app: ClientApp): () => void {
  const ignore = { error: () => undefined }
  const came = Array.from({ length: 250 }, (_, index) => [
    app.user$.subscribe(ignore),
    app.anyUser$.subscribe(ignore),
    app.auth$.subscribe(),
    index % 2 === 0 ? app.user$.snapshot$.subscribe() : { unsubscribe: app.user$.listen(() => undefined) },
  ]).flat()
  return () => came.forEach(each => each.unsubscribe())
}

it('1,000 subscribers in one tick cost one request', async () => {
  const { app, clock, requests } = await world()
  crowd(app)
  await clock.advance(60_000)
  expect(requests).toEqual([user])
})

const seconds = runs(10, 60)

it(`1,000 that come and go ten times a second for ${seconds} s cost one request in five seconds`, async () => {
  const { app, clock, requests } = await world()
  for (let times = 0; times < seconds * 10; times++) {
    const leave = crowd(app)
    await clock.advance(50)
    leave()
    await clock.advance(50)
  }
  expect(requests).toEqual(Array(seconds / 5).fill(user))
})

it('1,000 with an expired token cost one refresh and one request', async () => {
  const { app, clock, requests } = await world()
  await clock.advance(600_000)
  crowd(app)
  await clock.advance(60_000)
  expect(requests).toEqual([refresh, user])
})

it('1,000 whose session is refused cost one request', async () => {
  const { clock, newApp, platform, requests } = await world()
  const tokens = await platform.tokensFor(ada.email)
  tokens.replace(tokens.read(), { accessToken: null, refreshToken: 'refused' })
  crowd(newApp({ tokens }))
  await clock.advance(60_000)
  expect(requests).toEqual([refresh])
})

it('1,000 that get an error and stay subscribed cost one request', async () => {
  const { app, clock, platform, requests } = await world()
  platform.faults.every(user, { status: 503 })
  crowd(app)
  await clock.advance(599_000)
  expect(requests).toEqual([user])
})

it.each([
  ['503', { status: 503 }],
  ['401', { status: 401 }],
  ['truncated JSON', { body: 'truncated' }],
] as const)('1,000 that subscribe again after each error (%s) cost one request per 300 ms', async (_, fault) => {
  const { app, clock, platform, requests } = await world()
  platform.faults.every(user, fault)
  const again = () => app.user$.subscribe({ error: () => clock.setTimeout(again, 1) })
  for (let times = 0; times < 1000; times++) again()
  await clock.advance(3000)
  expect(requests.length).toBeLessThanOrEqual(11)
  platform.faults.clear()
  await clock.advance(300)
  expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Ada' } })
})

it('1,000 concurrent calls of accessToken() while the platform is down cost what one costs', async () => {
  const { app, clock, platform, requests } = await world()
  await clock.advance(600_000)
  platform.faults.every(refresh, { status: 429, retryAfter: '2' })
  const all = Array.from({ length: 1000 }, () => app.accessToken().catch((error: unknown) => (error as AuthError).code))
  await clock.advance(60_000)
  expect(new Set(await clock.settled(Promise.all(all)))).toEqual(new Set(['RATE_LIMITED']))
  expect(requests).toEqual(Array(5).fill(refresh))
})

it('100 changes of visibility cost at most one request per five seconds, and user$ does not emit', async () => {
  const visible$ = new BehaviorSubject(true)
  const { app, clock, requests } = await world({ app: { host: { visible$ } } })
  const told = { user: 0, auth: 0 }
  app.user$.subscribe(() => told.user++)
  app.auth$.subscribe(({ status }) => status === 'signed-in' && told.auth++)
  await clock.advance(0)
  for (let times = 0; times < 100; times++) {
    visible$.next(false)
    await clock.advance(50)
    visible$.next(true)
    await clock.advance(50)
  }
  expect(requests.filter(request => request === user).length).toBeLessThanOrEqual(2)
  for (let times = 0; times < 100; times++) {
    visible$.next(false)
    await clock.advance(600_000)
    visible$.next(true)
    await clock.advance(1000)
  }
  expect(told).toEqual({ user: 1, auth: 1 })
  expect(requests.filter(request => request === refresh)).toHaveLength(100)
})
