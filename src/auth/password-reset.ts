import type { Result } from '../core/result'
import type { AuthErrorOf } from '../errors/auth-error'
import { anyUser$ } from '../resources/current-user'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { callbackUrl } from './callback-url'
import type { CodeError } from './code-answers'
import { checkPassword } from './password-limits'
import { checkResetCode, resetPasswordByCode, sendResetCode } from './password-reset-endpoints'

const send = mutation(sendResetCode, { refreshes: () => [] })
const check = mutation(checkResetCode, { refreshes: () => [] })
const reset = mutation(resetPasswordByCode, {
  // The code may have been this user's own. Then every session is over, and only a refresh finds that out: the platform takes
  // the access token until it expires.
  settled(kit) {
    const { session } = coreOf(kit)
    if (session.tokens?.accessToken && session.tokens.refreshToken) session.refused(session.tokens.accessToken)
  },
  refreshes: () => [anyUser$],
})

/**
 * Mails a link that leads to `callbackUrl` (by default the app's password reset page) with `?code=…`, good for seven days.
 *
 * The platform does not tell whether there is a user with that address: it answers the same for all, for unknown ones after
 * two to three seconds. USER_NOT_FOUND is for platforms that do tell.
 */
export async function sendPasswordResetEmail(
  kit: Kit,
  input: { readonly email: string; readonly callbackUrl?: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'USER_NOT_FOUND'>>> {
  const url = callbackUrl(kit, 'passwordReset', input.callbackUrl)
  const result = await send(kit, { email: input.email, callbackUrl: url }, options)
  return result.ok ? { ok: true, value: undefined } : result
}

/** Whether a code would reset a password. Twenty questions use a code up, so ask once, when somebody opens the link. */
export async function checkPasswordResetCode(
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError>>> {
  const result = await check(kit, input, options)
  return result.ok ? { ok: true, value: undefined } : result
}

/**
 * Gives the user of the code a new password, the first one too. Ends every session of that user, the one here included if it
 * is theirs; nobody is signed in by it.
 *
 * The platform uses the code up even if it refuses the password: set `passwordLimits`, which are checked before anything is
 * sent, or a person whose password was too short has to ask for another mail.
 */
export async function resetPassword(
  kit: Kit,
  input: { readonly code: string; readonly password: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'>>> {
  checkPassword(kit, 'password', input.password)
  return reset(kit, input, options)
}
