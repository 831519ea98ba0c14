import { gzipSync } from 'node:zlib'
import { record, sessionLimits, whenKnown, type Recording } from 'rxauth'
import { replay } from 'rxauth/platform'
import { NEVER } from 'rxjs'
import { recordedSession } from '../extras/record/session'
import { recordedTabs } from '../extras/record/tab-session'
import { checked } from '../../src/replay/checked'
import { runs } from '../runs'
import { ada, world } from '../world'

type Event = Readonly<Record<string, unknown>>

/** The first decision that differs in the playing of what would be in a file. */
async function divergenceOf(recording: Recording) {
  return (await replay(JSON.parse(JSON.stringify(recording)) as Recording)).divergence
}

// Promise: replay
it.each([
  ['random sessions', recordedSession, runs(30, 1000)],
  ['one of several tabs, which are signed in and out together', recordedTabs, runs(12, 300)],
])('decides as recorded in %s', async (_name, session, count) => {
  const differing: unknown[] = []
  const all: object[] = []
  let decisions = 0
  for (let seed = 1; seed <= count; seed++) {
    const { recording } = await session(seed)
    decisions += recording.events.filter(event => 'did' in event).length
    all.push(...recording.events)
    const divergence = await divergenceOf(recording)
    if (divergence) differing.push({ seed, ...divergence })
  }
  expect(differing).toEqual([])
  expect((gzipSync(JSON.stringify(all)).length / all.length) * 4000).toBeLessThan(50_000)
  expect(decisions).toBeGreaterThan(count * 20)
})

/** The numbers of events that are a decision, or an input. */
function numbered(events: readonly object[], kind: 'did' | 'in'): readonly number[] {
  return events.flatMap((event, index) => (kind in event ? [index] : []))
}

// Promise: replay
it('names the decision that is another one, that is missing, and that is too many', async () => {
  const { recording } = await recordedSession(3)
  const { version, rxauth } = recording
  const { events } = checked(recording)
  const start = events.findIndex(event => 'start' in event)
  const changed = numbered(events, 'did').filter(index => index > start)
  const found: unknown[] = []
  for (const index of changed) {
    const other = events.map((event, at) =>
      at === index ? { ...event, path: '/other', cause: 'other', outcome: 'other' } : event,
    )
    found.push((await divergenceOf({ version, rxauth, events: other }))?.event)
  }
  expect(changed.length).toBeGreaterThan(20)
  expect(found).toEqual(changed)
  const [first] = changed
  const without = await divergenceOf({ version, rxauth, events: events.filter((_, at) => at !== first) })
  expect(without?.played).toMatchObject({ did: (events[first!] as Event)['did'] })
  const more = [...events.slice(0, -1), { turn: 1e6, did: 'refresh', outcome: 'ended' }, ...events.slice(-1)]
  expect(await divergenceOf({ version, rxauth, events: more })).toMatchObject({
    event: events.length - 1,
    recorded: { did: 'refresh' },
  })
})

// Promise: replay
it('differs where an answer was another one, for most answers', async () => {
  const { recording } = await recordedSession(3)
  const { version, rxauth } = recording
  const { events } = checked(recording)
  const start = events.findIndex(event => 'start' in event)
  const answers = events.flatMap((event, index) =>
    index > start && (event as Event)['in'] === 'answer' ? [index] : [],
  )
  let differing = 0
  for (const index of answers) {
    const other = events.map((event, at) => (at === index ? { ...event, status: 403, headers: {}, json: {} } : event))
    if (await divergenceOf({ version, rxauth, events: other })) differing++
  }
  expect(answers.length).toBeGreaterThan(5)
  expect(differing / answers.length).toBeGreaterThan(0.5)
})

// Promise: replay
it('decides the same, byte for byte, each time that a recording is played', async () => {
  for (const session of [recordedSession, recordedTabs]) {
    const { recording } = await session(5)
    const [once, twice] = [await replay(recording), await replay(recording)].map(played => JSON.stringify(played))
    expect(once).toBe(twice)
    expect(once!.length).toBeGreaterThan(1000)
  }
})

