import { failed, orThrow, succeeded, withoutValue } from '../../src/core/result'

it('a result is its value, or throws its error', () => {
  const error = new Error('no')
  expect(orThrow(succeeded(7))).toBe(7)
  expect(orThrow(succeeded(null))).toBeNull()
  expect(() => orThrow(failed(error))).toThrow(error)
})

it('a result without its value still says whether it worked', () => {
  expect(withoutValue(succeeded(7))).toEqual({ ok: true, value: undefined })
  expect(withoutValue(failed('no'))).toEqual({ ok: false, error: 'no' })
})
