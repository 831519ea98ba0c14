import { AuthError } from '../../errors/auth-error'
import type { AuthErrorOf } from '../../errors/auth-error'
import { isRefusedWith } from '../../store/refusals'

/** The error for a refusal of a login code; undefined for any other failure. The platform answers it without a code. */
export function uselessLoginCode(cause: unknown): AuthErrorOf<'SCHEMA_ERROR'> | undefined {
  if (!isRefusedWith(cause, [400])) return undefined
  const message = 'the login code is unknown, has expired or has been used; start the login again in the program'
  return new AuthError('SCHEMA_ERROR', message, { status: 400, details: { message }, cause })
}
