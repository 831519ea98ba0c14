import * as v from 'valibot'
import type { Result } from '../../core/result'
import type { AuthErrorOf } from '../../errors/auth-error'
import { given } from '../../errors/auth-error'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { anonymousOwner, firstFactor } from '../first-factor'
import { sessionStart } from '../session-start'
import { signUpRefusals, NewSignInAnswer } from '../answers'
import type { SignedIn } from '../answers'

/** Refusals of the token, of the project's settings, and of the user behind it. */
const fails = [
  'INVALID_APPLE_CREDENTIALS',
  'APPLE_BUNDLE_ID_NOT_CONFIGURED',
  'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
  'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
  'SIGN_UP_NOT_ENABLED',
  'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  ...signUpRefusals,
] as const

/** Signs in with the identity token that iOS or macOS gives an app. */
export const appleTokenSignIn = endpoint('POST /auth/oauth/callback/apple/native', {
  access: 'client',
  body: { idToken: v.string() },
  returns: NewSignInAnswer,
  fails,
  ownedBy: 'app',
  notOnPlatform: lacking(404),
})

const signIn = sessionStart(appleTokenSignIn, { carries: anonymousOwner })

/**
 * Signs in with the identity token of "Sign in with Apple" in an app for iOS or macOS, without a browser. The bundle id of
 * the app has to be in the project's settings of the provider `apple`.
 *
 * The first sign-in creates the user; an anonymous user keeps the id. INVALID_APPLE_CREDENTIALS: the token is not Apple's, is for
 * another app, or has expired: ask Apple again. With MULTI_FACTOR_AUTHENTICATION_REQUIRED the token was right, and
 * `continueSignIn` follows. The kit neither stores the token nor puts it into an error or a trace.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const result = await signInWithAppleToken(app, { idToken: '…' })
 * console.log(result.ok ? result.value.userId : result.error.code)
 */
export async function signInWithAppleToken(
  kit: Kit,
  input: { readonly idToken: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<(typeof fails)[number]>>> {
  const { idToken } = given(input)
  return firstFactor(kit, {
    method: 'oauth:apple',
    signal: options?.signal,
    run: () => signIn(kit, { idToken }, options),
  })
}
