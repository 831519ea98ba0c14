import type { Kit } from 'rxauth'
import { ada } from '../world'
import { adminWrites, clientWrites, mailings, reads, serverWrites } from './every-sample'
import { everyFunction, everyStore, freshly, shortcoming, shownBy } from './every-store'
import type { Shown, Watched } from './every-store'
import {
  adminStage,
  clientStage,
  clock,
  inTime,
  onBothWires,
  requestStage,
  serverStage,
  untilNewDigits,
  valuesOf,
} from './stage'
import type { Stage, Write } from './stage'

/** Writes that begin or end a session: the stores of the new user are pending until they have loaded. */
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

it('every function that is said to change nothing exists', () => {
  const functions = (['client', 'server', 'admin'] as const).flatMap(everyFunction)
  expect(reads.filter(name => !functions.includes(name))).toEqual([])
})

// Promise: write-names-its-stores
// Promise: invitation-in-app
describe('when its promise resolves, no store of a client kit shows less than a load would give', () => {
  it.each(onBothWires(clientWrites))('at %s: %s', async (wire, name, tried) => {
    await tryOut(name, tried, await clientStage(asOf(tried), wire), 'client')
  })
})

// Promise: write-names-its-stores
describe('when its promise resolves, no store of a server kit shows less than a load would give', () => {
  it.each(onBothWires(serverWrites))('at %s: %s', async (wire, name, tried) => {
    await tryOut(name, tried, await serverStage(asOf(tried), wire), 'server')
  })
})

// Promise: admin-writes-show
// Promise: project-config
// Promise: permission-definitions
describe('when its promise resolves, no store of an admin kit shows less than a load would give', () => {
  it.each(onBothWires(adminWrites))('at %s: %s', async (wire, name, tried) => {
    await tryOut(name, tried, await adminStage(wire), 'admin')
  })
})

// Promise: server-writes-show-to-admins
describe('when a write of servers resolves, no store of admins shows less than a load would give', () => {
  const shown = onBothWires({ ...serverWrites, ...mailings }).filter(([, name]) => shownToAdmins.test(name))

  it.each(shown)('at %s: %s', async (wire, name, tried) => {
    await tryOut(name, tried, await requestStage(asOf(tried), wire), 'admin alone')
  })
})

const asOf = ({ as }: { readonly as?: string | null }) => (as === undefined ? ada.email : as)

async function tryOut<A extends Kit>(
  name: string,
  { prepare, write }: Write<A>,
  stage: Stage<A>,
  level: 'client' | 'server' | 'admin' | 'admin alone',
): Promise<void> {
  const stores = everyStore(level, valuesOf(stage))
  const shown = new Map<Watched, Shown>()
  for (const each of stores) each.open(stage.app).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
  await clock.advance(1000)
  const prepared = (prepare && (await inTime(prepare(stage)))) as never
  await clock.advance(untilNewDigits())
  expect([...shown.values()].filter(({ status }) => status === 'pending')).toEqual([])
  const before = new Map(shown)
  let after = new Map<Watched, Shown>()
  const outcome = await inTime(
    write(stage, prepared).then(result => {
      after = new Map(shown)
      return result
    }),
  )
  expect([outcome]).not.toEqual([expect.objectContaining({ ok: false })])

  const fresh = stage.fresh()
  const loads = stores.map(async each => [each, await freshly(each.open(fresh))] as const)
  const loaded = new Map<Watched, Shown>(await inTime(Promise.all(loads)))
  const changed = stores.filter(each => shortcoming(before.get(each)!, loaded.get(each)!) !== null)
  // The write has changed something that a store shows; otherwise the test would prove nothing.
  expect(changed.map(each => each.name)).not.toEqual([])
  const complaints = (of: ReadonlyMap<Watched, Shown>) =>
    stores.flatMap(each => {
      const wrong = shortcoming(of.get(each)!, loaded.get(each)!)
      return wrong === null ? [] : [`${each.name} ${wrong}`.slice(0, 300)]
    })
  const isPending = (each: string) => startsSession.test(name) && each.includes(' shows pending, ')
  expect(complaints(after).filter(each => !isPending(each))).toEqual([])
  await clock.advance(1000)
  expect(complaints(shown)).toEqual([])
  stage.app.dispose()
  fresh.dispose()
  stage.platform.dispose()
}
