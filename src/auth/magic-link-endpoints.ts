import * as v from 'valibot'
import { dottedEmail, newer } from '../core/wire'
import { endpoint } from '../transport/endpoint'
import { signUpRefusals } from './bot-challenge'
import { checksCode, codeErrors } from './code-answers'
import { NewSignInAnswer } from './sign-in-answers'

/** Mails a link and six characters that a person can type; with the nonce in front of the app they are a code. */
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

/** Signs in with the code of a mailed link, or with the six typed characters and the nonce after them. */
export const codeSignIn = endpoint('POST /auth/otp/sign-in', {
  access: 'client',
  body: { code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED', ...signUpRefusals],
  ownedBy: 'app',
})

/** Whether a sign-in code would work. */
export const checkSignInCode = endpoint('POST /auth/otp/sign-in/check-code', checksCode)
