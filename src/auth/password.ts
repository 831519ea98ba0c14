import type { Result } from '../core/result'
import { invalidInput } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { absoluteUrl } from '../navigation/redirect'
import { anyUser$ } from '../resources/current-user'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { startSession } from '../store/session'
import { passwordSignIn, passwordSignUp } from './endpoints'
import { firstFactor, known } from './first-factor'
import type { SignedIn } from './signed-in'

// Named after the sign-in, the stores of the new user load once and are there when the promise resolves.
const signIn = mutation(passwordSignIn, { refreshes: () => [anyUser$], settled: startSession })
const signUp = mutation(passwordSignUp, { refreshes: () => [anyUser$], settled: startSession })

/**
 * Signs in with e-mail and password. The e-mail is trimmed and lower-cased, as the platform stores it.
 *
 * Wrong e-mail and wrong password are the same EMAIL_PASSWORD_MISMATCH. With MULTI_FACTOR_AUTHENTICATION_REQUIRED the
 * password was right, and the second factor is still to come.
 */
export async function signInWithPassword(
  kit: Kit,
  input: { readonly email: string; readonly password: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<'EMAIL_PASSWORD_MISMATCH' | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>>> {
  return firstFactor(kit, { run: async () => known(await signIn(kit, input, options), false) })
}

/**
 * Makes a user with e-mail and password and signs in. The platform mails a link that verifies the address; it leads to
 * `verificationCallbackUrl`, by default the app's e-mail verification page. Outside a browser it has to be given.
 */
export async function signUpWithPassword(
  kit: Kit,
  input: { readonly email: string; readonly password: string; readonly verificationCallbackUrl?: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<'USER_EMAIL_ALREADY_EXISTS' | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'>>> {
  const { navigation, passwordLimits } = coreOf(kit)
  const { email, password } = input
  const verificationCallbackUrl =
    input.verificationCallbackUrl ?? absoluteUrl(navigation, navigation.urls.emailVerification)
  if (verificationCallbackUrl === undefined)
    throw invalidInput(
      'verificationCallbackUrl',
      'is needed outside a browser: the address that the mailed link leads to',
    )
  checkPassword(passwordLimits, password)
  return firstFactor(kit, {
    run: async () => known(await signUp(kit, { email, password, verificationCallbackUrl }, options), true),
  })
}

function checkPassword(
  { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number },
  password: string,
): void {
  // What is no text is refused like any other wrong input.
  if (typeof password !== 'string') return
  const { length } = Array.from(password)
  if (length < min) throw invalidInput('password', `must have at least ${min} characters`)
  if (length > max) throw invalidInput('password', `must have at most ${max} characters`)
}
