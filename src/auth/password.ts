import { failed } from '../core/result'
import { isNoEmail } from '../core/wire'
import type { Result } from '../core/result'
import { AuthError } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { anyUser$ } from '../resources/current-user'
import { sessions$ } from '../resources/sessions'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { startSession } from '../store/session'
import { callbackUrl } from '../resources/callback-url'
import { anonymousOwner } from './anonymous-owner'
import { challengeFields } from './bot-challenge'
import type { BotChallenge, SignUpRefusal } from './bot-challenge'
import { passwordSignIn, passwordSignUp } from './endpoints'
import { firstFactor, known } from './first-factor'
import { asOwner } from './owner'
import { isOverlong, refusalOfPassword } from './password-limits'
import type { PasswordRefusal } from './password-limits'
import { addPassword, changePassword } from './password-reset-endpoints'
import type { SignedIn } from './signed-in'

// Named after the sign-in, the stores of the new user load once and are there when the promise resolves.
const signIn = mutation(passwordSignIn, { refreshes: () => [anyUser$], settled: startSession })
const signUp = mutation(passwordSignUp, {
  refreshes: () => [anyUser$],
  carries: anonymousOwner,
  settled: startSession,
})

/**
 * Signs in with e-mail and password. The e-mail is trimmed and lower-cased, as the platform stores it.
 *
 * Wrong e-mail and wrong password are the same EMAIL_PASSWORD_MISMATCH; it is returned without a request for what is no
 * e-mail address, and for a password that is longer than the platform takes. With MULTI_FACTOR_AUTHENTICATION_REQUIRED the
 * password was right, and the second factor is still to come.
 *
 * @example
 * const result = await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' })
 * console.log(result.ok ? result.value.next : result.error.code)
 */
export async function signInWithPassword(
  kit: Kit,
  input: { readonly email: string; readonly password: string },
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<'EMAIL_PASSWORD_MISMATCH' | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>>> {
  return firstFactor(kit, {
    run: async () => {
      const reason = isNoEmail(input.email)
        ? 'no user has such an address'
        : isOverlong(kit, input.password) && 'no password is that long'
      if (reason) return failed(new AuthError('EMAIL_PASSWORD_MISMATCH', `${reason}, so this sign-in is wrong`))
      return known(await signIn(kit, input, options), false)
    },
  })
}

type SignUpError = AuthErrorOf<'USER_EMAIL_ALREADY_EXISTS' | PasswordRefusal | 'INVALID_INPUT' | SignUpRefusal>

/**
 * Makes a user with e-mail and password and signs in. The platform mails a link that verifies the address; it leads to
 * `verificationCallbackUrl`, by default the app's e-mail verification page. Outside a browser it has to be given; null sends
 * no mail, where the platform allows that (newer releases).
 *
 * An anonymous user keeps the id where the platform can (newer releases); a sign-up that fails leaves the anonymous session
 * as it is. SIGN_UP_REJECTED: a rule of the project; BOT_CHALLENGE_REQUIRED: show the challenge and try again with what it
 * gives (`botChallenge`).
 *
 * INVALID_INPUT is returned, with `details.field` "email", for what is no e-mail address: a person has typed it.
 *
 * @example
 * const result = await app.signUpWithPassword({ email: 'ada@example.com', password: 'correct horse' })
 * if (!result.ok && result.error.code === 'USER_EMAIL_ALREADY_EXISTS') console.log('Sign in instead.')
 */
export async function signUpWithPassword(
  kit: Kit,
  input: {
    readonly email: string
    readonly password: string
    readonly verificationCallbackUrl?: string | null
    readonly botChallenge?: BotChallenge
  },
  options?: CallOptions,
): Promise<Result<SignedIn, SignUpError>> {
  const { email, password, verificationCallbackUrl: given, botChallenge } = input
  const url = given === null ? null : callbackUrl(kit, 'emailVerification', given, 'verificationCallbackUrl')
  const request = {
    email,
    password,
    ...(url !== null && { verificationCallbackUrl: url }),
    ...challengeFields(botChallenge),
  }
  const refusal = isNoEmail(email) ? null : refusalOfPassword(kit, password)
  return firstFactor<SignUpError>(kit, {
    run: async () => (refusal ? failed(refusal) : known(await signUp(kit, request, options), true)),
  })
}

const change = mutation(changePassword, { refreshes: () => [anyUser$, sessions$] })
const add = mutation(addPassword, { refreshes: () => [anyUser$] })

/**
 * Changes the password. Every other session of the user ends; this one stays.
 *
 * PASSWORD_CONFIRMATION_MISMATCH: `confirmation` was given and is not the new password (nothing was sent), or the old
 * password is wrong, as it is after a change whose answer was lost. Throws USER_DOES_NOT_HAVE_PASSWORD for a user without
 * one, for whom `setPassword` is, and USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const result = await app.updatePassword({ oldPassword: 'correct horse', newPassword: 'battery staple' })
 */
export async function updatePassword(
  kit: Kit,
  input: { readonly oldPassword: string; readonly newPassword: string; readonly confirmation?: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'PASSWORD_CONFIRMATION_MISMATCH' | PasswordRefusal>>> {
  const { confirmation, ...passwords } = input
  if (confirmation !== undefined && confirmation !== passwords.newPassword)
    return failed(new AuthError('PASSWORD_CONFIRMATION_MISMATCH', 'the new password and its confirmation differ'))
  const refusal = refusalOfPassword(kit, passwords.newPassword)
  if (refusal) return failed(refusal)
  if (isOverlong(kit, passwords.oldPassword))
    return failed(
      new AuthError('PASSWORD_CONFIRMATION_MISMATCH', 'no password is as long as the old one that was given'),
    )
  return asOwner(kit, options, 'whose password could be changed', () => change(kit, passwords, options))
}

/**
 * Gives a password to a user who has none yet. Throws REQUEST_FAILED with status 400 for one who has, and
 * USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const result = await app.setPassword({ password: 'correct horse' })
 * if (!result.ok && result.error.code === 'PASSWORD_TOO_SHORT') console.log(result.error.details.minLength)
 */
export async function setPassword(
  kit: Kit,
  input: { readonly password: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<PasswordRefusal>>> {
  const refusal = refusalOfPassword(kit, input.password)
  if (refusal) return failed(refusal)
  return asOwner(kit, options, 'who could be given a password', () => add(kit, input, options))
}
