import { isRecord } from '../../src/core/is-record'

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
])('%j is a record: %s', (value, expected) => {
  expect(isRecord(value)).toBe(expected)
})
