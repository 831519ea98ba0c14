import { createKit, endpoint, memoryTokens, mutation, query, view, type Kit } from 'rxauth'
import { firstValueFrom } from 'rxjs'
import * as v from 'valibot'
import { coreOf } from '../../src/store/kit-parts'
import { ada, world } from '../world'
import { Backend, outcome, ownKit, plain, ready, record } from './own-backend'

describe('a view', () => {
  const count = { projections: 0 }
  function lengths() {
    const own = ownKit()
    const backend = new Backend<string | null>()
    const text$ = query(backend.ask, { key: 'text', ownedBy: 'app' })
    const length$ = view(text$, text => {
      count.projections++
      if (text === null) throw new Error('no text')
      return { characters: text.length }
    })
    return { ...own, backend, text$, length$, cells: () => [...coreOf(own.kit).cells].length }
  }

  // Promise: view-has-no-cell
  it('has no cell and no request of its own', async () => {
    const { kit, text$, length$, backend, answer, cells } = lengths()
    const views = [record(length$(kit)), record(length$(kit))]
    const source = record(text$(kit))
    await answer(backend, 'four')
    expect(views.map(({ told }) => told)).toEqual([[{ characters: 4 }], [{ characters: 4 }]])
    expect([source.told, backend.asked.length, cells()]).toEqual([['four'], 1, 1])
    expect(plain(length$(kit))).toEqual(ready({ characters: 4 }))
  })

  // Promise: view-has-no-cell
  it('emits only changes of its own value, and keeps the reference', async () => {
    const { kit, text$, length$, backend, answer, clock } = lengths()
    const values = record(length$(kit))
    await answer(backend, 'four')
    const before = length$(kit).snapshot
    await clock.advance(300)
    void text$(kit).refresh()
    await answer(backend, 'five')
    const after = length$(kit).snapshot
    expect(values.told).toEqual([{ characters: 4 }])
    expect(before.status === 'ready' && after.status === 'ready' && after.value === before.value).toBe(true)
  })

  it('in refreshes stands for its source', async () => {
    const { kit, text$, length$, backend, answer, clock } = lengths()
    const source = record(text$(kit))
    await answer(backend, 'four')
    await clock.advance(300)
    void mutation(async () => undefined, { refreshes: () => [length$] })(kit, {})
    await answer(backend, 'sixsix')
    expect(source.told).toEqual(['four', 'sixsix'])
  })

  it('of a view projects that view', async () => {
    const { kit, length$, backend, answer } = lengths()
    const isLong$ = view(length$, ({ characters }) => characters > 3)
    const { told } = record(isLong$(kit))
    await answer(backend, 'four')
    expect([told, await isLong$(kit).get(), backend.asked.length]).toEqual([[true], true, 1])
  })

  it('whose projection throws fails with CALLBACK_FAILED, and its source does not', async () => {
    const { kit, text$, length$, backend, answer } = lengths()
    const source = record(text$(kit))
    const values = record(length$(kit))
    const asked = outcome(length$(kit).get())
    await answer(backend, null)
    expect([source.told, values.told, asked.value]).toEqual([
      [null],
      ['error: CALLBACK_FAILED'],
      'error: CALLBACK_FAILED',
    ])
    expect(plain(length$(kit))).toEqual({ status: 'failed', error: 'CALLBACK_FAILED', failedAt: 0, refreshing: false })
    const { snapshot } = length$(kit)
    expect(snapshot.status === 'failed' && snapshot.error.cause).toEqual(new Error('no text'))
  })

  it('whose projection throws reports it to later subscribers, instead of keeping them waiting', async () => {
    const { kit, text$, length$, backend, answer } = lengths()
    record(text$(kit))
    await answer(backend, null)
    const late = outcome(firstValueFrom(length$(kit)))
    expect(record(length$(kit)).told).toEqual(['error: CALLBACK_FAILED'])
    await ownKit().run()
    expect(late.value).toBe('error: CALLBACK_FAILED')
  })

  it('whose projection throws recovers with the next value', async () => {
    const { kit, text$, length$, backend, answer, clock } = lengths()
    record(text$(kit))
    const snapshots = record(length$(kit).snapshot$)
    await answer(backend, null)
    await clock.advance(300)
    void text$(kit).refresh()
    await answer(backend, 'four')
    expect(snapshots.told.at(-1)).toMatchObject({ status: 'ready', value: { characters: 4 } })
  })

  it('user$ is null for an anonymous user, unlike anyUser$; both cost one request', async () => {
    const { platform, clock, requests, newApp } = await world()
    const app = newApp({
      tokens: await platform.tokensFor(ada.email),
      fetch: async (input, init) => {
        const response = await platform.options.fetch(input, init)
        const text = (await response.text()).replace('"is_anonymous":false', '"is_anonymous":true')
        return new Response(text, response)
      },
    })
    const [any, user] = [record(app.anyUser$), record(app.user$)]
    await clock.advance(0)
    expect([any.told, user.told]).toEqual([[expect.objectContaining({ isAnonymous: true })], [null]])
    expect(requests).toEqual(['GET /users/me'])
  })
})

describe('absent', () => {
  it('turns these errors into null, and no others', async () => {
    const codes = ['USER_NOT_FOUND', 'TEAM_NOT_FOUND']
    const { clock } = ownKit()
    const one$ = query(
      endpoint('GET /users/me', {
        access: 'client',
        returns: v.object({}),
        fails: ['USER_NOT_FOUND', 'TEAM_NOT_FOUND'],
        ownedBy: 'app',
      }),
      { absent: ['USER_NOT_FOUND'] },
    )
    const kits = codes.map(code =>
      createKit({
        baseUrl: 'http://localhost',
        clock,
        tokens: memoryTokens(),
        fetch: async () =>
          new Response(JSON.stringify({ code, error: 'none' }), {
            status: 404,
            headers: { 'x-stack-known-error': code },
          }),
      }),
    )
    const told = kits.map(kit => record(one$(kit)).told)
    await clock.advance(0)
    expect(told).toEqual([[null], ['error: TEAM_NOT_FOUND']])
  })

  it.each([
    [404, null],
    [403, 'error: REQUEST_FAILED'],
  ])('with a status turns an answer of %i without a code into %p', async (status, expected) => {
    const { clock } = ownKit()
    const note$ = query(endpoint('GET /notes/mine', { access: 'client', returns: v.object({}), ownedBy: 'app' }), {
      absent: [404],
    })
    const fetch = () => Promise.resolve(new Response('nothing here', { status }))
    const kit = createKit({ baseUrl: 'http://localhost', clock, tokens: memoryTokens(), fetch })
    const { told } = record(note$(kit))
    await clock.advance(0)
    expect(told).toEqual([expected])
  })
})

it("a query of the app's own backend gets its input and a signal, and a mutation returns its plain value", async () => {
  const { kit, run } = ownKit()
  const square = mutation(async (_: Kit, { of }: { of: number }) => of * of, { refreshes: () => [] })
  const given: unknown[] = []
  const item$ = query(
    async (_, input: { id: string }, options) => {
      given.push(input, options.signal instanceof AbortSignal, Object.keys(options))
      return input.id
    },
    { key: 'item', ownedBy: 'app' },
  )
  const item = outcome(item$(kit, { id: 'a' }).get())
  await run()
  expect([item.value, given]).toEqual(['a', [{ id: 'a' }, true, ['signal']]])
  expect(await square(kit, { of: 3 })).toBe(9)
})
