import type { Auth, ClientApp } from 'rxauth'
import {
  adminWrites,
  clientWrites,
  declaring,
  everyWrite,
  mailings,
  onBothWires,
  reads,
  serverWrites,
  writesOfRequests,
} from './every-sample'
import type { Tried, Trial } from './every-sample'
import { everyFunction, everyStore, freshly, shortcoming, shownBy, type Shown, type Watched } from './every-store'
import { clock, inTime, labelsOf, untilNewDigits, valuesOf } from './stage'

/** Writes that begin or end a session: the stores of the new user, but for the user, are pending until they have loaded. */
const startsSession = /^sign|^continueSignIn/

/** Writes that show in metrics, among sent mails or in the count of users. */
const shownToAdmins =
  /^(create|update|delete)(Own)?User(?!ApiKey|.*password)|ContactChannel|^(update|delete)TeamById|^removeTeamMemberById$|^send|BranchConfig$/

// Promise: write-names-its-stores
it.each([
  ['client', clientWrites],
  ['server', { ...serverWrites, ...mailings }],
  ['admin', adminWrites],
] as const)('every function of a %s kit is tested below, or changes nothing', (level, writes) => {
  const tried = new Set(Object.keys(writes).map(name => name.split(',')[0]!))
  const functions = everyFunction(level)
  expect(functions.filter(name => !tried.has(name) && !reads.includes(name))).toEqual([])
  expect([...tried].filter(name => !functions.includes(name) || reads.includes(name))).toEqual([])
})

it('every write that declares `writes` says what its answer fills', () => {
  const filling = everyWrite.flatMap(([, { name, fills }]) => (fills ? [name.split(',')[0]!] : []))
  const declared = declaring('writes')
  expect(declared.filter(name => !filling.includes(name))).toEqual([])
  expect(declared.length).toBeGreaterThan(40)
})

it('every function that is said to change nothing exists', () => {
  const functions = (['client', 'server', 'admin'] as const).flatMap(everyFunction)
  expect(reads.filter(name => !functions.includes(name))).toEqual([])
})

const at = (level: Trial['level']) =>
  everyWrite.filter(([, trial]) => trial.level === level && !(trial.name in mailings))

// Promise: write-names-its-stores
// Promise: invitation-in-app
// Promise: left-team-is-empty
// Promise: oauth-links
describe('a write of a client kit shows what its answer contains before any load, and what a load would give once it is done', () => {
  it.each(onBothWires(at('client')))('at %s: %s', async (wire, _, trial) => {
    const tried = await trial.begin(wire)
    const { anyUser$, auth$ } = tried.stage.app as ClientApp
    let auth: Auth = { status: 'unknown' }
    auth$.subscribe(next => (auth = next))
    await tryOut(trial, tried, () => {
      const user = 'user' in auth ? auth.user : auth.status === 'unknown' ? undefined : null
      expect(user).toEqual(anyUser$.snapshot.status === 'ready' ? anyUser$.snapshot.value : undefined)
    })
  })
})

// Promise: write-names-its-stores
describe('a write of a server kit shows what its answer contains before any load, and what a load would give once it is done', () => {
  it.each(onBothWires(at('server')))('at %s: %s', async (wire, _, trial) => {
    await tryOut(trial, await trial.begin(wire))
  })
})

// Promise: admin-writes-show
// Promise: project-config
// Promise: permission-definitions
// Promise: email-templates
describe('a write of an admin kit shows what its answer contains before any load, and what a load would give once it is done', () => {
  it.each(onBothWires(at('admin')))('at %s: %s', async (wire, _, trial) => {
    await tryOut(trial, await trial.begin(wire))
  })
})

// Promise: server-writes-show-to-admins
describe('when a write of servers resolves, no store of admins shows less than a load would give', () => {
  const shown = onBothWires(writesOfRequests).filter(([, , { name }]) => shownToAdmins.test(name))

  it.each(shown)('at %s: %s', async (wire, _, trial) => {
    await tryOut(trial, await trial.begin(wire))
  })
})

const isLoadOf = (stores: readonly Watched[], path: string) =>
  stores.some(({ route = '' }) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(`GET ${path}`))

/** Calls `look` when the promise of the write resolves. */
async function tryOut(trial: Trial, tried: Tried, look: () => void = () => undefined): Promise<void> {
  const { name, level, fills } = trial
  const { stage } = tried
  const stores = everyStore(level, valuesOf(stage))
  const labels = (some: readonly Watched[]) => some.map(labelsOf(stage))
  const shown = new Map<Watched, Shown>()
  for (const each of stores) each.open(stage.app).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
  await clock.advance(1000)
  await tried.prepare()
  await clock.advance(untilNewDigits())
  expect([...shown.values()].filter(({ status }) => status === 'pending')).toEqual([])
  const before = new Map(shown)
  let after = new Map<Watched, Shown>()
  // What the answer alone fills is seen before the loads that follow the write are answered.
  const held = fills && level !== 'admin alone' ? stage.holdLoads() : undefined
  const writing = inTime(
    tried.write().then(result => {
      after = new Map(shown)
      look()
      return result
    }),
  )
  await (held ? clock.advance(2000) : writing)

  const fresh = stage.fresh()
  const loads = stores.map(async each => [each, await freshly(each.open(fresh))] as const)
  const loaded = new Map<Watched, Shown>(await inTime(Promise.all(loads)))
  const wrongIn = (of: ReadonlyMap<Watched, Shown>) =>
    stores.filter(each => shortcoming(of.get(each)!, loaded.get(each)!) !== null)
  const changed = wrongIn(before)
  // The write has changed something that a store shows; otherwise the test would prove nothing.
  expect(labels(changed)).not.toEqual([])
  if (held) {
    const wrong = wrongIn(shown)
    // A value that is right before the write and wrong after it would be shown and taken back.
    expect(labels(wrong.filter(each => !changed.includes(each)))).toEqual([])
    const filled = changed.filter(each => !wrong.includes(each))
    expect(labels(filled)).toEqual(fills)
    // Stores of other arguments may have the same path.
    const others = stores.filter(each => !filled.includes(each))
    expect(held.paths.filter(path => isLoadOf(filled, path) && !isLoadOf(others, path))).toEqual([])
    held.release()
  }
  expect([await writing]).not.toEqual([expect.objectContaining({ ok: false })])
  const complaints = (of: ReadonlyMap<Watched, Shown>) =>
    stores.flatMap(each => {
      const wrong = shortcoming(of.get(each)!, loaded.get(each)!)
      return wrong === null ? [] : [`${each.name} ${wrong}`.slice(0, 300)]
    })
  const isPending = (each: string) => startsSession.test(name) && /^(?!anyUser|user\$).* shows pending, /.test(each)
  expect(complaints(after).filter(each => !isPending(each))).toEqual([])
  await clock.advance(1000)
  expect(complaints(shown)).toEqual([])
  fresh.dispose()
  tried.dispose()
}
