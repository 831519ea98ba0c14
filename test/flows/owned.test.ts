import type { AnyAuthError, ClientApp } from 'rxauth'
import { credentialsOf } from '../tabs'
import { ada, grace } from '../world'
import { clientWrites } from './every-sample'
import { everyStore, freshly, shortcoming, shownBy, type Shown } from './every-store'
import { clientStage, clock, inTime, labelsOf, valuesOf } from './stage'

/** The writes of a signed-in user with the stores that show them. */
const writes = Object.entries(clientWrites).flatMap(([name, { fills = [], shown = fills, as, ...write }]) =>
  as === undefined && shown.length > 0 ? [[name, { ...write, labels: shown }] as const] : [],
)

/** A deletion, which is sent again after a lost answer. */
const isRepeated = (name: string) => /^(delete|leave|remove|revoke(?!.*ApiKey))/.test(name)

it('there is one of every entity that a user owns', () => {
  expect(writes.length).toBeGreaterThan(24)
})

describe.each(writes)('a write to what a user owns, %s,', (name, { wire, labels, prepare, write }) => {
  /** The stores that show the write, in Ada's kit and in another one of hers. */
  async function scene() {
    const stage = await clientStage(ada.email, wire)
    const { app } = stage
    app.auth$.subscribe()
    const labelOf = labelsOf(stage)
    const stores = everyStore('client', valuesOf(stage)).filter(each => labels.includes(labelOf(each)))
    expect(stores).toHaveLength(labels.length)
    const watch = (kit: ClientApp) => {
      const shown = stores.map((): Shown[] => [])
      for (const [index, { open }] of stores.entries())
        open(kit).snapshot$.subscribe(snapshot => shown[index]!.push(shownBy(snapshot)))
      return shown
    }
    const last = (shown: readonly Shown[][]) => shown.map(values => values.at(-1)!)
    const prepared = (prepare && (await inTime(prepare(stage)))) as never
    const other = stage.fresh()
    const [here, there] = [watch(app), watch(other)]
    await clock.advance(1000)
    const before = last(here)
    return {
      ...stage,
      here,
      run: () => write(stage, prepared),
      refresh: (kit: ClientApp) =>
        inTime(Promise.allSettled(stores.map(({ open }) => open(kit).refresh()))).then(() => clock.advance(1000)),
      other: { app: other, shown: () => last(there) },
      /** Fails unless the stores show what a load gives. Whether that differs from the time before the write. */
      async isDone(shown = last(here), kit = stage.fresh()) {
        const loaded = await inTime(Promise.all(stores.map(({ open }) => freshly(open(kit)))))
        expect(shown.flatMap((value, index) => shortcoming(value, loaded[index]!) ?? [])).toEqual([])
        for (const { open } of stores) expect(open(app).snapshot).not.toMatchObject({ unconfirmed: 1 })
        return loaded.some(({ value, code }, index) => value !== before[index]!.value || code !== before[index]!.code)
      },
    }
  }

  it('is shown when its promise resolves, and by another kit of the user after its next refresh', async () => {
    const { run, other, refresh, isDone } = await scene()
    await inTime(run())
    expect(await isDone()).toBe(true)
    await refresh(other.app)
    expect(await isDone(other.shown())).toBe(true)
  })

  it.each([
    // Promise: stores-end-as-platform
    ['is shown as the platform has it although the answer was lost', { loseResponse: true }, true, 'NETWORK_ERROR'],
    ['waits as long as `retry-after` says', { status: 429, retryAfter: '1' }, true, null],
    ['rejects after a failure of the server', { status: 500 }, false, 'REQUEST_FAILED'],
    ['rejects after an invalid answer', { body: 'wrong-code' }, true, 'INVALID_RESPONSE'],
  ] as const)('%s', async (_, fault, works, code) => {
    const { app, holdWrite, run, refresh, isDone } = await scene()
    const release = holdWrite()
    const outcome = run().then(
      () => null,
      (error: unknown) => (error as AnyAuthError).code,
    )
    release(fault)
    expect(await inTime(outcome)).toBe(code === 'NETWORK_ERROR' && isRepeated(name) ? null : code)
    await refresh(app)
    expect(await isDone()).toBe(works)
  })

  // Promise: stores-end-as-platform
  it('rejects while offline, and is taken back', async () => {
    const { app, holdWrite, run, refresh, isDone, setOnline } = await scene()
    const release = holdWrite()
    const outcome = run().catch((error: unknown) => error)
    setOnline(false)
    release()
    await clock.advance(60_000)
    expect(await inTime(outcome)).toMatchObject({ code: 'NETWORK_ERROR' })
    setOnline(true)
    await refresh(app)
    expect(await isDone()).toBe(false)
  })

  // Promise: stores-end-as-platform
  it.each([
    ['signs out', (app: ClientApp): Promise<unknown> => app.signOut(), { status: 'signed-out' }],
    [
      'becomes another user',
      (app: ClientApp): Promise<unknown> => app.signInWithPassword(credentialsOf(grace)),
      { user: { primaryEmail: grace.email } },
    ],
  ] as const)('shows nothing of the first user if the user %s in the middle', async (_, leave, next) => {
    const { app, here, holdWrite, run, refresh, isDone } = await scene()
    const release = holdWrite()
    run().catch(() => undefined)
    await clock.advance(3000)
    // The platform does it now.
    release({ delayMillis: 5000 })
    await clock.advance(0)
    await inTime(leave(app))
    for (const values of here) values.splice(0, values.length - 1)
    await clock.advance(5000)
    await refresh(app)
    expect(app.auth$.value).toMatchObject(next)
    await isDone()
    for (const values of here) {
      const ready = values.filter(({ status }) => status === 'ready').map(({ value }) => value)
      expect(ready.filter(value => !['[]', 'null', ready.at(-1)].includes(value))).toEqual([])
    }
  })
})
