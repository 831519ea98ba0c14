import type { Kit } from 'rxauth'
import { ada } from '../world'
import { adminWrites, clientWrites, declaring, serverWrites } from './every-sample'
import { everyStore, freshly, shortcoming, shownBy } from './every-store'
import type { Shown, Watched } from './every-store'
import { adminStage, clientStage, clock, inTime, labelsOf, serverStage, untilNewDigits, valuesOf } from './stage'
import type { Stage, Write } from './stage'

const asOf = ({ as }: { readonly as?: string | null }) => (as === undefined ? ada.email : as)

const filling = <W extends Pick<Write, 'fills'>>(writes: Readonly<Record<string, W>>) =>
  Object.entries(writes).filter(([, { fills }]) => fills !== undefined)

// Promise: oauth-links
// Promise: email-templates
// Promise: left-team-is-empty
describe('before any load, stores show what the answer contains, and nothing that a load would take back', () => {
  it.each(filling(clientWrites))('%s', async (_, tried) => {
    expect(await filledBy(tried, await clientStage(asOf(tried), tried.wire), 'client')).toEqual(tried.fills)
  })

  it.each(filling(serverWrites))('%s', async (_, tried) => {
    expect(await filledBy(tried, await serverStage(asOf(tried), tried.wire), 'server')).toEqual(tried.fills)
  })

  it.each(filling(adminWrites))('%s', async (_, tried) => {
    expect(await filledBy(tried, await adminStage(tried.wire), 'admin')).toEqual(tried.fills)
  })
})

it('every write that declares `writes` is tested above', () => {
  const tried = [...filling(clientWrites), ...filling(serverWrites), ...filling(adminWrites)].map(
    ([name]) => name.split(',')[0]!,
  )
  const declared = declaring('writes')
  expect(declared.filter(name => !tried.includes(name))).toEqual([])
  expect(declared.length).toBeGreaterThan(40)
})

const isLoadOf = (stores: readonly Watched[], path: string) =>
  stores.some(({ route = '' }) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(`GET ${path}`))

/** The stores that show what the write has changed while every load is held back. */
async function filledBy<A extends Kit>(
  { prepare, write }: Write<A>,
  stage: Stage<A>,
  level: 'client' | 'server' | 'admin',
): Promise<string[]> {
  const { app, platform } = stage
  const stores = everyStore(level, valuesOf(stage))
  const shown = new Map<Watched, Shown>()
  for (const each of stores) each.open(app).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
  await clock.advance(1000)
  const prepared = (prepare && (await inTime(prepare(stage)))) as never
  await clock.advance(untilNewDigits())
  const before = new Map(shown)
  const paths = stage.holdLoads()
  // The write waits for the stores that it refreshes.
  void write(stage, prepared).catch(() => undefined)
  await clock.advance(2000)
  const after = new Map(shown)
  const fresh = stage.fresh()
  const loads = stores.map(async each => [each, await freshly(each.open(fresh))] as const)
  const loaded = new Map<Watched, Shown>(await inTime(Promise.all(loads)))
  const isShown = (shown: ReadonlyMap<Watched, Shown>, each: Watched) =>
    shortcoming(shown.get(each)!, loaded.get(each)!) === null
  const labelOf = labelsOf(stage)
  app.dispose()
  fresh.dispose()
  platform.dispose()
  // A value that is right before the write and wrong after it would be shown and taken back.
  expect(stores.filter(each => isShown(before, each) && !isShown(after, each)).map(labelOf)).toEqual([])
  const filled = stores.filter(each => !isShown(before, each) && isShown(after, each))
  // Stores of other arguments may have the same path.
  const others = stores.filter(each => !filled.includes(each))
  expect(paths.filter(path => isLoadOf(filled, path) && !isLoadOf(others, path))).toEqual([])
  return filled.map(labelOf)
}
