import { BehaviorSubject } from 'rxjs'
import { outcome } from '../store/own-backend'
import { ada, world } from '../world'

const user = 'GET /users/me'
const refresh = 'POST /auth/oauth/token'
const write = 'PATCH /users/me'
const hour = 3_600_000

/** Ada's page, on a machine whose wall time differs from the platform's as the test says. */
async function page() {
  const there = await world()
  const visible$ = new BehaviorSubject(true)
  const machine = { offMillis: 0 }
  const app = there.newApp({
    tokens: await there.tokensOf(ada),
    clock: { ...there.clock, now: () => there.clock.now() + machine.offMillis },
    host: { visible$ },
  })
  app.user$.subscribe()
  await there.clock.advance(1000)
  there.requests.length = 0
  const show = () => {
    visible$.next(false)
    visible$.next(true)
  }
  return { ...there, app, machine, show }
}

describe.each([
  ['back an hour', -hour],
  ['on a day', 24 * hour],
])('a machine whose clock is set %s', (_, millis) => {
  // Promise: monotonic-time
  it('loads as usual: refresh() and writes settle within the 300 ms between two loads', async () => {
    const { app, clock, machine, requests } = await page()
    machine.offMillis = millis
    const done = [outcome(app.user$.refresh()), outcome(app.updateUser({ displayName: 'Ada L.' }))]
    await clock.advance(300)
    expect(done.map(({ value }) => value)).not.toContain('pending')
    expect(requests.filter(request => request === write)).toHaveLength(1)
    const again = outcome(app.user$.refresh())
    await clock.advance(300)
    expect(again.value).toMatchObject({ displayName: 'Ada L.' })
  })

  // Promise: monotonic-time
  it('loads no more often than with a right clock', async () => {
    const { app, clock, machine, requests, show } = await page()
    machine.offMillis = millis
    for (let times = 0; times < 10; times++) {
      show()
      await app.user$.get()
      await clock.advance(100)
    }
    // A day ahead: the token seems expired, and the value a day old.
    expect(requests).toEqual(millis > 0 ? [refresh, user] : [])
  })

  it('treats a value as older than 5 s after 5 s', async () => {
    const { app, clock, machine, requests, show } = await page()
    machine.offMillis = millis
    await clock.advance(5001)
    show()
    await clock.advance(0)
    expect((await app.user$.get())?.displayName).toBe('Ada')
    expect(requests.filter(request => request === user)).toEqual([user])
  })
})

// Promise: monotonic-time
it('after 8 h of sleep, in which no timer ran, each store with subscribers loads once, with one refresh', async () => {
  const { app, clock, requests, show } = await page()
  clock.shiftWall(8 * hour)
  show()
  await clock.advance(0)
  expect(await app.user$.get()).toMatchObject({ displayName: 'Ada' })
  expect(requests).toEqual([refresh, user])
})

it('a store without subscribers does not give its value from before 8 h of sleep', async () => {
  const { newApp, tokensOf, clock, requests, settled } = await world()
  const app = newApp({ tokens: await tokensOf(ada) })
  await settled(app.user$.get())
  await clock.advance(300)
  clock.shiftWall(8 * hour)
  await settled(app.user$.get())
  expect(requests).toEqual([user, refresh, user])
})
