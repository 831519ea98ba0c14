import { record } from 'rxauth'
import { endsOf } from '../../src/replay/replay'
import { recordedSession } from '../extras/record/session'
import { recordedTabs } from '../extras/record/tab-session'
import { runs } from '../runs'
import { ada, world } from '../world'

/** The parts of both ends that differ. */
function differences({ recorded, played }: Awaited<ReturnType<typeof endsOf>>): string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(played)])]
  return names
    .filter(name => recorded[name] !== played[name])
    .map(name => `${name}\n  recorded ${recorded[name]}\n  played ${played[name]}`)
}

// Promise: replay
it.each([
  ['random sessions', recordedSession, 1, runs(30, 1000)],
  ['one of several tabs, which are signed in and out together', recordedTabs, 1, runs(12, 300)],
])('plays recordings of %s to the end that they had', async (_name, session, first, count) => {
  const differing: unknown[] = []
  let events = 0
  for (let seed = first; seed < first + count; seed++) {
    const { recording } = await session(seed)
    events += recording.events.length
    const ends = await endsOf(JSON.parse(JSON.stringify(recording)) as typeof recording)
    for (const difference of differences(ends)) differing.push(`${seed}: ${difference}`)
  }
  expect(differing).toEqual([])
  expect(events).toBeGreaterThan(count * 20)
})

/** Each lacked something that the app had caused: a load, a write of signing in, a token that was given up, or an order of timers. */
// Promise: replay
it.each([99, 100, 127, 159, 334, 365, 445, 467, 537, 560, 708, 810, 957])(
  'plays session %i, which once ended otherwise',
  async seed => {
    const { recording } = await recordedSession(seed)
    expect(differences(await endsOf(recording))).toEqual([])
  },
)

// Promise: replay
it.each([134, 144, 198, 206, 260, 291, 367])('plays session %i over tabs, which once ended otherwise', async seed => {
  const { recording } = await recordedTabs(seed)
  expect(differences(await endsOf(recording))).toEqual([])
})

it('plays a write whose answer is not shown because a passkey is added meanwhile', async () => {
  const project = { config: { passkeyEnabled: true } }
  const { app, clock, platform } = await world({ platform: { seed: { users: [ada], project } } })
  await app.user$.get()
  const recording = record(app)
  platform.faults.next('POST /auth/passkey/register', { delayMillis: 2000 })
  const adding = app.registerPasskey({ hostname: 'localhost', authenticator: platform.authenticator() })
  await clock.advance(100)
  await Promise.all([app.updateUser({ displayName: 'Grace' }), clock.advance(1000)])
  expect(app.auth$.value).toMatchObject({ user: { displayName: 'Ada' } })
  await Promise.all([adding, clock.advance(2000)])
  expect(differences(await endsOf(recording.stop()))).toEqual([])
})

it('plays a store that was watched a minute before the recording, and loads it no more than the app did', async () => {
  const { app, clock } = await world()
  const stop = app.teams$.subscribe()
  await clock.advance(60_000)
  const recording = record(app)
  await clock.advance(1000)
  const recorded = recording.stop()
  stop.unsubscribe()
  expect(differences(await endsOf(recorded))).toEqual([])
})

it('plays loads that were under way when the recording began, with a value before and without one', async () => {
  const { app, clock, platform } = await world()
  app.user$.subscribe()
  await clock.advance(1000)
  for (const path of ['GET /teams', 'GET /users/me']) platform.faults.next(path, { delayMillis: 1000 })
  app.teams$.subscribe()
  void app.user$.refresh()
  await clock.advance(100)
  const recording = record(app)
  await clock.advance(2000)
  const ends = await endsOf(recording.stop())
  expect(differences(ends)).toEqual([])
  expect(ends.recorded['client GET /teams {}']).toContain('ready')
})

it('plays a caller of another load who gives up before the load under way has ended', async () => {
  const { app, clock, platform } = await world()
  const recording = record(app)
  platform.faults.next('GET /teams', { delayMillis: 1000 })
  const stop = app.teams$.subscribe()
  await clock.advance(100)
  const giving = new AbortController()
  app.teams$.refresh({ signal: giving.signal }).catch(() => undefined)
  await clock.advance(100)
  giving.abort()
  await clock.advance(2000)
  const recorded = recording.stop()
  stop.unsubscribe()
  expect(differences(await endsOf(recorded))).toEqual([])
})

it('plays an answer that a machine has had in its sleep, before timers that were due', async () => {
  const { app, clock, platform } = await world()
  const recording = record(app)
  platform.faults.next('GET /users/me', { delayMillis: 1000 })
  const stop = app.user$.subscribe()
  await clock.advance(2000)
  const { version, events } = recording.stop()
  stop.unsubscribe()
  const slept = (events as readonly { readonly at: number }[]).map(event => ({
    ...event,
    at: event.at < 900 ? event.at : event.at + 3_600_000,
  }))
  const ends = await endsOf({ version, events: slept })
  expect(differences(ends)).toEqual([])
  expect(ends.played['client GET /users/me {}']).toContain('"ready"')
})

it('plays a clock that is set in the turn of a load, before the load looks at its token', async () => {
  const { app, clock } = await world()
  await app.user$.get()
  await clock.advance(700_000)
  const recording = record(app)
  const stop = app.teams$.subscribe()
  clock.shiftWall(-3_600_000)
  await clock.advance(100)
  const { version, events } = recording.stop()
  stop.unsubscribe()
  const types = (events as readonly { readonly type: string }[]).map(({ type }) => type)
  expect(types.slice(types.indexOf('load'), types.indexOf('answer'))).toEqual(['load', 'clock', 'request'])
  // The clock of a browser goes on within a turn.
  const inBrowser = events.map((event, index) => ({ ...event, at: (event as { at: number }).at + index / 100 }))
  expect(differences(await endsOf({ version, events: inBrowser }))).toEqual([])
})
