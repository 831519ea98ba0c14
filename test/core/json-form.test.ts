import { fromJson, toJson } from '../../src/core/json-form'

const throughText = (value: unknown) => fromJson(JSON.parse(JSON.stringify(toJson(value))))

describe('a value that went through JSON text', () => {
  it.each<[string, unknown]>([
    ['a text', '~date'],
    ['null', null],
    ['undefined', undefined],
    ['a list with gaps', [undefined, null, [undefined]]],
    ['an absent field', { a: undefined, b: null }],
    ['a date', new Date(1_700_000_000_123)],
    ['a date deep inside', { items: [{ at: new Date(0) }] }],
    ['numbers that JSON lacks', [NaN, Infinity, -Infinity, 0.1]],
    ['keys that look like marks', { '~date': 5, '~': 1, '~~undefined': { '~undefined': true } }],
    ['a mark as a value', { '~date': { '~date': 7 } }],
    ['an empty key', { '': 1 }],
  ])('is the same: %s', (_, value) => {
    expect(throughText(value)).toStrictEqual(value)
  })

  it('keeps a key called __proto__ a key', () => {
    const value: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"a":[{"__proto__":1}]}')
    const back = throughText(value)
    expect(JSON.stringify(back)).toBe(JSON.stringify(value))
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect((back as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'a function has no form in JSON'],
    ['a symbol', [Symbol('a')], 'a symbol has no form in JSON'],
    ['a Map', { all: new Map() }, 'a Map has no form in JSON'],
    ['a bigint', 5n, 'a bigint has no form in JSON'],
    ['an error', new RangeError('no'), 'a RangeError has no form in JSON'],
  ])('cannot be %s', (_, value, message) => {
    expect(() => toJson(value)).toThrow(new TypeError(message))
  })
})

it('text from outside gives some value, whatever it says', () => {
  for (const json of [
    { '~date': 'soon' },
    { '~date': [] },
    { '~number': {} },
    { '~number': 'x' },
    { '~undefined': false },
  ])
    expect(() => fromJson(json)).not.toThrow()
  expect(String(fromJson({ '~date': 'soon' }))).toBe('Invalid Date')
  expect(String(throughText(new Date(NaN)))).toBe('Invalid Date')
})
