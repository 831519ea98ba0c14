import { withoutValue } from '../core/result'
import { failed } from '../core/result'
import type { Result } from '../core/result'
import type { AuthErrorOf } from '../errors/auth-error'
import { anyUser$ } from '../resources/current-user'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { isOutcomeUnknown } from '../store/write'
import { callbackUrl } from '../resources/callback-url'
import type { CodeError } from './code-answers'
import { codeCheck } from './code-check'
import { linkCode } from './mailed-code'
import { refusalOfPassword } from './password-limits'
import type { PasswordRefusal } from './password-limits'
import { checkResetCode, resetPasswordByCode, sendResetCode } from './password-reset-endpoints'
import { share } from './share'

const send = mutation(sendResetCode, { refreshes: () => [] })
const reset = mutation(resetPasswordByCode, { settled: doubtSession, refreshes: () => [anyUser$] })

/**
 * Mails a link that leads to `callbackUrl` (by default the app's password reset page) with `?code=…`, good for seven days.
 *
 * The platform does not tell whether there is a user with that address: it answers the same for all, for unknown ones after
 * two to three seconds. USER_NOT_FOUND is for platforms that do tell. INVALID_INPUT is returned for what is no e-mail address.
 *
 * @example
 * await app.sendPasswordResetEmail({ email: 'ada@example.com' })
 */
export async function sendPasswordResetEmail(
  kit: Kit,
  input: { readonly email: string; readonly callbackUrl?: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'INVALID_INPUT' | 'USER_NOT_FOUND'>>> {
  const { email } = input
  const url = callbackUrl(kit, 'passwordReset', input.callbackUrl)
  const sending = () => send(kit, { email, callbackUrl: url })
  return withoutValue(await share(kit, options, sending, 'password reset mail', email, url))
}

/**
 * Whether a code would reset a password. Twenty questions use a code up, so ask once, when somebody opens the link.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkPasswordResetCode({ code })
 */
export const checkPasswordResetCode = codeCheck(checkResetCode)

/**
 * Gives the user of the code a new password, the first one too. Ends every session of that user, the one here included if it
 * is theirs; nobody is signed in by it. Calls with the same input share one request, and whoever aborts stops waiting only.
 *
 * The platform uses the code up even if it refuses the password: set `passwordLimits`, which are checked before anything is
 * sent, or a person whose password was too short has to ask for another mail. One that is too long is never sent.
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
  const { password } = input
  const code = linkCode(input.code)
  const refusal = refusalOfPassword(kit, password)
  if (refusal) return failed(refusal)
  return share(kit, options, () => redeem(kit, code, password), 'password reset', code, password)
}

async function redeem(kit: Kit, code: string, password: string) {
  try {
    return await reset(kit, { code, password })
  } catch (error) {
    if (isOutcomeUnknown(error)) await doubtSession(kit)
    throw error
  }
}

/**
 * The code may have been this user's own. Then every session is over, and only a refresh finds that out: the platform takes
 * the access token until it expires.
 */
async function doubtSession(kit: Kit): Promise<void> {
  const { session } = coreOf(kit)
  try {
    await session.sync()
  } catch {
    // A token store that fails says nothing about the password, and the next call meets it again.
  }
  const { tokens } = session
  if (!tokens?.accessToken || !tokens.refreshToken) return
  session.refused(tokens.accessToken)
  // Also where nobody watches the user; who does shares the request. It may take its time, with nobody waiting.
  session.current().catch(() => undefined)
}
