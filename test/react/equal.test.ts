import fc from 'fast-check'
import { isEqual } from '../../react/equal'

describe('isEqual', () => {
  it.each([
    [{ a: [1, { b: new Date(0) }] }, { a: [1, { b: new Date(0) }] }, true],
    [NaN, NaN, true],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [[1, 2], [1], false],
    [[], {}, false],
    [new Date(0), new Date(1), false],
    [null, {}, false],
    [new Map(), new Map(), false],
  ])('of %j and %j is as expected', (a, b, equal) => {
    expect(isEqual(a, b)).toBe(equal)
  })

  it('takes a copy of any JSON for the same', () => {
    fc.assert(fc.property(fc.jsonValue(), value => isEqual(value, copy(value))))
  })
})

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]))
}
