import fc from 'fast-check'
import { compareKeys, comparePrefix, type Key } from '../../../src/platform/data/state'

const part = fc.oneof(fc.constantFrom('', 'a', 'b', 0, 1, true, false, null))
const key: fc.Arbitrary<Key> = fc.oneof(part, fc.array(part, { maxLength: 3 }))

describe('keys', () => {
  it.each([
    ['a', 'b'],
    [9, 10],
    [null, ''],
    [false, true],
    [
      ['a', 2],
      ['a', 10],
    ],
    [['a'], ['a', 0]],
  ] satisfies [Key, Key][])('%j sorts before %j', (left, right) => {
    expect(compareKeys(left, right)).toBeLessThan(0)
    expect(compareKeys(right, left)).toBeGreaterThan(0)
    expect(compareKeys(left, left)).toBe(0)
  })

  it('have a total order over all types', () => {
    fc.assert(
      fc.property(key, key, key, (first, second, third) => {
        expect(Math.sign(compareKeys(first, second))).toBe(-Math.sign(compareKeys(second, first)) + 0)
        if (compareKeys(first, second) <= 0 && compareKeys(second, third) <= 0)
          expect(compareKeys(first, third)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('are found by their first parts', () => {
    expect(comparePrefix(['a', 1], ['a'])).toBe(0)
    expect(comparePrefix(['a', 1], ['b'])).toBeLessThan(0)
    expect(comparePrefix(['b', 1], ['a', 2])).toBeGreaterThan(0)
    expect(comparePrefix(['a'], ['a', 1])).toBeLessThan(0)
  })
})
