import fc from 'fast-check'
import { reuseEqualParts } from '../../src/core/values'

const value = fc.anything({
  withDate: true,
  withNullPrototype: true,
  key: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', 'toString')),
  maxDepth: 4,
})

describe('sharing', () => {
  it('returns the new value if the two cannot be compared: a cycle, a getter that throws', () => {
    const cyclic = () => {
      const value: { self?: unknown } = {}
      return Object.assign(value, { self: value, twice: value })
    }
    const throwing = () => ({
      id: 'x',
      get part(): unknown {
        throw new Error('not to be read')
      },
    })
    for (const make of [cyclic, throwing]) {
      const next = make()
      expect(reuseEqualParts(make(), next)).toBe(next)
    }
  })

  it('returns the previous value if nothing has changed', () => {
    const make = () => ({ id: 'x', at: new Date(5), list: [{ a: 1 }, [2]], nothing: null })
    const before = make()
    expect(reuseEqualParts(before, make())).toBe(before)
  })

  it('keeps the reference of every part that has not changed', () => {
    const before = { a: { deep: [1, { x: 1 }] }, b: { y: 1 }, at: new Date(5) }
    const next = reuseEqualParts(before, { a: { deep: [1, { x: 2 }] }, b: { y: 1 }, at: new Date(5) })
    expect(next).toEqual({ a: { deep: [1, { x: 2 }] }, b: { y: 1 }, at: new Date(5) })
    expect(next).not.toBe(before)
    expect(next.b).toBe(before.b)
    expect(next.at).toBe(before.at)
  })

  it('keeps the items of a list that has grown or shrunk', () => {
    const before = [{ id: 1 }, { id: 2 }]
    const more = reuseEqualParts(before, [{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(more).toHaveLength(3)
    expect(more[1]).toBe(before[1])
    expect(reuseEqualParts(before, [{ id: 1 }])).toEqual([{ id: 1 }])
  })

  it.each<[unknown, unknown]>([
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [{}, []],
    [null, {}],
    [{}, null],
    [new Date(1), new Date(2)],
    [new Date(1), {}],
    [{}, new Date(1)],
    [0, -0],
    [1, '1'],
    [new Map([[1, 1]]), new Map([[1, 1]])],
  ])('tells %j and %j apart', (before, next) => {
    const shared = reuseEqualParts(before, next)
    expect(shared).not.toBe(before)
    expect(shared).toStrictEqual(next)
  })

  it('treats NaN as equal, and ignores the order of keys', () => {
    const before = { a: NaN, b: 1 }
    expect(reuseEqualParts(before, { b: 1, a: NaN })).toBe(before)
  })

  it('always returns a value that deep-equals the newer one, and mutates neither', () => {
    fc.assert(
      fc.property(value, value, (before, next) => {
        const written = fc.stringify([before, next])
        expect(reuseEqualParts(before, next)).toEqual(next)
        expect(fc.stringify([before, next])).toBe(written)
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('never takes an inherited %s for a part', key => {
    const next = JSON.parse(`{"${key}": {}}`) as Record<string, object>
    const shared = reuseEqualParts({}, next)
    expect(Object.keys(shared)).toEqual([key])
    expect(Object.getOwnPropertyDescriptor(shared, key)!.value).not.toBe(Object.prototype)
    expect(Object.getPrototypeOf(shared)).toBe(Object.prototype)
  })
})
