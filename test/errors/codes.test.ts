import { families, isErrorCode, isInFamily, type ErrorCode } from '../../src/errors/codes'
import catalogue from '../wire/errors.json'
import newer from '../wire/newer-errors.json'

const parents = new Map(catalogue.map(({ code, parent }) => [code, parent]))

/** By hand, from the catalogue alone. */
function ancestors(code: string): string[] {
  const parent = parents.get(code)
  return parent ? [parent, ...ancestors(parent)] : []
}

describe('the table of codes', () => {
  it('has exactly the 107 codes of the catalogue, in its order, and then the newer ones', () => {
    expect(Object.keys(families)).toEqual([...catalogue, ...newer].map(({ code }) => code))
    expect(catalogue).toHaveLength(107)
  })

  it.each(catalogue.map(({ code, parent }) => [code, parent]))('%s is of the family %s', (code, parent) => {
    expect(families[code as ErrorCode]).toBe(parent ?? '')
  })

  it('says of every pair of codes whether one is in the family of the other', () => {
    for (const { code } of catalogue)
      for (const { code: family } of catalogue)
        expect([code, family, isInFamily(code, family as ErrorCode)]).toEqual([
          code,
          family,
          code === family || ancestors(code).includes(family),
        ])
  })

  it('has CANNOT_DELETE_CURRENT_SESSION among the refresh token errors', () => {
    expect(isInFamily('CANNOT_DELETE_CURRENT_SESSION', 'REFRESH_TOKEN_ERROR')).toBe(true)
  })

  it('reaches over two generations', () => {
    expect(isInFamily('ACCESS_TOKEN_EXPIRED', 'INVALID_SESSION_AUTHENTICATION')).toBe(true)
    expect(isInFamily('ACCESS_TOKEN_EXPIRED', 'SESSION_AUTHENTICATION_ERROR')).toBe(true)
    expect(isInFamily('ACCESS_TOKEN_EXPIRED', 'PROJECT_AUTHENTICATION_ERROR')).toBe(false)
  })

  it.each(['', '__proto__', 'constructor', 'toString', 'NETWORK_ERROR', 'Schema_Error'])('does not know "%s"', code => {
    expect(isErrorCode(code)).toBe(false)
    expect(isInFamily(code, 'SCHEMA_ERROR')).toBe(false)
  })
})
