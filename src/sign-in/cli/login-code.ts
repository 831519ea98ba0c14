import { DEV } from '../../core/dev'
import { pastedCode } from '../../core/pasted-code'
import { AuthError, invalidInput } from '../../errors/auth-error'
import type { AuthErrorOf } from '../../errors/auth-error'
import { given } from '../../errors/given'
import { isRefusedWith } from '../../store/source'

/** The login code of an input, or of the whole link in it. Throws INVALID_INPUT if it is missing. */
export function loginCodeOf(input: { readonly loginCode: string }): string {
  const { loginCode } = given(input)
  const code = typeof loginCode === 'string' ? pastedCode(loginCode, 'login_code') : ''
  if (code) return code
  throw invalidInput('loginCode', DEV ? 'is missing; it is login_code in the URL that the program shows' : '')
}

/** The error for a refusal of a login code; undefined for any other failure. The platform answers it without a code. */
export function uselessLoginCode(cause: unknown): AuthErrorOf<'SCHEMA_ERROR'> | undefined {
  if (!isRefusedWith(cause, [400])) return undefined
  const message = 'the login code is unknown, has expired or has been used; start the login again in the program'
  return new AuthError('SCHEMA_ERROR', message, { status: 400, details: { message }, cause })
}
