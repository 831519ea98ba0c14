import { createKit, endpoint, memoryTokens, mutation, only, query, type Kit } from 'rxauth'
import * as v from 'valibot'
import { argsKey } from '../../src/store/source'
import { coreOf } from '../../src/store/kit-parts'
import { Backend, ownKit, record } from './own-backend'

interface Place {
  team?: string | undefined
  page?: number | undefined
  filter?: object
}

function places() {
  const own = ownKit()
  const backend = new Backend<string>()
  const places$ = query(backend.ask, { key: 'places', ownedBy: 'app' }) as unknown as (
    kit: Kit,
    input?: Place,
  ) => ReturnType<ReturnType<typeof query<Place, string>>>
  return { ...own, backend, places$, cells: () => [...coreOf(own.kit).cells].length }
}

describe('the arguments of a store', () => {
  it.each<[string, Place | undefined, Place | undefined, number]>([
    ['in another order are the same store', { team: 'a', page: 1 }, { page: 1, team: 'a' }, 1],
    ['that are undefined are left out', { team: 'a', page: undefined }, { team: 'a' }, 1],
    ['may be left out altogether', undefined, {}, 1],
    ['nested in another order are the same store', { filter: { a: 1, b: 2 } }, { filter: { b: 2, a: 1 } }, 1],
    ['that differ are another store', { team: 'a' }, { team: 'b' }, 2],
    ['of which one is missing are another store', { team: 'a' }, {}, 2],
  ])('%s', async (_, one, two, stores) => {
    const { kit, places$, cells, run, backend } = places()
    record(places$(kit, one))
    record(places$(kit, two))
    await run()
    expect([cells(), backend.asked.length]).toEqual([stores, stores])
  })

  // Promise: store-key
  it('that differ do not keep the former value', async () => {
    const { kit, places$, answer, backend } = places()
    record(places$(kit, { team: 'a' }))
    await answer(backend, 'of a')
    const { told } = record(places$(kit, { team: 'b' }))
    expect([told, places$(kit, { team: 'b' }).snapshot]).toEqual([[], { status: 'pending' }])
  })

  // Promise: store-key
  it('that name the defaults are the same store as those that leave them out, in one request', async () => {
    const asked: string[] = []
    const list$ = query(
      endpoint('GET /users', {
        access: 'client',
        query: { limit: v.optional(v.number(), 10) },
        returns: v.object({}),
      }),
    )
    const { clock } = ownKit()
    const kit = createKit({
      baseUrl: 'http://localhost',
      clock,
      tokens: memoryTokens(),
      fetch: async input => {
        asked.push(new URL(new Request(input).url).search)
        return new Response('{}')
      },
    })
    record(list$(kit))
    record(list$(kit, { limit: 10 }))
    record(list$(kit, { limit: 20 }))
    await clock.advance(0)
    expect(asked).toEqual(['?limit=10', '?limit=20'])
  })

  it('that fit no endpoint fail the store with INVALID_INPUT and send nothing', async () => {
    const { kit, run } = ownKit()
    const team$ = query(endpoint('GET /teams/{teamId}', { access: 'client', returns: v.object({}) }))
    const { told } = record(team$(kit, { teamId: '' }))
    await run()
    expect(told).toEqual(['error: INVALID_INPUT'])
  })

  // Promise: store-key
  it('that only look alike get different keys', () => {
    const keys = [{ a: '1' }, { a: 1 }, { a: null }, {}, { a: [1, 2] }, { a: [2, 1] }, { a: '[1,2]' }].map(argsKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle

  it.each<[string, object]>([
    ['a BigInt', { team: 10n }],
    ['an object that contains itself', cycle],
    ['a proxy that was revoked', revoked()],
  ])('with %s throw INVALID_INPUT', (_, input) => {
    const { kit, places$ } = places()
    const team$ = query(endpoint('GET /teams/{teamId}', { access: 'client', returns: v.object({}) }))
    for (const open of [places$, team$]) expect(() => open(kit, input as never)).toThrow(invalidInput)
  })

  // Promise: store-key
  it.each<[string, unknown]>([
    ['a set', new Set([1])],
    ['a map', new Map([[1, 2]])],
    ['a query', new URLSearchParams('a=1')],
    ['a pattern', /a/],
    ['a function', () => true],
    ['a symbol', Symbol('a')],
    ['a set within', { of: [{ teams: new Set([1]) }] }],
  ])('with %s, all of which would be one store, throw INVALID_INPUT', (_, filter) => {
    const { kit, places$ } = places()
    expect(() => places$(kit, { team: 'a', filter: filter as object })).toThrow(invalidInput)
  })

  // Promise: store-key
  it('with dates and addresses, which JSON tells apart, are as many stores', async () => {
    const { kit, places$, cells } = places()
    for (const filter of [new Date(1), new Date(2), new URL('https://a.example'), new URL('https://b.example'), [], {}])
      record(places$(kit, { filter }))
    expect(cells()).toBe(6)
  })
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const invalidInput = expect.objectContaining({ code: 'INVALID_INPUT' }) as Error

describe('only', () => {
  it('narrows a refresh to the stores whose arguments include these', async () => {
    const { kit, places$, backend, answer, clock } = places()
    const told: Record<string, unknown[]> = {}
    for (const input of [
      { team: 'a', page: 1 },
      { team: 'a', page: 2 },
      { team: 'b', page: 1 },
    ]) {
      told[`${input.team}${input.page}`] = record(places$(kit, input)).told
      await answer(backend, 'before')
    }
    const touch = mutation(async () => undefined, { refreshes: () => [only(places$ as never, { team: 'a' })] })
    await clock.advance(1000)
    void touch(kit, {})
    await clock.advance(0)
    const reloaded = backend.asked.slice(3)
    expect(reloaded.map(({ input }) => input)).toEqual([
      { team: 'a', page: 1 },
      { team: 'a', page: 2 },
    ])
  })

  it.each([
    ['nothing: all stores of the query', {}, 3],
    ['undefined: as if it were left out', { team: undefined }, 3],
    ['all arguments: that one store', { team: 'b', page: 1 }, 1],
    ['arguments of no store: none', { team: 'c' }, 0],
  ])('given %s', async (_, args, loads) => {
    const { kit, places$, backend, answer, clock } = places()
    for (const input of [
      { team: 'a', page: 1 },
      { team: 'a', page: 2 },
      { team: 'b', page: 1 },
    ]) {
      record(places$(kit, input))
      await answer(backend, 'before')
    }
    await clock.advance(1000)
    void mutation(async () => undefined, { refreshes: () => [only(places$ as never, args as never)] })(kit, {})
    await clock.advance(0)
    expect(backend.asked.length - 3).toBe(loads)
  })
})
