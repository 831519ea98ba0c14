import * as v from 'valibot'
import { email } from '../core/wire'
import { endpoint } from '../transport/endpoint'
import { checksCode, codeErrors, codeCheck, linkCode, callbackUrl, refusalOfFailed } from '../entities/mailed-code'
import type { Result } from '../core/result'
import { invalidInput, given, type AuthErrorOf } from '../errors/auth-error'
import { contactChannels$ } from '../entities/contact-channels/client'
import { anyUser$ } from '../entities/users/client'
import { coreOf, type Kit } from '../store/kit-parts'
import { mutation } from '../store/write/mutation'
import type { CallOptions } from '../store/write/effects'
import { renewToken } from '../store/session-effects'
import type { CodeError } from '../entities/mailed-code'
import { asOwner, shareRequest } from '../entities/as-owner'

/** The older call: takes the address itself, which must be the primary one. */
export const sendPrimaryVerification = endpoint('POST /contact-channels/send-verification-code', {
  access: 'client',
  body: { email: email(), callbackUrl: v.string() },
  fails: ['EMAIL_ALREADY_VERIFIED'],
})

/** Verifies the address of the code. The link works signed out too. */
export const verifyChannel = endpoint('POST /contact-channels/verify', {
  access: 'client',
  body: { code: v.string() },
  fails: codeErrors,
  ownedBy: 'app',
})

export const checkVerificationCode = endpoint('POST /contact-channels/verify/check-code', checksCode)

const sendToPrimary = mutation(sendPrimaryVerification, { refreshes: () => [] })
// The answer does not name the user; most likely it is the present one.
export const verify = mutation(verifyChannel, {
  refreshes: () => [contactChannels$, anyUser$],
  // The access token of a restricted user may name a restriction that has ended.
  settled(kit) {
    return coreOf(kit).session.identity.restriction ? renewToken(kit) : undefined
  },
})

/**
 * Mails a link that verifies the primary address of the signed-in user. It leads to `callbackUrl` (by default the app's
 * e-mail verification page) with `?code=…`, valid for seven days.
 *
 * Throws USER_AUTHENTICATION_REQUIRED while signed out, INVALID_INPUT for a user without a primary address.
 *
 * @example
 * const result = await app.sendVerificationEmail()
 * console.log(result.ok ? 'Look into your mailbox.' : 'It is verified already.')
 */
export async function sendVerificationEmail(
  kit: Kit,
  input: { readonly callbackUrl?: string } = {},
  options: CallOptions = {},
): Promise<Result<void, AuthErrorOf<'EMAIL_ALREADY_VERIFIED'>>> {
  const url = callbackUrl(kit, 'emailVerification', input.callbackUrl)
  return asOwner(kit, options, 'to verify an address', async ({ owner }) => {
    const email = (await anyUser$(kit).get(options))?.primaryEmail ?? null
    // Never sends one user's address in another's session.
    coreOf(kit).session.assertPresent(owner)
    if (email === null) throw invalidInput('primaryEmail', 'is missing: this user has no address to verify')
    return sendToPrimary(kit, { email, callbackUrl: url }, options)
  })
}

/**
 * Verifies the address of the code; works signed out too. Calls with one code share one request, since a code works once;
 * aborting ends only the caller's wait.
 *
 * For the code of a deleted user, and for one of two requests at once, the hosted platform may answer 500 (REQUEST_FAILED,
 * `status` 500); if the code is used, VERIFICATION_CODE_ALREADY_USED is returned: see "Where the hosted platform answers 500" in
 * docs/errors.md.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const result = await app.verifyEmail({ code })
 */
export async function verifyEmail(
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError>>> {
  const code = linkCode(given(input).code)
  return shareRequest(kit, options, () => redeem(kit, code), 'email verification', code)
}

async function redeem(kit: Kit, code: string) {
  try {
    return await verify(kit, { code })
  } catch (error) {
    return refusalOfFailed(kit, code, checkEmailVerificationCode, error)
  }
}

/**
 * Checks a code of e-mail verification. A code allows 20 attempts; each check counts as one.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkEmailVerificationCode({ code })
 */
export const checkEmailVerificationCode = codeCheck(checkVerificationCode)
