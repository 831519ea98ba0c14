import { BehaviorSubject } from 'rxjs'
import { createClientApp, memoryTokens, record, type Clock, type Recording, type TokenSource } from 'rxauth'
import { createPlatform, replay, virtualClock } from 'rxauth/platform'
import * as client from 'rxauth'
import { wireName } from '../../../src/core/wire'
import { isKnownWord } from '../../../src/extras/record/words'
import { runs } from '../../runs'
import { browser } from '../../tabs'
import { ada, world } from '../../world'
import { recordedSession } from './session'

/** A part of the secret, of this length, that is in the text. */
function revealed(text: string, secret: string, length = 8): string[] {
  const parts = Array.from({ length: Math.max(0, secret.length - length + 1) }, (_, at) =>
    secret.slice(at, at + length),
  )
  return parts.filter(part => text.includes(part)).slice(0, 1)
}

/** What an event is of. */
const kindOf = (event: object) => ('in' in event ? event.in : 'did' in event ? event.did : Object.keys(event).at(-1))

describe('record()', () => {
  // Promise: recording-without-secrets
  it('writes no token, code, key, password or address, nor eight characters of one, in any recording', async () => {
    let events = 0
    const numRuns = runs(40, 200)
    for (let seed = 1; seed <= numRuns; seed++) {
      const { recording, secrets } = await recordedSession(seed)
      events += recording.events.length
      const text = JSON.stringify(recording)
      expect([...secrets].flatMap(secret => revealed(text, secret))).toEqual([])
    }
    expect(events).toBeGreaterThan(numRuns * 20)
  })

  // Promise: record-changes-nothing
  it('leaves the kit as it found it, and gives the same recording again', async () => {
    const { app, clock } = await world()
    const members = () => {
      const { transport, cells, session, clock } = (app as unknown as { '~core': Record<string, object> })['~core']
      const { changed, stale } = session as { changed: object; stale: object }
      const kept = [transport, cells, session, changed, stale].map(part => Object.keys(part!))
      return [...kept, Object.entries(clock!)].map(names => names.filter(name => name !== 'onRetained'))
    }
    const before = members()
    const counts = app.inspect()
    const recording = record(app)
    const stop = app.user$.subscribe()
    await clock.advance(1000)
    const first = await recording.stop()
    const { length } = first.events
    stop.unsubscribe()
    await clock.advance(10_000)
    expect(await recording.stop()).toEqual(first)
    expect(first.events).toHaveLength(length)
    expect(app.inspect()).toEqual(counts)
    expect(members()).toEqual(before)
  })

  // Promise: record-changes-nothing
  it('lets the kit refuse an input without a form', async () => {
    const { newApp, tokensOf, inTime } = await world()
    const app = newApp({ tokens: await tokensOf(ada) })
    await inTime(app.user$.get())
    const recording = record(app)
    const clientMetadata: Record<string, unknown> = {}
    clientMetadata['self'] = clientMetadata
    const refused = inTime(app.updateUser({ clientMetadata }))
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect((await recording.stop()).events.map(kindOf)).not.toContain('write')
  })

  it.each([
    ['online', 'online$'],
    ['shown', 'shown$'],
  ])('notes that a page is %s although its host tells nothing else', async (kind, name) => {
    const { newApp } = await world()
    const state$ = new BehaviorSubject(true)
    const recording = record(newApp({ host: { [name]: state$ } }))
    state$.next(false)
    state$.next(true)
    const { events } = await recording.stop()
    expect(events.filter(event => kindOf(event) === kind)).toMatchObject([{ is: false }, { is: true }])
  })

  it('notes timers, and no polls of the cookie', async () => {
    const { clock, tab } = browser()
    const { app } = tab()
    const recording = record(app)
    const stop = app.user$.subscribe()
    await app.signInWithPassword({ email: ada.email, password: ada.password })
    await clock.advance(700_000)
    await app.accessToken()
    const { events } = await recording.stop()
    stop.unsubscribe()
    const timers = events.filter(event => kindOf(event) === 'timer').length
    expect(timers).toBeGreaterThan(0)
    expect(timers).toBeLessThan(10)
  })

  it.each([Infinity, NaN, 1e12, '7s' as unknown as number])(
    'can be played although a token store has waited for %p',
    async millis => {
      let run: () => void = () => undefined
      const clock: Clock = { ...virtualClock(), setTimeout: given => ((run = given), () => undefined) }
      let seen: Clock | undefined
      const tokens: TokenSource = context => {
        seen = context.clock
        return memoryTokens()
      }
      const app = createClientApp({ ...createPlatform().options, clock, tokens })
      const recording = record(app)
      seen?.setTimeout(() => undefined, millis)
      run()
      const { auth } = await replay(JSON.parse(JSON.stringify(await recording.stop())) as Recording)
      expect(auth.status).toBe('signed-out')
    },
  )

  // Promise: record-changes-nothing
  it('writes two recordings of one app at once, and the app has its answers', async () => {
    const { app, clock } = await world()
    const recordings = [record(app), record(app)]
    // One that has been stopped ends no other.
    await record(app).stop()
    const loading = app.teams$.get()
    await clock.advance(0)
    expect(await clock.settled(loading)).toEqual([])
    const [first, second] = await Promise.all(recordings.map(async each => (await each.stop()).events.map(kindOf)))
    expect(first).toContain('answer')
    expect(second).toEqual(first)
  })

  // Promise: record-changes-nothing
  it('ends with the app, if it has not been stopped before', async () => {
    const { app, clock } = await world()
    const recording = record(app)
    app.user$.subscribe()
    await clock.advance(0)
    app.dispose()
    expect((await recording.stop()).events.at(-1)).toMatchObject({ end: { 'client GET /users/me {}': /^ready / } })
  })

  it.each([
    [1, 7000, 0],
    [18, 900, 1],
  ])('keeps the last events: of %i turns with %i subscribers, %i moment to play from', async (turns, each, moments) => {
    const { app, clock } = await world()
    const recording = record(app)
    for (let turn = 0; turn < turns; turn++) {
      for (let count = 0; count < each; count++) app.project$.snapshot$.subscribe().unsubscribe()
      await clock.advance(1000)
    }
    const { events } = await recording.stop()
    expect(events.length).toBeGreaterThan(3999)
    expect(events.length).toBeLessThan(12_000)
    expect(events.at(-1)).toHaveProperty('end')
    expect(events.filter(event => 'start' in event)).toHaveLength(moments)
  })

  it('keeps the events before a moment of rest that comes after 8,000 others', async () => {
    const { app, clock } = await world()
    const recording = record(app)
    for (const each of [4300, 1]) {
      for (let count = 0; count < each; count++) app.project$.snapshot$.subscribe().unsubscribe()
      await clock.advance(1000)
    }
    expect((await recording.stop()).events.length).toBeGreaterThan(3999)
  })

  it('knows the names of every field and the words of every route of a client', () => {
    const seen = new Set<unknown>()
    const unknown = new Set<string>()
    const check = (word: string) => {
      if (!isKnownWord(word)) unknown.add(word)
    }
    const walk = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
      seen.add(schema)
      const { entries, item, wrapped, pipe, options } = schema as Readonly<Record<string, unknown>>
      for (const [name, entry] of Object.entries(entries ?? {})) {
        check(name)
        check(wireName(name, entry as never))
        walk(entry)
      }
      for (const part of [item, wrapped, pipe, options].flat()) walk(part)
    }
    for (const definition of Object.values(client) as {
      endpoint?: client.Endpoint<client.Access, object, unknown, never>
    }[]) {
      const { endpoint } = definition
      if (!endpoint) continue
      walk(endpoint.input)
      walk(endpoint.returns)
      for (const word of endpoint.route.split(/[ /{}]/).slice(1)) if (word) check(word)
    }
    expect(seen.size).toBeGreaterThan(300)
    expect([...unknown]).toEqual([])
  })
})
