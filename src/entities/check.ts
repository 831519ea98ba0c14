import { withoutValue } from '../core/result'
import type { Result } from '../core/result'
import type { AuthErrorOf } from '../errors/auth-error'
import { given } from '../errors/given'
import type { Kit } from '../store/kit'
import { mutation } from '../store/write/mutation'
import type { CallOptions } from '../store/write/effects'
import type { Endpoint } from '../transport/endpoint'
import type { CodeError, CodeIsValid } from './answers'
import { linkCode } from './mailed-code'

/** Checks the code of a mailed link. A code allows 20 attempts; each check counts as one. */
export type CodeCheck = (
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
) => Promise<Result<void, AuthErrorOf<CodeError>>>

/** A check at one endpoint. */
export function codeCheck(asked: Endpoint<'client', { code: string }, CodeIsValid, CodeError>): CodeCheck {
  const check = mutation(asked, { refreshes: () => [] })
  return async (kit, input, options) => withoutValue(await check(kit, { code: linkCode(given(input).code) }, options))
}
