import { SingleFlight } from '../core/single-flight'
import type { Result } from '../core/result'
import { invalidInput, isAuthError } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { anyUser$ } from '../resources/current-user'
import { slot } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { startSession } from '../store/session'
import { unlessAborted } from '../transport/attempt'
import { callbackUrl } from './callback-url'
import type { CodeError } from './code-answers'
import { firstFactor } from './first-factor'
import { flowOf } from './flow'
import { checkSignInCode, codeSignIn, sendSignInCode } from './magic-link-endpoints'
import type { SignedIn } from './signed-in'

const send = mutation(sendSignInCode, { refreshes: () => [] })
const check = mutation(checkSignInCode, { refreshes: () => [] })
const signIn = mutation(codeSignIn, { refreshes: () => [anyUser$], settled: startSession })

/**
 * Mails a link and six characters, good for seven days. The link leads to `callbackUrl` (by default the app's magic link
 * page) with `?code=…`; the six characters may be typed in this tab, which keeps the nonce that completes them (`flow$`).
 *
 * Makes a user at the first sign-in where the project allows sign-up. Throws USER_EMAIL_ALREADY_EXISTS for an address that
 * somebody signs in with but has never verified, SIGN_UP_NOT_ENABLED, and REQUEST_FAILED with status 403 where magic links
 * are off.
 */
export async function sendMagicLinkEmail(
  kit: Kit,
  input: { readonly email: string; readonly callbackUrl?: string },
  options?: CallOptions,
): Promise<Result<{ readonly nonce: string }, AuthErrorOf<'REDIRECT_URL_NOT_WHITELISTED'>>> {
  const url = callbackUrl(kit, 'magicLinkCallback', input.callbackUrl)
  const result = await send(kit, { email: input.email, callbackUrl: url }, options)
  if (result.ok) flowOf(kit).codeSent(input.email.trim().toLowerCase(), result.value.nonce)
  return result
}

/** Protocol §13: what a person types of a code; with the nonce after it, it is whole. */
const typedLength = 6

type MagicLinkResult = Result<SignedIn, AuthErrorOf<CodeError | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>>

const flightsKey = {}

/**
 * Signs in with the code of a mailed link, or with the six characters of the mail, however they are typed. Calls with one
 * code share one request, since a code works once.
 *
 * Six characters need the `nonce` of `sendMagicLinkEmail`; by default that of this tab, which survives a reload. Elsewhere
 * they throw INVALID_INPUT: there the link is the way. A VERIFICATION_CODE_NOT_FOUND for six characters is a typing error,
 * and `flow$` stays as it is. On the page that the link leads to, let people press a button: mail scanners open links too.
 */
export async function signInWithMagicLink(
  kit: Kit,
  input: { readonly code: string; readonly nonce?: string },
  options?: CallOptions,
): Promise<MagicLinkResult> {
  const { code, isTyped } = wholeCode(kit, input)
  const flights = slot(kit, flightsKey, () => new SingleFlight<MagicLinkResult>())
  const flight = flights.run(code, () =>
    firstFactor(kit, {
      run: () => signIn(kit, { code }),
      isTypo: error => isTyped && isAuthError(error, 'VERIFICATION_CODE_NOT_FOUND'),
    }),
  )
  return unlessAborted(flight, options?.signal)
}

/** Whether the code of a link would sign in. Twenty questions use a code up. */
export async function checkMagicLinkCode(
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError>>> {
  const result = await check(kit, input, options)
  return result.ok ? { ok: true, value: undefined } : result
}

function wholeCode(
  kit: Kit,
  input: { readonly code: string; readonly nonce?: string },
): { readonly code: string; readonly isTyped: boolean } {
  if (typeof input.code !== 'string') throw invalidInput('code', 'must be a text')
  const code = input.code.replace(/\s/g, '').toLowerCase()
  if (code === '') throw invalidInput('code', 'is empty')
  if (code.length > typedLength) return { code, isTyped: false }
  const nonce = input.nonce ?? flowOf(kit).nonce
  if (code.length < typedLength) throw invalidInput('code', `must have ${typedLength} characters, not ${code.length}`)
  if (nonce !== undefined) return { code: code + nonce, isTyped: true }
  throw invalidInput(
    'nonce',
    'is not known in this tab: type the six characters where they were asked for, or open the link of the mail',
  )
}
