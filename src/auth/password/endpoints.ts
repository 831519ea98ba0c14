import * as v from 'valibot'
import { dottedEmail, email, newer } from '../../core/wire'
import type { Shape } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'

const signInAnswer = v.object({ accessToken: v.string(), refreshToken: v.string(), userId: v.string() })

/** The answer to every sign-in: the tokens of the new session, and its user. */
export interface SignInAnswer extends v.InferOutput<typeof signInAnswer> {}
export const SignInAnswer: Shape<SignInAnswer> = signInAnswer

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
    // Required by the reference release.
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
