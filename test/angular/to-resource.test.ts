/** @jest-environment ./test/setup/jsdom-environment.ts */
import { provide, within } from './test-bed'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  ApplicationRef,
  computed,
  createEnvironmentInjector,
  effect,
  EnvironmentInjector,
  Injector,
  runInInjectionContext,
  signal,
} from '@angular/core'
import { TestBed } from '@angular/core/testing'
import { firstValueFrom, Observable } from 'rxjs'
import { derive, type Store } from 'rxauth'
import { toResource, type StoreResource } from 'rxauth/angular'
import { ada, world } from '../world'

async function page() {
  const seed = {
    users: [ada],
    teams: ['Ops', 'Lab'].map(displayName => ({
      displayName,
      members: [{ email: ada.email, permissions: ['team_admin'] }],
    })),
  }
  const all = await world({ platform: { seed } })
  provide()
  const advance = async (millis = 0) => {
    TestBed.tick()
    await all.clock.advance(millis)
    TestBed.tick()
  }
  return { ...all, advance }
}

/** All that a resource says, as a template reads it. */
function read<T>(resource: StoreResource<T>) {
  return {
    status: resource.status(),
    value: resource.hasValue() ? resource.value() : undefined,
    error: resource.error(),
    isLoading: resource.isLoading(),
  }
}

const of = <T>(status: string, value?: T, error?: unknown) => ({
  status,
  value,
  error,
  isLoading: status.endsWith('loading'),
})

const valueOf = <T>({ snapshot }: Store<T>) => (snapshot.status === 'ready' ? snapshot.value : null)

const nameOf = (user: { readonly displayName: string | null } | null) => user?.displayName

