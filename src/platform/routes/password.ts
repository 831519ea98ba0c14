import { passwordSignIn, passwordSignUp } from '../../auth/endpoints'
import { authChannelOf, createUser, primaryChannelOf, requireFreeAuthEmail, normalizeEmail } from '../accounts'
import { absoluteUrl, password, strictEmail } from '../limits'
import { sendVerification } from '../mail'
import { checkPassword, hashPassword } from '../passwords'
import { known } from '../refusal'
import { requireSecondFactor } from '../second-factor'
import { serve } from '../serve'
import { signIn } from '../sessions'
import type { ProjectRow } from '../tables'
import { requireTrustedUrl } from '../trusted-url'

/** Protocol §4: characters. */
const minLength = 8

export const passwordRoutes = [
  serve(
    passwordSignUp,
    { body: { email: strictEmail(), password: password(), verificationCallbackUrl: absoluteUrl() } },
    async ({ engine, caller: { project }, input, origin }) => {
      const { tables, passwordCost } = engine
      requirePasswords(project)
      requireTrustedUrl(input.verificationCallbackUrl, project)
      if (input.password.length < minLength)
        throw known('PASSWORD_TOO_SHORT', `A password has at least ${minLength} characters.`, { minLength })
      if (!project.config.signUpEnabled) throw known('SIGN_UP_NOT_ENABLED', 'This project does not accept new users.')
      requireFreeAuthEmail(tables, project.id, normalizeEmail(input.email))
      const hash = await hashPassword(input.password, passwordCost)
      const user = createUser(engine, project, {
        password: hash,
        email: { value: input.email, isVerified: false, usedForAuth: true },
      })
      const channel = primaryChannelOf(tables, user.id)
      if (channel) sendVerification(engine, project, channel, input.verificationCallbackUrl)
      return signIn(engine, user, origin)
    },
  ),

  serve(
    passwordSignIn,
    { body: { email: strictEmail(), password: password() } },
    async ({ engine, caller: { project }, input, origin }) => {
      const { tables, passwordCost } = engine
      requirePasswords(project)
      const channel = authChannelOf(tables, project.id, input.email)
      const user = channel && tables.users.get(channel.userId)
      const isRight = await checkPassword(input.password, user?.password ?? null, passwordCost)
      if (!user || !isRight) throw known('EMAIL_PASSWORD_MISMATCH', 'Wrong e-mail address or password.')
      requireSecondFactor(engine, user)
      return signIn(engine, user, origin)
    },
  ),
]

function requirePasswords({ config }: ProjectRow): void {
  if (!config.credentialEnabled)
    throw known('PASSWORD_AUTHENTICATION_NOT_ENABLED', 'This project does not have password sign-in.')
}
