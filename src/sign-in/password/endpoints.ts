import * as v from 'valibot'
import { dottedEmail, email, newer } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { SignInAnswer } from '../sign-in-answers'

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