it('compares with a recording of another version what is sent, refreshed and ended, and what is shown at rest', async () => {
  const { app, clock } = await world()
  const recording = record(app)
  app.user$.subscribe()
  await clock.advance(1000)
  const stopped = await recording.stop()
  const { version } = stopped
  const { events } = checked(stopped)
  const without = events.filter(event => (event as Event)['cause'] !== 'loaded')
  expect(await divergenceOf({ version, rxauth: '0.0.1', events: without })).toBeUndefined()
  expect(await divergenceOf({ version, rxauth: '0.1.0', events: without })).toBeDefined()
  const other = events.map(event =>
    'end' in event ? { ...event, end: { 'client GET /users/me {}': 'pending' } } : event,
  )
  expect(await divergenceOf({ version, rxauth: '0.0.1', events: other })).toBeDefined()
  const unsent = events.filter(event => (event as Event)['did'] !== 'send')
  expect(await divergenceOf({ version, rxauth: '0.0.1', events: unsent })).toBeDefined()
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
  expect(await divergenceOf(await recording.stop())).toBeUndefined()
})

it('plays a store that was watched a minute before the recording, and loads it no more than the app did', async () => {
  const { app, clock } = await world()
  const stop = app.teams$.subscribe()
  await clock.advance(60_000)
  const recording = record(app)
  await clock.advance(1000)
  const recorded = await recording.stop()
  stop.unsubscribe()
  expect(await divergenceOf(recorded)).toBeUndefined()
})

it('plays from the first moment at which nothing was under way', async () => {
  const { app, clock, platform } = await world()
  app.user$.subscribe()
  await clock.advance(1000)
  platform.faults.next('GET /users/me', { delayMillis: 1000 })
  void app.user$.refresh()
  await clock.advance(100)
  const recording = record(app)
  await clock.advance(2000)
  app.teams$.subscribe()
  await clock.advance(100)
  const recorded = await recording.stop()
  const at = recorded.events.findIndex(event => 'start' in event)
  expect(at).toBeGreaterThan(0)
  expect(recorded.events.slice(at).some(event => (event as Event)['path'] === '/teams?user_id=me')).toBe(true)
  expect(await divergenceOf(recorded)).toBeUndefined()
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
  const recorded = await recording.stop()
  stop.unsubscribe()
  expect(await divergenceOf(recorded)).toBeUndefined()
})

it('plays an answer that a machine has had in its sleep, before timers that were due', async () => {
  const { app, clock, platform } = await world()
  const recording = record(app)
  platform.faults.next('GET /users/me', { delayMillis: 1000 })
  const stop = app.user$.subscribe()
  await clock.advance(2000)
  const { version, rxauth, events } = await recording.stop()
  stop.unsubscribe()
  const slept = checked({ version, events }).events.map(event => ({
    ...event,
    at: event.at < 900 ? event.at : event.at + 3_600_000,
  }))
  expect(await divergenceOf({ version, rxauth, events: slept })).toBeUndefined()
})

it('plays a clock that is set in the turn of a load, before the load looks at its token', async () => {
  const { app, clock } = await world()
  await app.user$.get()
  await clock.advance(700_000)
  const recording = record(app)
  const stop = app.teams$.subscribe()
  clock.shiftWall(-3_600_000)
  await clock.advance(100)
  const { version, rxauth, events } = await recording.stop()
  stop.unsubscribe()
  // The clock of a browser goes on within a turn.
  const inBrowser = checked({ version, events }).events.map((event, index) => ({
    ...event,
    at: event.at + index / 100,
  }))
  expect(await divergenceOf({ version, rxauth, events: inBrowser })).toBeUndefined()
})

it.each([
  ['a timer', 0],
  ['a call after a sleep', 8 * 3_600_000],
])('plays the end of a session by sessionLimits: %s', async (_kind, sleepMillis) => {
  const { app, clock } = await world()
  const recording = record(app)
  sessionLimits(app, { idleMillis: 120_000, absoluteMillis: 600_000, activity$: NEVER })
  const stop = app.user$.subscribe()
  await clock.advance(1000)
  clock.shiftWall(sleepMillis)
  if (sleepMillis > 0) app.teams$.get().catch(() => undefined)
  await clock.advance(130_000)
  const recorded = await recording.stop()
  stop.unsubscribe()
  expect(recorded.events).toContainEqual(expect.objectContaining({ in: 'sign out', reason: 'idle' }))
  expect(await divergenceOf(recorded)).toBeUndefined()
})

it('plays a read of a value of any age, which JSON has no number for', async () => {
  const { app, clock } = await world()
  const recording = record(app)
  const known = whenKnown(app)
  await clock.advance(1000)
  expect((await known).status).toBe('signed-in')
  expect(await divergenceOf(await recording.stop())).toBeUndefined()
})
