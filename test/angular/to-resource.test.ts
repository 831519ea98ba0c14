/** @jest-environment ./test/setup/jsdom-environment.ts */
import { provide, within } from './test-bed'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  ApplicationRef,
  createEnvironmentInjector,
  EnvironmentInjector,
  Injector,
  runInInjectionContext,
  signal,
} from '@angular/core'
import { TestBed } from '@angular/core/testing'
import { toResource } from 'rxauth/angular'
import type { StoreResource } from 'rxauth/angular'
import { ada, world } from '../world'

async function page() {
  const seed = {
    users: [ada],
    teams: ['Ops', 'Lab'].map(displayName => ({ displayName, members: [{ email: ada.email }] })),
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
