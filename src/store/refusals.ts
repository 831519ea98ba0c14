import { isAuthError } from '../errors/auth-error'
import type { ErrorCode } from '../errors/codes'

/** A refusal of the platform: its code or, without a code, its status. */
export type Refusal<C extends ErrorCode = ErrorCode> = C | number

/** Whether the platform refused the call with one of these. */
export function isRefusedWith(error: unknown, refusals: readonly Refusal[]): boolean {
  if (!isAuthError(error)) return false
  return refusals.includes(error.code === 'REQUEST_FAILED' ? (error.status ?? 0) : (error.code as ErrorCode))
}
