import * as v from 'valibot'
import { email } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { checksCode, codeErrors, codeCheck, linkCode, callbackUrl, refusalOfFailed } from '../../entities/mailed-code'
import { withoutValue, failed, type Result } from '../../core/result'
import { given, type AuthErrorOf } from '../../errors/auth-error'
import { anyUser$ } from '../../entities/users/client'
import { coreOf, type Kit } from '../../store/kit-parts'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { isOutcomeUnknown } from '../../store/write/write-outcome'
import type { CodeError } from '../../entities/mailed-code'
import { refusalOfPassword, type PasswordRefusal } from '../../entities/password-limits'
import { shareRequest } from '../../entities/as-owner'

const lengthErrors = ['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'] as const

/** Mails a link to the account that signs in with the address. The answer does not reveal whether one exists. */
export const sendResetCode = endpoint('POST /auth/password/send-reset-code', {
  access: 'client',
  body: { email: email(), callbackUrl: v.string() },
  returns: v.object({ success: v.string() }),
  fails: ['INVALID_INPUT', 'USER_NOT_FOUND'],
  ownedBy: 'app',
})

export const checkResetCode = endpoint('POST /auth/password/reset/check-code', checksCode)

/** Consumes the code, even if the password is refused. Ends every session of the user. */
export const resetPasswordByCode = endpoint('POST /auth/password/reset', {
  access: 'client',
  body: { code: v.string(), password: v.string() },
  fails: [...codeErrors, ...lengthErrors],
  ownedBy: 'app',
})

/** Ends every other session of the user; that of the refresh token header stays. */
export const changePassword = endpoint('POST /auth/password/update', {
  access: 'client',
  body: { oldPassword: v.string(), newPassword: v.string() },
  fails: ['PASSWORD_CONFIRMATION_MISMATCH', ...lengthErrors],
})

/** Sets the first password of a user. */
export const addPassword = endpoint('POST /auth/password/set', {
  access: 'client',
  body: { password: v.string() },
  fails: lengthErrors,
})

const send = mutation(sendResetCode, { refreshes: () => [] })
const reset = mutation(resetPasswordByCode, { settled: doubtSession, refreshes: () => [anyUser$] })

/**
 * Mails a link that leads to `callbackUrl` (by default the app's password reset page) with `?code=…`, valid for seven days.
 *
 * The platform does not reveal whether an account with that address exists: its answers are the same, for unknown addresses
 * after two to three seconds. USER_NOT_FOUND is for platforms that do reveal it. INVALID_INPUT is returned for text that is
 * no e-mail address.
 *
 * @example
 * await app.sendPasswordResetEmail({ email: 'ada@example.com' })
 */
export async function sendPasswordResetEmail(
  kit: Kit,
  input: { readonly email: string; readonly callbackUrl?: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'INVALID_INPUT' | 'USER_NOT_FOUND'>>> {
  const { email } = given(input)
  const url = callbackUrl(kit, 'passwordReset', input.callbackUrl)
  const sending = () => send(kit, { email, callbackUrl: url })
  return withoutValue(await shareRequest(kit, options, sending, 'password reset mail', email, url))
}

/**
 * Checks a password reset code. A code allows 20 attempts and each check counts as one, so check once, when the link is
 * opened.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkPasswordResetCode({ code })
 */
export const checkPasswordResetCode = codeCheck(checkResetCode)

/**
 * Sets a new password, also a first one, for the user of the code. Ends all sessions of that user, including the one here if
 * it is theirs, and does not sign in. Calls with the same input share one request; aborting ends only the caller's wait.
 *
 * The platform consumes the code even if it refuses the password: set `passwordLimits`, which are checked before the
 * request, or a password that is too short costs another mail. One that is too long is never sent.
 *
 * For the code of a deleted user, and for one of two requests at once, the hosted platform may answer 500 (REQUEST_FAILED,
 * `status` 500); if the code is used, VERIFICATION_CODE_ALREADY_USED is returned: see "Where the hosted platform answers 500" in
 * docs/errors.md.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const result = await app.resetPassword({ code, password: 'battery staple' })
 */
export async function resetPassword(
  kit: Kit,
  input: { readonly code: string; readonly password: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError | PasswordRefusal>>> {
  const { password } = given(input)
  const code = linkCode(input.code)
  const refusal = refusalOfPassword(kit, password)
  if (refusal) return failed(refusal)
  return shareRequest(kit, options, () => redeem(kit, code, password), 'password reset', code, password)
}

async function redeem(kit: Kit, code: string, password: string) {
  try {
    return await reset(kit, { code, password })
  } catch (error) {
    if (isOutcomeUnknown(error)) await doubtSession(kit)
    return refusalOfFailed(kit, code, checkPasswordResetCode, error)
  }
}

/**
 * The code may have been this user's own. All sessions have ended then, which only a refresh reveals: the platform accepts
 * the access token until it expires.
 */
async function doubtSession(kit: Kit): Promise<void> {
  const { session } = coreOf(kit)
  try {
    await session.sync()
  } catch {
    // The failure does not concern the password; the next call reports it.
  }
  const { tokens } = session
  if (!tokens?.accessToken || !tokens.refreshToken) return
  session.refused(tokens.accessToken)
  // The refresh runs without watchers too; with watchers, they share it. It is not awaited.
  session.current().catch(() => undefined)
}
