import { inspect } from 'node:util'
import * as authError from '../../src/errors/auth-error'
import type { AnyAuthError } from '../../src/errors/auth-error'
import type { ErrorCode } from '../../src/errors/codes'
import catalogue from '../wire/errors.json'

const { AuthError, invalidInput, isAuthError } = authError
type Copy = typeof authError

function anotherCopy(): Copy {
  let copy: Copy | undefined
  jest.isolateModules(() => {
    copy = jest.requireActual<Copy>('../../src/errors/auth-error')
  })
  return copy!
}

describe('an error', () => {
  it('has a code, details, a status, a message and a cause', () => {
    const cause = new Error('why')
    const error = new AuthError('RATE_LIMITED', 'slow down', { details: { retryAt: null }, status: 429, cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'AuthError',
      code: 'RATE_LIMITED',
      message: 'slow down',
      details: { retryAt: null },
      status: 429,
      cause,
    })
    expect(String(error)).toBe('AuthError: slow down')
  })

  it('has no cause and no status unless they are given', () => {
    const error = new AuthError('DISPOSED', 'over')
    expect('cause' in error).toBe(false)
    expect(error.status).toBeUndefined()
    expect(new AuthError('DISPOSED', 'over', { cause: undefined })).toHaveProperty('cause', undefined)
  })

  it('leads to its entry in the documentation where a console prints it', () => {
    expect(inspect(new AuthError('EMAIL_PASSWORD_MISMATCH', 'wrong'))).toContain(
      "docs: 'https://rxauth.github.io/rxauth/errors#email_password_mismatch'",
    )
  })

  it('does not show its brand', () => {
    expect(Object.keys(new AuthError('DISPOSED', 'over')).sort()).toEqual(['code', 'details', 'docs', 'name', 'status'])
  })

  it('of refused input names the field in the message and in the details', () => {
    expect(invalidInput('email', 'is missing')).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'email is missing',
      details: { field: 'email', reason: 'is missing' },
    })
  })
})

describe('a clone of an error', () => {
  const error = new AuthError('RATE_LIMITED', 'slow\ndown', {
    details: { retryAt: null },
    status: 429,
    cause: new Error('why'),
  })

  // Promise: error-clones
  it('that went through JSON has all but stack and cause', () => {
    const clone: unknown = JSON.parse(JSON.stringify({ error }))
    const { error: given } = clone as { readonly error: unknown }
    expect(given).toEqual({
      name: 'AuthError',
      code: 'RATE_LIMITED',
      message: 'slow\ndown',
      details: { retryAt: null },
      status: 429,
      docs: 'https://rxauth.github.io/rxauth/errors#rate_limited',
    })
    expect([isAuthError(given), isAuthError(given, 'RATE_LIMITED'), isAuthError(given, 'DISPOSED')]).toEqual([
      true,
      true,
      false,
    ])
  })

  // Promise: error-clones
  it.each([
    ['an error', error],
    ['an error without a text', new AuthError('RATE_LIMITED', '')],
  ])('that was sent to a worker has its code: %s', (_, sent) => {
    const clone: unknown = structuredClone(sent)
    expect(isAuthError(clone, 'DISPOSED')).toBe(false)
    expect(isAuthError(clone, 'RATE_LIMITED')).toBe(true)
    expect(clone).toMatchObject({ name: 'AuthError', code: 'RATE_LIMITED', message: sent.message, docs: sent.docs })
    expect(isAuthError(structuredClone(clone), 'RATE_LIMITED')).toBe(true)
  })

  it.each([
    [{ name: 'AuthError', code: 'RATE_LIMITED', message: 'from elsewhere' }],
    [Object.assign(new Error('no'), { code: 'RATE_LIMITED' })],
    [structuredClone(new TypeError('AuthError [RATE_LIMITED]'))],
  ])('is not every object with a code: %p', other => {
    expect(isAuthError(other)).toBe(false)
  })

  it('has the code in the first line of its stack, before the message', () => {
    expect(error.stack).toMatch(/^AuthError \[RATE_LIMITED\]: slow\ndown\n {4}at /)
  })
})

describe('isAuthError', () => {
  it.each([
    null,
    undefined,
    'AuthError',
    7,
    {},
    new Error('no'),
    { name: 'AuthError', code: 'DISPOSED' },
    Object.assign(new Error('no'), { code: 'DISPOSED' }),
  ])('is false for %p', value => {
    expect(isAuthError(value)).toBe(false)
    expect(isAuthError(value, 'DISPOSED')).toBe(false)
  })

  it('requires one of the codes, if there are any', () => {
    const error: unknown = new AuthError('DISPOSED', 'over')
    expect(isAuthError(error)).toBe(true)
    expect(isAuthError(error, 'DISPOSED')).toBe(true)
    expect(isAuthError(error, 'ABORTED', 'DISPOSED')).toBe(true)
    expect(isAuthError(error, 'ABORTED')).toBe(false)
  })

  it.each(catalogue.map(({ code }) => code as ErrorCode))('knows %s and everything in its family', family => {
    const inFamily = (code: string): boolean => {
      const parent = catalogue.find(entry => entry.code === code)!.parent
      return code === family || (parent !== undefined && inFamily(parent))
    }
    const known = catalogue.filter(({ code }) => isAuthError(new AuthError(code as ErrorCode, ''), family))
    expect(known.map(({ code }) => code)).toEqual(catalogue.map(({ code }) => code).filter(inFamily))
  })

  it('recognises errors of another copy of the package, both ways', () => {
    const other = anotherCopy()
    expect(other.AuthError).not.toBe(AuthError)
    const theirs: unknown = new other.AuthError('VERIFICATION_CODE_EXPIRED', 'late')
    const ours: unknown = new AuthError('VERIFICATION_CODE_EXPIRED', 'late')
    expect(theirs instanceof AuthError).toBe(false)
    expect(isAuthError(theirs, 'VERIFICATION_ERROR')).toBe(true)
    expect(other.isAuthError(ours, 'VERIFICATION_ERROR')).toBe(true)
    expect(isAuthError(theirs, 'SCHEMA_ERROR')).toBe(false)
  })

  it('recognises an error of a newer copy, with a code that this one does not know', () => {
    const newer: unknown = new AuthError('BRAND_NEW' as 'DISPOSED', '')
    expect(isAuthError(newer)).toBe(true)
    expect(isAuthError(newer, 'SCHEMA_ERROR')).toBe(false)
  })

  it('narrows by code', () => {
    const error: unknown = new AuthError('PASSWORD_TOO_SHORT', '', { details: { minLength: 8 } })
    // @ts-expect-error its code is not known yet
    const early: unknown = error.code
    expect(early).toBe('PASSWORD_TOO_SHORT')
    if (!isAuthError(error, 'PASSWORD_REQUIREMENTS_NOT_MET')) throw error as Error
    switch (error.code) {
      case 'PASSWORD_REQUIREMENTS_NOT_MET':
        throw error
      case 'PASSWORD_TOO_SHORT':
        expect(error.details.minLength satisfies number).toBe(8)
        break
      case 'PASSWORD_TOO_LONG':
        error.details.maxLength satisfies number
        // @ts-expect-error a detail of the other code
        error.details.minLength satisfies number
        break
      default:
        error satisfies never
    }
  })

  it('leaves details that are not declared unknown', () => {
    const error = new AuthError('CLI_AUTH_ERROR', '') as AnyAuthError
    // @ts-expect-error unknown until it is checked
    if (error.code === 'CLI_AUTH_ERROR') expect(error.details?.anything).toBeUndefined()
  })
})
