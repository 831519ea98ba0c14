import type { AnyAuthError, ClientApp, ClientOptions, Store } from 'rxauth'
import { ownedWrites } from './every-sample'
import { formerSession } from './samples'
import { opsId } from './stage'
import { ways } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }
const grace = { email: 'grace@example.com', password: 'battery staple', displayName: 'Grace' }

const seed = {
  // Only users of the internal project own projects.
  project: {
    id: 'internal',
    config: {
      allowUserApiKeys: true,
      allowTeamApiKeys: true,
      clientTeamCreationEnabled: true,
      oauthProviders: [{ id: 'github', type: 'shared' as const }],
    },
  },
  users: [{ ...ada, sessions: [formerSession] }, grace],
  teams: [{ id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] }],
}

describe.each(ways)('a write to what a user owns, %s,', (where, open) => {
  let way: Way
  let isOffline: boolean
  afterEach(() => way.close())

  /** A kit of the internal project. */
  function newApp(options?: Partial<ClientOptions>): ClientApp {
    const { projectId, publishableClientKey } = way.platform.options
    return way.newApp({ projectId, publishableClientKey, ...options })
  }

  async function signIn({ email, password }: typeof ada = ada): Promise<ClientApp> {
    const app = newApp()
    expect((await app.signInWithPassword({ email, password })).ok).toBe(true)
    return app
  }

  /** What the store shows, each value as its subscribers are told it. */
  async function watched<T>(store: Store<T>) {
    const shown: T[] = []
    const subscription = store.subscribe({ next: value => shown.push(value), error: () => undefined })
    await store.get()
    return { shown, end: () => subscription.unsubscribe() }
  }

  /** Lets time pass on the platform until the promise has settled. */
  async function inTime<T>(promise: Promise<T>): Promise<T> {
    let isDone = false
    const ended = promise.finally(() => (isDone = true))
    ended.catch(() => undefined)
    while (!isDone) await way.pass(100)
    return ended
  }

  describe.each(ownedWrites)('$name', ({ route, isRepeated, wire = '2.8.18', prepare, store, write, isDone }) => {
    beforeEach(async () => {
      isOffline = false
      way = await open({ seed, wire })
    })

    it('is shown when its promise resolves, and by another kit of the user after its next refresh', async () => {
      const [app, other] = [await signIn(), await signIn()]
      const id = await prepare(app, way.platform)
      const [here, there] = [await watched(store(app)), await watched(store(other))]
      expect([isDone(here.shown.at(-1)!, id), isDone(there.shown.at(-1)!, id)]).toEqual([false, false])
      await write(app, id)
      expect(isDone(here.shown.at(-1)!, id)).toBe(true)
      await store(other).refresh()
      expect(isDone(there.shown.at(-1)!, id)).toBe(true)
      here.end()
      there.end()
    })

    // Promise: stores-end-as-platform
    it('is shown as the platform has it although the answer was lost', async () => {
      const app = await signIn()
      const id = await prepare(app, way.platform)
      const { shown, end } = await watched(store(app))
      way.platform.faults.next(route, { loseResponse: true })
      const outcome = await write(app, id).catch((error: unknown) => (error as AnyAuthError).code)
      expect(outcome === 'NETWORK_ERROR').toBe(!isRepeated)
      await store(app).refresh()
      expect([isDone(shown.at(-1)!, id), store(app).snapshot]).toMatchObject([true, { unconfirmed: 0 }])
      end()
    })

    it.each([
      ['waits as long as `retry-after` says', { status: 429, retryAfter: '1' }, true, null],
      ['rejects after a failure of the server', { status: 500 }, false, 'REQUEST_FAILED'],
      ['rejects after an invalid answer', { body: 'wrong-code' }, true, 'INVALID_RESPONSE'],
    ] as const)('%s', async (_, fault, works, code) => {
      const app = await signIn()
      const id = await prepare(app, way.platform)
      const { shown, end } = await watched(store(app))
      way.platform.faults.next(route, fault)
      if (code === null) await write(app, id)
      else await expect(write(app, id)).rejects.toMatchObject({ code })
      // After a refresh the store shows what the platform has.
      await store(app).refresh()
      expect([isDone(shown.at(-1)!, id), store(app).snapshot]).toMatchObject([works, { unconfirmed: 0 }])
      end()
    })

    // Promise: stores-end-as-platform
    it('rejects while offline, and is taken back', async () => {
      const fetch: typeof globalThis.fetch = (input, init) =>
        isOffline
          ? Promise.reject(new TypeError('fetch failed'))
          : where === 'in process'
            ? way.platform.options.fetch(input, init)
            : globalThis.fetch(input, init)
      const app = newApp({ fetch })
      await app.signInWithPassword({ email: ada.email, password: ada.password })
      const id = await prepare(app, way.platform)
      const { shown, end } = await watched(store(app))
      isOffline = true
      await expect(write(app, id)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
      expect(isDone(shown.at(-1)!, id)).toBe(false)
      isOffline = false
      await store(app).refresh()
      expect([isDone(shown.at(-1)!, id), store(app).snapshot]).toMatchObject([false, { unconfirmed: 0 }])
      expect(store(app).snapshot).not.toHaveProperty('error')
      end()
    })

    // Promise: stores-end-as-platform
    it.each([
      ['signs out', async (app: ClientApp): Promise<unknown> => app.signOut(), null],
      [
        'becomes another user',
        async (app: ClientApp): Promise<unknown> =>
          app.signInWithPassword({ email: grace.email, password: grace.password }),
        grace,
      ],
    ] as const)('shows nothing of the first user if the user %s in the middle', async (_, leave, next) => {
      const app = await signIn()
      const id = await prepare(app, way.platform)
      const { shown, end } = await watched(store(app))
      way.platform.faults.next(route, { delayMillis: 500 })
      const written = write(app, id).catch((error: unknown) => error)
      // The request is under way before the session changes.
      for (let turn = 0; turn < 3; turn++) await way.pass(0)
      const count = shown.length
      await inTime(leave(app))
      await inTime(written)
      await inTime(
        store(app)
          .refresh()
          .catch(() => undefined),
      )
      const mine = next ? await inTime(outcomeOf(store(await signIn(next)))) : []
      const { snapshot } = store(app)
      if (snapshot.status === 'ready') expect(snapshot.value).toEqual(mine)
      else expect(snapshot).toMatchObject({ status: 'failed', error: { code: mine } })
      for (const value of shown.slice(count)) expect([[], mine]).toContainEqual(value)
      end()
    })
  })
})

/** What a load gives: the list, or the code of the error. */
async function outcomeOf(store: Store<readonly unknown[]>): Promise<readonly unknown[] | string> {
  return store.get().catch((error: unknown) => (error as AnyAuthError).code)
}
