import type { Result } from '../../core/result'
import { given, type AuthErrorOf } from '../../errors/auth-error'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { anonymousOwner, firstFactor } from '../first-factor'
import { sessionStart } from '../session-start'
import type { SignedIn } from '../answers'
import { appleTokenSignIn, type appleTokenRefusals } from './endpoints'

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
): Promise<Result<SignedIn, AuthErrorOf<(typeof appleTokenRefusals)[number]>>> {
  const { idToken } = given(input)
  return firstFactor(kit, {
    method: 'oauth:apple',
    signal: options?.signal,
    run: () => signIn(kit, { idToken }, options),
  })
}
