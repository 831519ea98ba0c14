// The page of the recorded sessions. The first tab has the platform, without a port, and acts in both tabs; the second one is
// opened by it, and sends its requests to the platform of the first.
import { cookieTokens, createClientApp, record, systemClock, type ClientApp, type Recording } from 'rxauth'
import { createPlatform, movableClock, virtualClock } from 'rxauth/platform'
import { actions, faults, personOf, platformOptions, views, type Person } from '../../extras/record/session'

type Fetch = (input: string, init: RequestInit) => Promise<Response>

interface Tab {
  readonly app: ClientApp
  readonly recording: { stop(): Promise<Recording> }
  forward(millis: number): void
  /** Sets the clock of the machine, which timers do not follow. */
  shiftWall(millis: number): void
}

type Page = typeof globalThis & {
  tabOf?: (fetch: Fetch, options: object) => Tab
  recordings?: (seed: number) => Promise<readonly string[]>
}
const page: Page = globalThis

/** The browser's own clock, storage, locks and channels, and the time that the test moves. */
function clockOf() {
  let byMillis = 0
  const clock = movableClock({ ...systemClock, now: () => systemClock.now() + byMillis })
  return Object.assign(clock, { shiftWall: (millis: number) => void (byMillis += millis) })
}

page.tabOf = (fetch, options) => {
  const clock = clockOf()
  const app = createClientApp({
    ...options,
    tokens: cookieTokens(),
    clock,
    onUnhandled: () => undefined,
    // What another window throws is no TypeError of this one.
    fetch: (input, init) =>
      fetch(input as string, init!).catch((error: unknown) => {
        throw (error as Error).name === 'TypeError' ? new TypeError((error as Error).message) : error
      }),
  })
  return { app, recording: record(app), forward: millis => clock.forward(millis), shiftWall: clock.shiftWall }
}

const turns = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

page.recordings = async seed => {
  const clock = clockOf()
  const platform = createPlatform({ clock, ...platformOptions(seed) })
  const { random } = virtualClock(undefined, { seed: seed * 7919 })
  const upTo = (limit: number) => Math.floor(random() * limit)
  const { projectId, publishableClientKey, baseUrl } = platform.options
  const options = { projectId, publishableClientKey, baseUrl }
  const other = window.open(location.href) as (Window & Page) | null
  while (!other?.tabOf) await turns(5)
  const fetch: Fetch = (input, init) => platform.options.fetch(input, init)
  const tabs = [page.tabOf!(fetch, options), other.tabOf(fetch, options)]
  const one = personOf(clock as never, platform, [])
  const leaves: (() => void)[] = []
  const act = (action: (one: Person, app: ClientApp) => unknown, { app }: Tab) =>
    // Some throw at once: there is no team yet.
    void (async () => action(one, app))().catch(() => undefined)
  const anyTab = () => tabs[upTo(2)]!
  act(actions[0]!, tabs[0]!)
  await turns(30)
  for (let step = 0; step < 16; step++) {
    if (upTo(4) === 0) platform.faults.next('*', faults[upTo(faults.length)]!)
    if (upTo(3) === 0) leaves.push(views[upTo(views.length)]!(one, anyTab().app))
    if (upTo(8) === 0) leaves.splice(upTo(leaves.length), 1)[0]?.()
    if (upTo(12) === 0) anyTab().shiftWall(upTo(2) ? 7_200_000 : -3_600_000)
    if (upTo(12) === 0) window.dispatchEvent(new Event(upTo(2) ? 'online' : 'offline'))
    act(actions[upTo(actions.length)]!, anyTab())
    if (upTo(3) === 0) act(actions[upTo(actions.length)]!, anyTab())
    await turns([0, 0, 2, 25][upTo(4)]!)
    const millis = [0, 1, 250, 3000, 30_000, 620_000][upTo(6)]!
    // At once, as a machine that has slept: which of the timers come first is up to the browser.
    for (const each of [clock, ...tabs]) each.forward(millis)
    await turns([0, 5, 20][upTo(3)]!)
  }
  const texts = await Promise.all(tabs.map(async ({ recording }) => JSON.stringify(await recording.stop())))
  for (const { app } of tabs) app.dispose()
  platform.dispose()
  other.close()
  return texts
}
