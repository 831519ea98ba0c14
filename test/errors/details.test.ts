import fc from 'fast-check'
import { decodeDetails } from '../../src/errors/details'
import catalogue from '../wire/errors.json'

/** A value of each form that the catalogue names. */
const samples: Record<string, unknown> = {
  string: 'x',
  'string|null': null,
  number: 8,
  'number|null': 1_767_225_600_000,
  'json[]': [{ code: 'SCHEMA_ERROR', inner_key: 1 }],
}
const sampleOf = (form: string): unknown => samples[form] ?? (form.endsWith('[]') ? ['client'] : 'client')

const withDetails = catalogue.filter(({ details }) => Object.keys(details).length > 0)

describe('details', () => {
  it.each(withDetails.map(({ code, details }) => [code, details] as const))('of %s come in local names', (_, forms) => {
    const wire = Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, sampleOf(form)]))
    const local = Object.fromEntries(
      Object.entries(wire).map(([key, value]) => {
        const name = key.replace(/_millis$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
        return [name, key.endsWith('_millis') ? new Date(value as number) : value]
      }),
    )
    expect(decodeDetails(wire)).toEqual(local)
  })

  it.each([
    [{ attempt_code: 'c' }, { attemptCode: 'c' }],
    [{ min_length: 8 }, { minLength: 8 }],
    [{ maxLength: 70 }, { maxLength: 70 }],
    [{ originalErrorCode: 'X' }, { originalErrorCode: 'X' }],
    [{ expired_at_millis: 0 }, { expiredAt: new Date(0) }],
    [{ expired_at_millis: null }, { expiredAt: null }],
    [{ expired_at_millis: 'soon' }, { expiredAt: 'soon' }],
    [{ overload_errors: [{ inner_key: 1 }] }, { overloadErrors: [{ inner_key: 1 }] }],
    [undefined, undefined],
    [null, null],
    ['text', 'text'],
    [[1], [1]],
  ])('%j are %j', (wire, local) => {
    expect(decodeDetails(wire)).toEqual(local)
  })

  it('of any kind are read without failing, and pollute nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        decodeDetails(value)
        decodeDetails(JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`))
        expect({}).toEqual({})
      }),
    )
    expect(Object.getPrototypeOf(decodeDetails(JSON.parse('{"__proto__": {"polluted": 1}}')))).toBe(Object.prototype)
  })
})
