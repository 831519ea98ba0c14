import { families, isErrorCode } from '../../../src/errors/codes'
import { statusOf } from '../../../src/platform/model/refusal'
import catalogue from '../../wire/errors.json'
import newer from '../../wire/newer-errors.json'

describe('the table of statuses', () => {
  it('has the 107 codes of the catalogue, the newer ones, and no other', () => {
    expect(catalogue).toHaveLength(107)
    expect(Object.keys(families).sort()).toEqual([...catalogue, ...newer].map(({ code }) => code).sort())
  })

  it.each([...catalogue, ...newer])('answers $code with $status', ({ code, status, ...more }) => {
    if (!isErrorCode(code)) throw new Error(`${code} is unknown`)
    expect(statusOf(code)).toBe(status)
    expect(families[code]).toBe('parent' in more ? more.parent : '')
  })
})
