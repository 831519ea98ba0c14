import { failed, orThrow, succeeded } from '../../src/core/result'

it('a result is its value, or throws its error', () => {
  const error = new Error('no')
  expect(orThrow(succeeded(7))).toBe(7)
  expect(orThrow(succeeded(null))).toBeNull()
  expect(() => orThrow(failed(error))).toThrow(error)
})
