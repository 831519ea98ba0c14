import * as v from 'valibot'
import { email } from '../core/wire'
import { endpoint } from '../transport/endpoint'
import { checksCode, codeErrors } from '../entities/mailed-code'

/** The older call: takes the address itself, which must be the primary one. */
export const sendPrimaryVerification = endpoint('POST /contact-channels/send-verification-code', {
  access: 'client',
  body: { email: email(), callbackUrl: v.string() },
  fails: ['EMAIL_ALREADY_VERIFIED'],
})

/** Verifies the address of the code. The link works signed out too. */
export const verifyChannel = endpoint('POST /contact-channels/verify', {
  access: 'client',
  body: { code: v.string() },
  fails: codeErrors,
  ownedBy: 'app',
})

/** Checks a verification code. */
export const checkVerificationCode = endpoint('POST /contact-channels/verify/check-code', checksCode)
