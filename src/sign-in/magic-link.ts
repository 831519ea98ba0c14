import * as v from 'valibot'
import { cleanEmail, dottedEmail, newer } from '../core/wire'
import { endpoint } from '../transport/endpoint'
import { signUpRefusals, NewSignInAnswer, challengeFields } from './answers'
import {
  checksCode,
  codeErrors,
  codeCheck,
  linkOrTypedCode,
  callbackUrl,
  refusalOfFailed,
} from '../entities/mailed-code'
import type { Result } from '../core/result'
import { isAuthError, given, type AuthErrorOf } from '../errors/auth-error'
import type { Kit } from '../store/kit'
import { mutation } from '../store/write/mutation'
import type { CallOptions } from '../store/write/effects'
import { anonymousOwner, firstFactor } from './first-factor'
import type { BotChallenge, SignUpRefusal, SignedIn } from './answers'
import type { CodeError } from '../entities/mailed-code'
import { sessionStart } from './session-start'
import { flowOf } from './flow'
import { signInsOf } from './sign-ins'
import { shareRequest } from '../entities/as-owner'

/** Mails a link and six characters to type, which form a code together with the nonce of the answer. */
export const sendSignInCode = endpoint('POST /auth/otp/send-sign-in-code', {
  access: 'client',
  body: {
    email: dottedEmail(),
    callbackUrl: v.string(),
    botChallengeToken: newer(v.optional(v.string())),
    botChallengePhase: newer(v.optional(v.picklist(['invisible', 'visible']))),
  },
  returns: v.object({ nonce: v.string() }),
  fails: ['INVALID_INPUT', 'REDIRECT_URL_NOT_WHITELISTED', ...signUpRefusals],
  ownedBy: 'app',
})

/** Signs in with the code of a mailed link, or with six typed characters followed by the nonce. */
export const codeSignIn = endpoint('POST /auth/otp/sign-in', {
  access: 'client',
  body: { code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED', ...signUpRefusals],
  ownedBy: 'app',
})

export const checkSignInCode = endpoint('POST /auth/otp/sign-in/check-code', checksCode)

const send = mutation(sendSignInCode, { refreshes: () => [] })
const signIn = sessionStart(codeSignIn, { carries: anonymousOwner })

/**
 * Mails a link and six characters, valid for seven days. The link leads to `callbackUrl` (by default the app's magic link
 * page) with `?code=…`; the six characters can be typed in this tab, which keeps the nonce that completes them (`flow$`). A
 * later mail replaces the characters; earlier links still sign in.
 *
 * INVALID_INPUT is returned, with `details.field` "email", for text that is no e-mail address.
 *
 * The first sign-in creates the user if the project allows sign-up; SIGN_UP_REJECTED and BOT_CHALLENGE_… as in
 * `signUpWithPassword`. Throws USER_EMAIL_ALREADY_EXISTS for an address that another account signs in with but has never
 * verified, SIGN_UP_NOT_ENABLED, and REQUEST_FAILED with status 403 if magic links are off.
 *
 * @example
 * const sent = await app.sendMagicLinkEmail({ email: 'ada@example.com' })
 * if (sent.ok) console.log('Look into your mailbox.')
 */
export async function sendMagicLinkEmail(
  kit: Kit,
  input: { readonly email: string; readonly callbackUrl?: string; readonly botChallenge?: BotChallenge },
  options?: CallOptions,
): Promise<
  Result<{ readonly nonce: string }, AuthErrorOf<'INVALID_INPUT' | 'REDIRECT_URL_NOT_WHITELISTED' | SignUpRefusal>>
> {
  const { email, callbackUrl: asked, botChallenge } = given(input)
  const url = callbackUrl(kit, 'magicLinkCallback', asked)
  const sending = async () => {
    const turn = signInsOf(kit).begin()
    const result = await send(kit, { email, callbackUrl: url, ...challengeFields(botChallenge) })
    if (result.ok) flowOf(kit).codeSent(turn, cleanEmail(email), result.value.nonce)
    return result
  }
  return shareRequest(kit, options, sending, 'magic link', email, url, botChallenge?.token ?? '')
}

/**
 * Signs in with the code of a mailed link, also with the whole link, or with the six characters of the mail in any spelling.
 * Calls with one code share one request, since a code works once; aborting ends only the caller's wait.
 *
 * Six characters need the `nonce` of `sendMagicLinkEmail`, by default that of this tab, which survives a reload. Elsewhere
 * they throw INVALID_INPUT, and only the link works. VERIFICATION_CODE_NOT_FOUND for six characters is a typing error, and
 * leaves `flow$` as it is. On the page of the link, sign in when a button is pressed: mail scanners open links too.
 *
 * For the code of a deleted user, and for one of two requests at once, the hosted platform may answer 500 (REQUEST_FAILED,
 * `status` 500); if the code is used, VERIFICATION_CODE_ALREADY_USED is returned: see "Where the hosted platform answers 500" in
 * docs/errors.md.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const result = await app.signInWithMagicLink({ code })
 * await app.navigateAfterAuth(result)
 */
export async function signInWithMagicLink(
  kit: Kit,
  input: { readonly code: string; readonly nonce?: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<CodeError | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' | SignUpRefusal>>> {
  const { code, isTyped } = linkOrTypedCode(given(input).code, input.nonce ?? signInsOf(kit).nonce)
  const redeeming = () =>
    firstFactor(kit, {
      method: 'magic-link',
      // Even on a page that redeems a link by itself: its code works once, so that no loop follows.
      isByHand: true,
      run: () => redeem(kit, code),
      code,
      isTypo: error => isTyped && isAuthError(error, 'VERIFICATION_CODE_NOT_FOUND'),
    })
  return shareRequest(kit, options, redeeming, 'magic link sign-in', code)
}

async function redeem(kit: Kit, code: string) {
  try {
    return await signIn(kit, { code })
  } catch (error) {
    return refusalOfFailed(kit, code, checkMagicLinkCode, error)
  }
}

/**
 * Checks the code of a link. A code allows 20 attempts; each check counts as one.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkMagicLinkCode({ code })
 */
export const checkMagicLinkCode = codeCheck(checkSignInCode)
