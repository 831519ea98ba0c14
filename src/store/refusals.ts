import { isAuthError } from '../errors/auth-error'
import type { ErrorCode } from '../errors/codes'

/** How the platform refuses a call: with a code or, where the refusal has none, with a status. */
export type Refusal<C extends ErrorCode = ErrorCode> = C | number

/** Whether the platform refused the call in one of these ways. */
export function isRefusedWith(error: unknown, refusals: readonly Refusal[]): boolean {
  if (!isAuthError(error)) return false
  return refusals.includes(error.code === 'REQUEST_FAILED' ? (error.status ?? 0) : (error.code as ErrorCode))
}
