import * as v from 'valibot'
import { dottedEmail, email, faultOfEmail, newer } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { SignInAnswer, challengeFields, type BotChallenge, type SignUpRefusal, type SignedIn } from '../answers'
import { failed, type Result } from '../../core/result'
import { AuthError, given, type AuthErrorOf } from '../../errors/auth-error'
import { anyUser$ } from '../../entities/users/client'
import { sessions$ } from '../../entities/sessions/client'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { callbackUrl } from '../../entities/mailed-code'
import { anonymousOwner, firstFactor, known } from '../first-factor'
import { sessionStart } from '../session-start'
import { asOwner, shareRequest } from '../../entities/as-owner'
import { isOverlong, refusalOfPassword, type PasswordRefusal } from '../../entities/password-limits'
import { addPassword, changePassword } from './reset'

export const passwordSignIn = endpoint('POST /auth/password/sign-in', {
  access: 'client',
  body: { email: email(), password: v.string() },
  returns: SignInAnswer,
  fails: ['EMAIL_PASSWORD_MISMATCH', 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
  ownedBy: 'app',
})

export const passwordSignUp = endpoint('POST /auth/password/sign-up', {
  access: 'client',
  body: {
    email: dottedEmail(),
    password: v.string(),
    // Required by release 2.8.18.
    verificationCallbackUrl: v.optional(v.string()),
    botChallengeToken: newer(v.optional(v.string())),
    botChallengePhase: newer(v.optional(v.picklist(['invisible', 'visible']))),
  },
  returns: SignInAnswer,
  // Written out: a spread would keep the declaration in apps without sign-up.
  fails: [
    'INVALID_INPUT',
    'USER_EMAIL_ALREADY_EXISTS',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_TOO_LONG',
    'SIGN_UP_REJECTED',
    'BOT_CHALLENGE_REQUIRED',
    'BOT_CHALLENGE_FAILED',
  ],
  ownedBy: 'app',
})

const signIn = sessionStart(passwordSignIn)
const signUp = sessionStart(passwordSignUp, { carries: anonymousOwner })

/** For `rememberSignInMethod`. */
const method = 'password'

/**
 * Signs in with e-mail and password. The e-mail is cleaned of what comes with it when it is copied (white space and invisible
 * characters around it, `mailto:`, `<…>`), and lower-cased, as the platform stores it.
 *
 * A wrong e-mail and a wrong password are the same EMAIL_PASSWORD_MISMATCH. It is returned without a request for text that
 * is no e-mail address, with the reason in its message, and for a password above the platform's limit. With MULTI_FACTOR_AUTHENTICATION_REQUIRED the
 * password was right, and the second factor follows.
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
  const { email, password } = given(input)
  const entering = () =>
    firstFactor(kit, {
      method,
      isByHand: true,
      signal: options?.signal,
      run: async () => {
        const fault = faultOfEmail(email)
        const reason = fault ? `email ${fault}` : isOverlong(kit, password) && 'no password is that long'
        if (reason) return failed(new AuthError('EMAIL_PASSWORD_MISMATCH', `${reason}, so this sign-in is wrong`))
        return known(await signIn(kit, input, options), false)
      },
    })
  return onePress(kit, options, entering, 'sign-in', email, password)
}

type SignUpError = AuthErrorOf<'USER_EMAIL_ALREADY_EXISTS' | PasswordRefusal | 'INVALID_INPUT' | SignUpRefusal>

/**
 * Creates a user with e-mail and password and signs in. The platform mails a link that verifies the address; it leads to
 * `verificationCallbackUrl`, by default the app's e-mail verification page. Outside a browser it is required; null sends no
 * mail, on newer releases.
 *
 * On newer releases an anonymous user keeps the id. A failed sign-up leaves the anonymous session as it is.
 * SIGN_UP_REJECTED: refused by a rule of the project; BOT_CHALLENGE_REQUIRED: show the challenge and try
 * again with its result (`botChallenge`).
 *
 * INVALID_INPUT is returned, with `details.field` "email", for text that is no e-mail address.
 *
 * For one of two sign-ups at once, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of a code: see
 * "Where the hosted platform answers 500" in docs/errors.md.
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
  const { email, password, verificationCallbackUrl: asked, botChallenge } = given(input)
  const url = asked === null ? null : callbackUrl(kit, 'emailVerification', asked, 'verificationCallbackUrl')
  const request = {
    email,
    password,
    ...(url !== null && { verificationCallbackUrl: url }),
    ...challengeFields(botChallenge),
  }
  const refusal = faultOfEmail(email) ? null : refusalOfPassword(kit, password)
  const entering = () =>
    firstFactor<SignUpError>(kit, {
      method,
      isByHand: true,
      signal: options?.signal,
      run: async () => (refusal ? failed(refusal) : known(await signUp(kit, request, options), true)),
    })
  return onePress(kit, options, entering, 'sign-up', request)
}

/** Shares a request as a second press does. A call with a signal has its own: an abort ends it. */
function onePress<T>(
  kit: Kit,
  options: CallOptions | undefined,
  entering: () => Promise<T>,
  ...input: readonly unknown[]
): Promise<T> {
  return options?.signal ? entering() : shareRequest(kit, undefined, entering, 'password', ...input)
}

export const change = mutation(changePassword, { refreshes: () => [anyUser$, sessions$] })
export const add = mutation(addPassword, { refreshes: () => [anyUser$] })

/**
 * Changes the password. Every other session of the user ends; this one stays.
 *
 * PASSWORD_CONFIRMATION_MISMATCH: `confirmation` was given and differs from the new password (no request was made), or the
 * old password is wrong, as it is after a change whose answer was lost. Throws USER_DOES_NOT_HAVE_PASSWORD for a user
 * without one, who needs `setPassword`, and USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const result = await app.updatePassword({ oldPassword: 'correct horse', newPassword: 'battery staple' })
 */
export async function updatePassword(
  kit: Kit,
  input: { readonly oldPassword: string; readonly newPassword: string; readonly confirmation?: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'PASSWORD_CONFIRMATION_MISMATCH' | PasswordRefusal>>> {
  const { confirmation, ...passwords } = given(input)
  if (confirmation !== undefined && confirmation !== passwords.newPassword)
    return failed(new AuthError('PASSWORD_CONFIRMATION_MISMATCH', 'the new password and its confirmation differ'))
  const refusal = refusalOfPassword(kit, passwords.newPassword)
  if (refusal) return failed(refusal)
  if (isOverlong(kit, passwords.oldPassword))
    return failed(
      new AuthError('PASSWORD_CONFIRMATION_MISMATCH', 'the old password is longer than any password can be'),
    )
  return asOwner(kit, options, 'to change a password', () => change(kit, passwords, options))
}

/**
 * Sets the first password of a user. Throws REQUEST_FAILED with status 400 if there is one, and USER_AUTHENTICATION_REQUIRED
 * while signed out.
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
  const refusal = refusalOfPassword(kit, given(input).password)
  if (refusal) return failed(refusal)
  return asOwner(kit, options, 'to set a password', () => add(kit, input, options))
}
