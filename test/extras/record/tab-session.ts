import { createClientApp, memoryTokens, record, type ClientApp } from 'rxauth'
import { virtualClock, type Platform } from 'rxauth/platform'
import type { Host } from '../../../src/core/host'
import { browser, type Tab } from '../../tabs'
import { coreOf } from '../../../src/store/kit-parts'
import { actions, faults, password, personOf, platformOptions, signOutMeanwhile, views } from './session'
import type { Person, RecordedSession } from './session'

/**
 * The same in a browser with two or three tabs of the app, one of them recorded: users sign in and out in any of them, tabs
 * crash, hang with the lock of refreshes, and are hidden, and calls are given up. Some browsers have no locks.
 */
export async function recordedTabs(seed: number, length = 14): Promise<RecordedSession> {
  const shared = browser({ startSeed: seed, ...platformOptions(seed) })
  const { clock, platform, locks } = shared
  const { random } = virtualClock(undefined, { seed: seed * 104_729 })
  const upTo = (limit: number) => Math.floor(random() * limit)
  const hasLocks = seed % 7 !== 2
  const open = () =>
    shared.tab({ onUnhandled: () => undefined, ...(!hasLocks && { wrap: ({ locks: _, ...host }: Host) => host }) })
  const tabs = Array.from({ length: 2 + upTo(2) }, open)
  const { app, show } = tabs[0]!
  const one = personOf(clock, platform, [app])
  const leaves: (() => void)[] = []
  const act = (run: () => unknown) => {
    // Some throw at once: there is no team yet.
    void (async () => run())().catch(() => undefined)
  }
  const anyTab = () => tabs[upTo(tabs.length)]!
  const anyAction = ({ app }: Tab) => act(() => actions[upTo(actions.length)]!(one, app))
  if (upTo(3) > 0) {
    act(() => actions[0]!(one, anyTab().app))
    await clock.advance(2000)
  }
  if (upTo(3) > 0) leaves.push(views[0]!(one, app))
  await clock.advance(upTo(4000))
  const recording = record(app)
  const leavesOften = seed % 5 === 0
  for (let step = 0; step < length; step++) {
    if (upTo(4) === 0) platform.faults.next('*', faults[upTo(faults.length)]!)
    if (upTo(3) === 0) leaves.push(views[upTo(views.length)]!(one, app))
    if (upTo(4) === 0) views[upTo(views.length)]!(one, anyTab().app)
    if (upTo(8) === 0) leaves.splice(upTo(leaves.length), 1)[0]?.()
    if (upTo(20) === 0) clock.shiftWall(upTo(2) ? 7_200_000 : -3_600_000)
    if (upTo(8) === 0) show(upTo(2) === 0)
    // The machine sleeps until the access token has expired.
    if (upTo(7) === 0) clock.shiftWall(620_000)
    if (seed % 7 === 4 && upTo(3) === 0) await signInMeanwhile(platform, clock, one, app, anyTab().app)
    if (leavesOften && upTo(2) === 0) await signOutMeanwhile(clock, app, anyTab().app, upTo(6))
    if (upTo(8) === 0) act(() => hang(locks, clock, app, upTo(3)))
    if (upTo(8) === 0) act(() => giveUp(clock, app, upTo(4)))
    if (upTo(10) === 0 && tabs.length > 1) {
      tabs.splice(1, 1, open())[0]!.kill()
    }
    anyAction(anyTab())
    if (upTo(2) === 0) anyAction(tabs[0]!)
    await clock.advance([0, 1, 100, 250, 3000, 30_000][upTo(6)]!)
  }
  await clock.advance(upTo(2) * 60_000)
  const recorded = await recording.stop()
  for (const tab of tabs) tab.app.dispose()
  platform.dispose()
  return { recording: recorded, secrets: one.secrets }
}

/** Another device has ended the session on the platform; another tab signs in before the refusal of the refresh arrives. */
async function signInMeanwhile(platform: Platform, clock: Clock, { email }: Person, app: ClientApp, other: ClientApp) {
  const device = createClientApp({ ...platform.options, tokens: memoryTokens(), onUnhandled: () => undefined })
  // A fault may delay each of them.
  const begin = (call: Promise<unknown>) => void call.catch(() => undefined)
  begin(device.signInWithPassword({ email, password }))
  await clock.advance(1000)
  begin(device.signOut({ everywhere: true }))
  await clock.advance(1000)
  device.dispose()
  clock.shiftWall(620_000)
  platform.faults.next('POST /auth/oauth/token', { delayMillis: 500 })
  begin(app.accessToken())
  await clock.advance(20)
  begin(other.signInWithPassword({ email, password }))
  await clock.advance(2000)
}

type Clock = ReturnType<typeof virtualClock>

/** Another tab keeps a lock: one that is stuck. */
function hang(
  locks: ReturnType<typeof browser>['locks'],
  clock: Clock,
  app: ClientApp,
  kind: number,
): Promise<unknown> {
  const period = Math.floor(clock.now() / 7500)
  const name = `${coreOf(app).session.store.sharedAs}:refresh${['', '', `:steal:${period}`][kind]}`
  return locks
    .of({})
    .request(name, {}, () => new Promise<void>(resolve => void clock.setTimeout(resolve, 4000 * 10 ** kind)))
}

/** A call that its caller aborts. */
function giveUp(clock: Clock, app: ClientApp, kind: number): Promise<unknown> {
  const giving = new AbortController()
  const { signal } = giving
  clock.setTimeout(() => giving.abort(), [0, 1, 20, 500][kind]!)
  const calls = [
    () => app.teams$.refresh({ signal }),
    () => app.user$.get({ maxAgeMillis: 0, signal }),
    () => app.updateUser({ displayName: 'given up' }, { signal }),
    () => app.sessions$.get({ signal }),
  ]
  return calls[kind]!()
}
