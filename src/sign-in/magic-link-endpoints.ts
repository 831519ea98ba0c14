import * as v from 'valibot'
import { dottedEmail, newer } from '../core/wire'
import { endpoint } from '../transport/endpoint'
import { signUpRefusals } from './bot-challenge'
import { checksCode, codeErrors } from '../entities/mailed-code'
import { NewSignInAnswer } from './sign-in-answers'

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

/** Checks a sign-in code. */
export const checkSignInCode = endpoint('POST /auth/otp/sign-in/check-code', checksCode)
