import * as v from 'valibot'
import { email } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { checksCode, codeErrors } from '../../entities/mailed-code'

const lengthErrors = ['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'] as const

/** Mails a link to the account that signs in with the address. The answer does not reveal whether one exists. */
export const sendResetCode = endpoint('POST /auth/password/send-reset-code', {
  access: 'client',
  body: { email: email(), callbackUrl: v.string() },
  returns: v.object({ success: v.string() }),
  fails: ['INVALID_INPUT', 'USER_NOT_FOUND'],
  ownedBy: 'app',
})

/** Checks a reset code. */
export const checkResetCode = endpoint('POST /auth/password/reset/check-code', checksCode)

/** Consumes the code, even if the password is refused. Ends every session of the user. */
export const resetPasswordByCode = endpoint('POST /auth/password/reset', {
  access: 'client',
  body: { code: v.string(), password: v.string() },
  fails: [...codeErrors, ...lengthErrors],
  ownedBy: 'app',
})

/** Ends every other session of the user; that of the refresh token header stays. */
export const changePassword = endpoint('POST /auth/password/update', {
  access: 'client',
  body: { oldPassword: v.string(), newPassword: v.string() },
  fails: ['PASSWORD_CONFIRMATION_MISMATCH', ...lengthErrors],
})

/** Sets the first password of a user. */
export const addPassword = endpoint('POST /auth/password/set', {
  access: 'client',
  body: { password: v.string() },
  fails: lengthErrors,
})
