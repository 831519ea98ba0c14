import * as v from 'valibot'
import { endpoint } from '../transport/endpoint'
import { codeErrors } from '../entities/mailed-code'
import { NewSignInAnswer } from './sign-in-answers'

/** The second step of a sign-in; `code` is the attempt code in the first one's error. */
export const mfaSignIn = endpoint('POST /auth/mfa/sign-in', {
  access: 'client',
  body: { type: v.literal('totp'), totp: v.string(), code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'INVALID_TOTP_CODE'],
  ownedBy: 'app',
})
