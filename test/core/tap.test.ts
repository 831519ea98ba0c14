import * as client from '../../src/kit/client-members'
import type { KitDecision, Input } from '../../src/core/tap'
import { coreOf } from '../../src/store/kit-parts'
import { browser } from '../tabs'
import { ada, world } from '../world'

/** Members that ask no platform and read no store. */
const silent = ['inspect']

type Member = ((input?: unknown) => unknown) & { subscribe?: (observer: object) => { unsubscribe(): void } }

describe('the tap of an app', () => {
  const members = Object.entries(client).filter(([name, each]) => typeof each === 'function' && !silent.includes(name))

  // Promise: replay
  it.each(members.map(([name]) => name))('tells of %s', async name => {
    const { app, clock } = await world()
    const told: (Input | KitDecision)[] = []
    const { tap } = coreOf(app).clock
    tap.tell = event => told.push(event)
    const member = (app as unknown as Readonly<Record<string, Member>>)[name]!
    const used = typeof member === 'function' ? orError(() => member({ teamId: 'x' })) : member
    const { subscribe } = Object(used) as Member
    if (subscribe) subscribe.call(used, { error: () => undefined }).unsubscribe()
    await clock.advance(0)
    app.dispose()
    const inputs = told.flatMap(event => ('in' in event ? [event.in === 'call' ? event.name : event.in] : []))
    expect(inputs.some(input => [name, 'watch', 'write'].includes(input))).toBe(true)
  })

  it('tells of no lost lock when the refresh under it fails', async () => {
    const { clock, platform, tab, signIn } = browser()
    await signIn(ada)
    const { app } = tab()
    const told: (Input | KitDecision)[] = []
    coreOf(app).clock.tap.tell = event => told.push(event)
    clock.shiftWall(620_000)
    platform.faults.next('POST /auth/oauth/token', { body: 'garbage' })
    app.accessToken().catch(() => undefined)
    await clock.advance(1000)
    const locks = told.flatMap(event => ('in' in event && event.in === 'lock' ? [event.lock ? 'granted' : 'lost'] : []))
    expect(locks).toEqual(['granted'])
  })

  it('builds no event without a listener', async () => {
    const { app, clock } = await world()
    app.user$.subscribe()
    await clock.advance(1000)
    expect(coreOf(app).clock.tap.tell).toBeUndefined()
  })
})

/** What the member gives at once; a store is subscribed to, and a promise may reject. */
function orError(run: () => unknown): unknown {
  try {
    const returned = run()
    if (returned instanceof Promise) returned.catch(() => undefined)
    return returned
  } catch {
    return undefined
  }
}
