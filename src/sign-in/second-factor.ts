import * as v from 'valibot'
import { endpoint } from '../transport/endpoint'
import { codeErrors, type CodeError } from '../entities/mailed-code'
import { NewSignInAnswer, assertNext, signedIn, type SignedIn } from './answers'
import { pastedCode } from '../core/urls'
import { failed, succeeded, type Result } from '../core/result'
import { isAuthError, given, misuse, type AuthErrorOf } from '../errors/auth-error'
import { tellCall } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/write/effects'
import { assertBegins } from '../store/session-effects'
import { flowOf, type SignInFlow } from './flow'
import { shareRequest } from '../entities/as-owner'
import { sessionStart } from './session-start'
import { forgetRedirects } from './redirect'
import { signInsOf } from './sign-ins'

/** The second step of a sign-in; `code` is the attempt code in the first one's error. */
export const mfaSignIn = endpoint('POST /auth/mfa/sign-in', {
  access: 'client',
  body: { type: v.literal('totp'), totp: v.string(), code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'INVALID_TOTP_CODE'],
  ownedBy: 'app',
})

const signIn = sessionStart(mfaSignIn)

/**
 * The second step after a first factor that returned MULTI_FACTOR_AUTHENTICATION_REQUIRED: the six digits of the
 * authenticator.
 *
 * The attempt comes from `flow$` and survives a reload; a server, which has no flow, passes `attemptCode` from the error's
 * details. After INVALID_TOTP_CODE other digits may be tried, 20 times in all within five minutes; after a VERIFICATION_…
 * error the sign-in has to start again. For a user who was deleted, the hosted platform may answer 500 (REQUEST_FAILED,
 * `status` 500): see "Where the hosted platform answers 500" in docs/errors.md. Throws INVALID_INPUT if there is
 * no attempt. Calls with the same digits share one request, since an attempt works once; aborting ends only the caller's wait.
 *
 * @example
 * const result = await app.continueSignIn({ totp: '123456' })
 * if (!result.ok && result.error.code === 'INVALID_TOTP_CODE') console.log('Not these digits.')
 */
export async function continueSignIn(
  kit: Kit,
  input: { readonly totp: string; readonly attemptCode?: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<'INVALID_TOTP_CODE' | CodeError>>> {
  const { attemptCode, totp: typed } = given(input)
  const flow = flowOf(kit)
  const attempt =
    attemptCode === undefined
      ? flow.attempt
      : { code: attemptCode, returnTo: flow.attempt?.returnTo ?? null, method: undefined }
  if (!attempt)
    throw misuse(
      'totp',
      'has no sign-in to continue: none waits for a second factor in this tab, or its five minutes are over; sign in again',
      'has no sign-in to continue; sign in again',
    )
  // Authenticators show "123 456", and users type it that way.
  const totp = typeof typed === 'string' ? pastedCode(typed) : typed
  return shareRequest(kit, options, () => secondFactor(kit, attempt, totp), 'second factor', attempt.code, totp)
}

/** The request of `continueSignIn`. */
export async function secondFactor(
  kit: Kit,
  attempt: NonNullable<SignInFlow['attempt']>,
  totp: string,
): Promise<Result<SignedIn, AuthErrorOf<'INVALID_TOTP_CODE' | CodeError>>> {
  tellCall(kit, 'secondFactor', { code: attempt.code, totp })
  await assertBegins(kit)
  assertNext(kit, attempt.returnTo)
  const signIns = signInsOf(kit)
  const turn = signIns.begin(attempt.method)
  const result = await signIn(kit, { type: 'totp', totp, code: attempt.code })
  if (result.ok) {
    // Typed, whatever the first factor was.
    forgetRedirects(kit)
    const value = signedIn(kit, result.value.userId, result.value.isNewUser, attempt.returnTo)
    signIns.end(turn, { status: 'done', signedIn: value })
    return succeeded(value)
  }
  const { error } = result
  if (isAuthError(error, 'INVALID_TOTP_CODE')) flowOf(kit).wrongTotp(turn, error)
  else signIns.end(turn, { status: 'failed', error })
  return failed(error)
}
