import { record, type Recording } from 'rxauth'
import { replay } from 'rxauth/platform'
import { wait } from '../../src/core/clock'
import type { Host } from '../../src/core/host'
import { checked } from '../../src/replay/checked'
import { coreOf } from '../../src/store/kit-parts'
import { recordedSession } from '../extras/record/session'
import { recordedTabs } from '../extras/record/tab-session'
import { browser } from '../tabs'
import { ada, grace } from '../world'

/** Two tabs that are signed in as Ada, and whose access token has just expired; the first one watches the user. */
async function twoTabs() {
  const shared = browser()
  const { clock, tab } = shared
  await shared.signIn(ada)
  const [{ app }, other] = [tab(), tab()]
  app.user$.subscribe()
  await clock.advance(1000)
  clock.shiftWall(620_000)
  return { ...shared, app, other }
}

const divergenceOf = async (recording: Recording) =>
  (await replay(JSON.parse(JSON.stringify(recording)) as Recording)).divergence

it('plays a load that waits for the refresh of another tab, and then needs one of its own', async () => {
  const { app, other, clock, platform } = await twoTabs()
  const recording = record(app)
  for (let count = 0; count < 2; count++) platform.faults.next('POST /auth/oauth/token', { delayMillis: 1000 })
  void other.app.accessToken()
  await clock.advance(10)
  app.teams$.snapshot$.subscribe()
  // The machine sleeps, and the other tab is closed in its second refresh.
  clock.shiftWall(620_000)
  await clock.advance(1500)
  platform.faults.next('POST /auth/oauth/token', { body: 'garbage' })
  other.kill()
  await clock.advance(1000)
  const recorded = await recording.stop()
  expect(recorded.events.at(-1)).toMatchObject({ end: { 'client GET /teams {}': expect.stringContaining('failed') } })
  expect(await divergenceOf(recorded)).toBeUndefined()
})

// Promise: replay
it.each([1041, 1064, 1074, 1081])(
  'plays what the tab saw at its second or third read in one turn: session %i',
  async seed => {
    expect(await divergenceOf((await recordedTabs(seed)).recording)).toBeUndefined()
  },
)

// Promise: replay
it.each([
  ['grants the lock to the request that takes it, before those that wait', recordedTabs, 70],
  ['lets no clock jump between two commits of one input', recordedTabs, 85],
  ['hears of other tabs where the app follows its tokens alone', recordedTabs, 258],
  ['loses an answer after one that was told before it in the same step', recordedSession, 770],
  ['refuses the write that was refused, not one before it', recordedSession, 412],
  ['sees a page that was hidden and shown again between two events', recordedTabs, 44],
  ['sees a page that was hidden and shown again before a call', recordedTabs, 205],
  ['finds no tokens in a sign-out where another tab has signed out in the same turn', recordedTabs, 3032],
])('%s', async (_, session, seed) => {
  expect(await divergenceOf((await session(seed)).recording)).toBeUndefined()
})

it('plays an answer that is told in the turn of a message, and was there before', async () => {
  const shared = browser()
  const { clock, platform, tab } = shared
  await shared.signIn(ada)
  const [{ app }, other] = [tab(), tab()]
  app.user$.subscribe()
  await clock.advance(1000)
  const recording = record(app)
  platform.faults.next('GET /teams', { delayMillis: 500 })
  app.teams$.subscribe()
  await clock.advance(490)
  void other.app.updateUser({ displayName: 'Grace' })
  platform.faults.next('GET /users/me', { delayMillis: 2000 })
  await clock.advance(5000)
  const { version, rxauth, events } = await recording.stop()
  const read = checked({ version, events }).events
  const [message, answer] = ['message', 'answer'].map(name => read.find(event => 'in' in event && event.in === name)!)
  // The answer was there three microtasks before the turn of the message began.
  const together = read.map(event =>
    event.turn === answer!.turn ? { ...event, turn: message!.turn, step: event.step + 1, at: message!.at } : event,
  )
  together.sort((one, next) => one.turn - next.turn || one.step - next.step)
  expect(await divergenceOf({ version, rxauth, events: together })).toBeUndefined()
})

it('plays a page that is shown again when another tab has signed in, with a store that it loads then', async () => {
  const shared = browser()
  const { clock, tab } = shared
  await shared.signIn(ada)
  const [{ app, show }, other] = [tab(), tab()]
  app.tokens$.subscribe()
  app.user$.subscribe()
  await clock.advance(1000)
  show(false)
  const recording = record(app)
  await Promise.all([
    other.app.signInWithPassword({ email: grace.email, password: grace.password }),
    clock.advance(60_000),
  ])
  show(true)
  await clock.advance(1000)
  expect(await divergenceOf(await recording.stop())).toBeUndefined()
})

it('plays a load that has not read the tokens of which another tab tells next', async () => {
  const { app, other, clock, locks } = await twoTabs()
  // A stuck tab has the lock, so the load waits.
  void locks.of({}).request(`${coreOf(app).session.store.sharedAs}:refresh`, {}, () => new Promise(() => undefined))
  const recording = record(app)
  await clock.advance(95)
  app.user$.refresh().catch(() => undefined)
  await other.app.signInWithPassword({ email: grace.email, password: grace.password })
  await clock.advance(1000)
  const recorded = await recording.stop()
  expect(await divergenceOf(recorded)).toBeUndefined()
})

it('plays a refresh whose first request for the lock was answered after the tab had given it up', async () => {
  const shared = browser()
  const { clock, tab } = shared
  await shared.signIn(ada)
  const { app } = tab({
    wrap: host => ({
      ...host,
      locks: {
        request: async (name: string, options: LockOptions, run: (lock: Lock | null) => Promise<unknown>) => {
          // A browser that is busy.
          await wait(clock, 3000)
          return host.locks!.request(name, options, run)
        },
      } as NonNullable<Host['locks']>,
    }),
  })
  app.user$.subscribe()
  await clock.advance(1000)
  const recording = record(app)
  clock.shiftWall(620_000)
  app.teams$.subscribe()
  await clock.advance(10_000)
  const recorded = await recording.stop()
  expect(recorded.events).toContainEqual(expect.objectContaining({ did: 'refresh', outcome: 'refreshed' }))
  expect(await divergenceOf(recorded)).toBeUndefined()
})

// Promise: replay
it('compares what a tab tells the others: that it has signed out, and that it has written', async () => {
  const { app, clock } = await twoTabs()
  const recording = record(app)
  await Promise.all([app.updateUser({ displayName: 'Countess' }), clock.advance(1000)])
  await Promise.all([app.signOut(), clock.advance(1000)])
  const { version, rxauth, events } = await recording.stop()
  const read = checked({ version, events }).events
  const posts = read.filter(event => 'did' in event && event.did === 'post')
  expect(posts).toMatchObject([{ stale: {} }, { ended: expect.any(String) }])
  expect(await divergenceOf({ version, rxauth, events: read })).toBeUndefined()
  for (const post of posts) {
    const divergence = await divergenceOf({ version, rxauth, events: read.filter(event => event !== post) })
    expect(divergence?.played).toMatchObject({ did: 'post' })
  }
})
