import { orUndefined, parseJson } from '../../src/core/values'

it('returns the result, or undefined for what throws', () => {
  expect(orUndefined(() => 'read')).toBe('read')
  expect(
    orUndefined((): string => {
      throw new Error('blocked')
    }),
  ).toBeUndefined()
})

it.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['', undefined],
  ['{"a":1', undefined],
  ['[object Object]', undefined],
])('%s is parsed as %j', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})
