import { mfaSignIn } from '../../sign-in/second-factor'
import { code } from '../model/limits'
import { known } from '../model/refusal'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'
import { isTotpCode } from '../directory/totp'
import { lookUpCode, markUsed } from '../directory/verification-codes'

export const mfaRoutes = [
  serve(mfaSignIn, { body: { code: code() } }, async ({ engine, input, origin }) => {
    const { tables, clock } = engine
    const attempt = lookUpCode(engine, 'mfa-attempt', input.code)
    const user = tables.users.get(attempt.subject.userId ?? '')
    const secret = user?.totpSecretBase64 ?? null
    // A wrong code keeps the attempt, unlike for other codes: users mistype six digits.
    if (!user || secret === null || !(await isTotpCode(secret, input.totp, clock.now())))
      throw known('INVALID_TOTP_CODE', 'The six digits are wrong, or no longer valid.')
    // Another request may have used the attempt during the check above; it works once.
    markUsed(engine, lookUpAgain(attempt.id))
    return { ...(await signIn(engine, user, origin)), isNewUser: false }

    function lookUpAgain(id: string) {
      const row = tables.verificationCodes.get(id)
      if (row && row.usedAt === null) return row
      throw known('VERIFICATION_CODE_ALREADY_USED', 'The code has been used, and works once. Sign in again.')
    }
  }),
]