describe('a store as a resource', () => {
  it('loads, shows its value, and follows it', async () => {
    const { advance, app } = await page()
    const user = within(() => toResource(app.user$))
    expect(read(user)).toEqual(of('loading'))
    expect(user.value()).toBeUndefined()
    await advance()
    expect(read(user)).toMatchObject(of('resolved', { displayName: 'Ada' }))
    const update = app.updateUser({ displayName: 'Countess' })
    await advance(1000)
    await update
    expect(nameOf(user.value()!)).toBe('Countess')
  })

  it('shows the value of a store in use at once', async () => {
    const { app, settled } = await page()
    const release = app.user$.listen(() => undefined)
    await settled(app.user$.get())
    expect(read(within(() => toResource(app.user$)))).toMatchObject(of('resolved', { displayName: 'Ada' }))
    release()
  })

  it('counts null as a value', async () => {
    const { advance, newApp } = await page()
    const user = within(() => toResource(newApp().user$))
    await advance()
    expect([user.hasValue(), user.value(), user.status()]).toEqual([true, null, 'resolved'])
  })

  it('fails with the error of the store, and recovers by a reload', async () => {
    const { advance, app, platform } = await page()
    platform.faults.every('GET /teams', { status: 503 })
    const teams = within(() => toResource(app.teams$))
    await advance(60_000)
    expect(read(teams)).toMatchObject(of('error', undefined, { code: 'REQUEST_FAILED' }))
    expect(() => teams.value()).toThrow(teams.error())
    platform.faults.clear()
    expect(teams.reload()).toBe(true)
    await advance()
    expect(read(teams)).toMatchObject({ status: 'resolved', error: undefined, value: [{}, {}] })
  })

  it('keeps its value while it reloads, and if that fails', async () => {
    const { advance, app, clock, platform } = await page()
    const teams = within(() => toResource(app.teams$))
    await advance()
    platform.faults.every('GET /teams', { status: 503, delayMillis: 100 })
    await clock.advance(300)
    teams.reload()
    await advance(10)
    expect(read(teams)).toMatchObject({ status: 'reloading', isLoading: true, value: [{}, {}] })
    // A page with a value is complete.
    expect(await firstValueFrom(TestBed.inject(ApplicationRef).isStable)).toBe(true)
    await advance(60_000)
    expect(read(teams)).toMatchObject({ status: 'resolved', error: undefined, value: [{}, {}] })
  })

  it('follows the store that a function of signals returns, and shows nothing of the one before', async () => {
    const { advance, app, settled } = await page()
    const [lab, ops] = [...(await settled(app.teams$.get()))].sort((a, b) => a.displayName.localeCompare(b.displayName))
    const teamId = signal<string | undefined>(undefined)
    const team = within(() =>
      toResource(() => {
        const id = teamId()
        return id === undefined ? undefined : app.team$({ teamId: id })
      }),
    )
    await advance()
    expect([read(team), team.reload()]).toEqual([of('idle'), false])
    teamId.set(ops!.id)
    expect(read(team)).toEqual(of('loading'))
    await advance(1000)
    expect(read(team)).toMatchObject(of('resolved', { displayName: 'Ops' }))
    teamId.set(lab!.id)
    expect(read(team)).toEqual(of('loading'))
    await advance(1000)
    expect(read(team)).toMatchObject(of('resolved', { displayName: 'Lab' }))
    teamId.set(undefined)
    expect(read(team)).toEqual(of('idle'))
    await advance()
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('unsubscribes with its injector', async () => {
    const { advance, app } = await page()
    const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector))
    runInInjectionContext(injector.get(Injector), () => toResource(app.user$))
    await advance()
    expect(app.inspect().subscriptions).toBe(1)
    injector.destroy()
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('shows nothing of the user before after a sign-out', async () => {
    const { advance, app } = await page()
    const teams = within(() => toResource(app.teams$))
    await advance()
    expect(read(teams)).toMatchObject({ value: [{}, {}] })
    const out = app.signOut()
    await advance()
    await out
    expect(read(teams)).toMatchObject({ status: 'resolved', value: [] })
  })

  it('keeps a render on a server waiting while it loads', async () => {
    const { advance, app } = await page()
    const stable: boolean[] = []
    within(() => toResource(app.user$))
    TestBed.tick()
    TestBed.inject(ApplicationRef).isStable.subscribe(isStable => stable.push(isStable))
    expect(stable).toEqual([false])
    await advance()
    await nextTurn()
    expect([stable[0], stable.at(-1)]).toEqual([false, true])
  })

  it('shows nothing of the store before, though it changes before the effects have run', async () => {
    const { advance, app, settled } = await page()
    const [lab, ops] = [...(await settled(app.teams$.get()))].sort((a, b) => a.displayName.localeCompare(b.displayName))
    const teamId = signal(ops!.id)
    const team = within(() => toResource(() => app.team$({ teamId: teamId() })))
    await advance(1000)
    teamId.set(lab!.id)
    const update = app.updateTeam({ teamId: ops!.id, displayName: 'Operations' })
    // Microtasks, in which no effect runs.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    expect(nameOf(valueOf(app.team$({ teamId: ops!.id })))).toBe('Operations')
    expect(read(team)).toEqual(of('loading'))
    await advance(1000)
    await update
    expect(read(team)).toMatchObject(of('resolved', { displayName: 'Lab' }))
  })

  it('recovers with the store, without a reload of its own', async () => {
    const { advance, app, platform } = await page()
    platform.faults.every('GET /teams', { status: 503 })
    const teams = within(() => toResource(app.teams$))
    await advance(60_000)
    expect(teams.status()).toBe('error')
    platform.faults.clear()
    const refreshed = app.teams$.refresh()
    await advance()
    await refreshed
    expect(read(teams)).toMatchObject(of('resolved', [{}, {}]))
    expect(teams.value()).toHaveLength(2)
  })

  it('says that it reloads while it shows the error of the load before no more', async () => {
    const { advance, app, platform } = await page()
    platform.faults.every('GET /teams', { status: 503 })
    const teams = within(() => toResource(app.teams$))
    await advance(60_000)
    platform.faults.clear()
    platform.faults.every('GET /teams', { delayMillis: 500 })
    teams.reload()
    await advance(100)
    expect(read(teams)).toEqual(of('reloading'))
    expect(teams.value()).toBeUndefined()
  })

  it('reloads while a derived store holds the value of what it read before', async () => {
    const { advance, app, platform, settled } = await page()
    const [lab, ops] = await settled(app.teams$.get())
    const count$ = derive(app, get => {
      const { id, displayName } = get(app.user$)?.displayName === 'Ada' ? ops! : lab!
      return `${displayName}: ${get(app.teamMembers$({ teamId: id })).length}`
    })
    const count = within(() => toResource(count$))
    await advance(1000)
    expect(read(count)).toEqual(of('resolved', `${ops!.displayName}: 1`))
    platform.faults.every('GET /team-member-profiles', { delayMillis: 500 })
    const update = app.updateUser({ displayName: 'Countess' })
    await advance(100)
    expect(read(count)).toEqual(of('reloading', `${ops!.displayName}: 1`))
    await advance(1000)
    await update
    expect(read(count)).toEqual(of('resolved', `${lab!.displayName}: 1`))
  })

  it('ends with its injector in the middle of a load, and does not keep a render waiting', async () => {
    const { advance, app, platform } = await page()
    platform.faults.every('GET /teams', { delayMillis: 500 })
    const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector))
    const teams = runInInjectionContext(injector.get(Injector), () => toResource(app.teams$))
    await advance(100)
    injector.destroy()
    expect(app.inspect().subscriptions).toBe(0)
    const stable: boolean[] = []
    TestBed.inject(ApplicationRef).isStable.subscribe(isStable => stable.push(isStable))
    await advance(1000)
    expect([stable.at(-1), teams.status()]).toEqual([true, 'loading'])
    expect(teams.reload()).toBe(true)
    await advance(1000)
  })

  it('keeps what it shows when its app ends, and a reload then rejects nothing', async () => {
    const { advance, app } = await page()
    const teams = within(() => toResource(app.teams$))
    await advance()
    app.dispose()
    await advance()
    expect(teams.reload()).toBe(true)
    await advance()
    expect(read(teams)).toMatchObject(of('resolved', [{}, {}]))
  })

  it('neither reads signals of the app nor writes its own within a template', async () => {
    const { advance, app } = await page()
    const factor = signal(1)
    const name$ = derive(app, get => `${get(app.user$)?.displayName} × ${factor()}`)
    const made = jest.fn(() => name$)
    const name = within(() => toResource(made))
    await advance()
    factor.set(2)
    await advance()
    expect([name.value(), made.mock.calls.length]).toEqual(['Ada × 1', 1])
  })

  it('reads no signals of its store, neither for the first value, nor by its subscription, nor in a reload', async () => {
    const { advance } = await page()
    const [changing, reads] = [signal(0), signal(0)]
    const [subscribed, refreshed] = [jest.fn(changing), jest.fn(changing)]
    const snapshot = { status: 'ready', value: 'tea', fetchedAt: new Date(0), refreshing: false, unconfirmed: 0 }
    const store = {
      get snapshot() {
        // A template may not write signals.
        reads.update(count => count + 1)
        return snapshot
      },
      snapshot$: new Observable(() => void subscribed()),
      refresh: async () => Promise.resolve(refreshed()),
    }
    const source = signal(store as unknown as Store<string>)
    const tea = within(() => toResource(source))
    const shown = computed(() => tea.value())
    expect(shown()).toBe('tea')
    const reload = jest.fn(() => void tea.reload())
    within(() => effect(reload))
    await advance()
    changing.set(1)
    await advance()
    expect(subscribed).toHaveBeenCalledTimes(1)
    source.set({ ...store } as unknown as Store<string>)
    await advance()
    expect([subscribed, refreshed, reload].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1])
  })

  it('says what to write in place of what is no store', async () => {
    const { app, advance } = await page()
    const given = [
      app.trace$,
      app.auth$,
      app.teamMembers$({ teamId: 'team-1' }).snapshot$,
    ] as unknown as Store<unknown>[]
    for (const one of given)
      for (const source of [one, () => one]) {
        const resource = within(() => toResource(source))
        expect(() => resource.status()).toThrow(/^store is no store; pass one, as app\.user\$/)
      }
    await expect(advance()).rejects.toThrow(/is no store/)
  })

  it('cannot be written', async () => {
    const { app } = await page()
    const user = within(() => toResource(app.user$))
    const parts = ['status', 'snapshot', 'value', 'error', 'isLoading'] as const
    expect(parts.filter(part => 'set' in (user as unknown as Record<typeof part, object>)[part])).toEqual([])
  })

  it('has the snapshot that resources have since Angular 21.2', async () => {
    const { advance, app, platform } = await page()
    platform.faults.every('GET /teams', { status: 503 })
    const [user, teams] = within(() => [toResource(app.user$), toResource(app.teams$)])
    await advance(60_000)
    const snapshotOf = (resource: object) => (resource as { snapshot(): unknown }).snapshot()
    expect(snapshotOf(user)).toMatchObject({ status: 'resolved', value: { displayName: 'Ada' } })
    expect(snapshotOf(teams)).toEqual({ status: 'error', error: teams.error() })
  })
})
