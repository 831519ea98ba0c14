import { isRecord } from '../../src/core/values'

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
])('%j is a record: %s', (value, expected) => {
  expect(isRecord(value)).toBe(expected)
})
