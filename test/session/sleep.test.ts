import type { AuthError, Clock } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import { browser, type Tab } from '../tabs'
import { ada } from '../world'

const eightHours = 8 * 3_600_000

/** A machine that can sleep: its clock advances, its timers stand still, and all are late afterwards. */
async function laptop(tabs: number) {
  const shared = browser({ rotation: true })
  const { clock, platform, signIn } = shared
  let frozen: (() => void)[] | undefined
  const machine: Clock = {
    ...clock,
    setTimeout: (run, millis) => clock.setTimeout(() => (frozen ? void frozen.push(run) : run()), millis),
  }
  await signIn(ada)
  let isReachable = true
  const fetch: typeof globalThis.fetch = (...args) =>
    isReachable ? platform.options.fetch(...args) : Promise.reject(new TypeError('fetch failed'))
  const seen: string[][] = []
  const opened = Array.from({ length: tabs }, () => shared.tab({ clock: machine, fetch }))
  for (const { app } of opened) {
    const said: string[] = []
    seen.push(said)
    app.auth$.subscribe(({ status }) => said.push(status))
    app.user$.subscribe({ next: user => said.push(user?.displayName ?? 'signed out'), error: () => said.push('error') })
  }
  await clock.advance(1000)
  return {
    ...shared,
    opened: opened as [Tab, ...Tab[]],
    seen,
    connect: (is: boolean) => (isReachable = is),
    /** Sleeps; timers that fell due run at once when it wakes. */
    async sleep(millis: number) {
      frozen = []
      await clock.advance(millis)
      const late = frozen
      frozen = undefined
      for (const run of late) run()
    },
  }
}

const before = ['unknown', 'signed-in', 'Ada']

it('after 8 hours of sleep the first accessToken() refreshes once, and returns a working token', async () => {
  const { clock, opened, refreshes, seen, sleep } = await laptop(1)
  const [{ app }] = opened
  await sleep(eightHours)
  const token = await clock.settled(app.accessToken())
  expect(token).toEqual(expect.any(String))
  expect(refreshes()).toBe(1)
  expect((await clock.settled(app.sessions$.get())).length).toBeGreaterThan(0)
  expect(refreshes()).toBe(1)
  expect(seen).toEqual([before])
})

it('eight tabs that wake together refresh once, and emit nothing', async () => {
  const { clock, opened, refreshes, seen, sleep } = await laptop(8)
  for (const tab of opened) tab.show(false)
  await sleep(eightHours)
  for (const tab of opened) tab.show(true)
  const tokens = opened.map(({ app }) => app.accessToken())
  await clock.advance(2000)
  expect(new Set(await clock.settled(Promise.all(tokens))).size).toBe(1)
  expect(refreshes()).toBe(1)
  for (const said of seen) expect(said).toEqual(before)
})

it('a network that returns later than the machine does not sign out', async () => {
  const { clock, connect, opened, refreshes, seen, sleep } = await laptop(1)
  const [tab] = opened
  tab.show(false)
  await sleep(eightHours)
  connect(false)
  tab.show(true)
  const token = tab.app.accessToken().catch((error: unknown) => (error as AuthError).code)
  await clock.advance(60_000)
  expect(await clock.settled(token)).toBe('NETWORK_ERROR')
  connect(true)
  expect(await clock.settled(tab.app.accessToken())).toEqual(expect.any(String))
  expect(refreshes()).toBe(1)
  expect(seen).toEqual([before])
})

it('a machine that falls asleep during a refresh continues it', async () => {
  const { clock, opened, platform, refreshes, seen, sleep } = await laptop(2)
  const [one, other] = opened as [Tab, Tab]
  one.show(false)
  other.show(false)
  await clock.advance(600_000)
  platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
  const tokens = [one.app.accessToken(), other.app.accessToken()]
  await clock.advance(100)
  await sleep(eightHours)
  await clock.advance(30_000)
  for (const token of tokens) expect(await clock.settled(token)).toEqual(expect.any(String))
  expect(refreshes()).toBeLessThanOrEqual(2)
  for (const said of seen) expect(said).toEqual(before)
})

// Promise: call-after-refresh
it('a token that expired while the machine slept on its way is not given out', async () => {
  const { clock, opened, platform, refreshes } = await laptop(1)
  const [{ app, show }] = opened
  show(false)
  await clock.advance(600_000)
  platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
  const token = app.accessToken()
  await clock.advance(100)
  // The answer has come meanwhile, and is read when the machine wakes.
  clock.shiftWall(eightHours)
  await clock.advance(5000)
  expect(readAccessToken((await token)!)!.expiresAtMillis).toBeGreaterThan(clock.now())
  expect(refreshes()).toBe(2)
})

// Promise: call-after-refresh
it('nor is it to a call made after the machine woke, before the answer was read', async () => {
  const { clock, opened, platform, refreshes } = await laptop(1)
  const [{ app, show }] = opened
  show(false)
  await clock.advance(600_000)
  platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
  const tokens = [app.accessToken()]
  await clock.advance(100)
  clock.shiftWall(eightHours)
  tokens.push(app.accessToken())
  await clock.advance(5000)
  for (const token of tokens)
    expect(readAccessToken((await clock.settled(token))!)!.expiresAtMillis).toBeGreaterThan(clock.now())
  expect(refreshes()).toBe(2)
})
