import * as v from 'valibot'
import { passwordSignIn, passwordSignUp } from '../../sign-in/password/password'
import { authChannelOf, requireFreeAuthEmail } from '../directory/accounts'
import { primaryChannelOf } from '../model/primary-channel'
import { normalizeEmail } from '../model/normalize-email'
import { absoluteUrl, laxEmail, password, shortEmail, strictEmail } from '../model/limits'
import { sendVerification } from '../mail/mail'
import { requireLongEnough, requirePasswords } from '../directory/password-rules'
import { checkPassword, hashPassword } from '../directory/passwords'
import { known } from '../model/refusal'
import { requireSecondFactor } from '../directory/second-factor'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'
import { signUpUser } from '../directory/sign-up'
import { challengeFields, requireChallenge, screenSignUp } from '../directory/sign-up-screen'
import { requireTrustedUrl } from '../directory/trusted-url'

export const passwordRoutes = [
  serve(
    passwordSignUp,
    {
      body: { email: strictEmail(), password: password(), verificationCallbackUrl: absoluteUrl() },
      newer: {
        body: { ...challengeFields, email: shortEmail(), verificationCallbackUrl: v.optional(absoluteUrl()) },
      },
    },
    async ({ engine, caller: { project, user: current }, input, origin }) => {
      const { tables, passwordCost } = engine
      const { verificationCallbackUrl } = input
      requirePasswords(project)
      if (verificationCallbackUrl !== undefined) requireTrustedUrl(engine, verificationCallbackUrl, project)
      requireLongEnough(input.password)
      if (!project.config.signUpEnabled)
        throw known('SIGN_UP_NOT_ENABLED', 'This project does not accept new users: switch on signUpEnabled.')
      requireChallenge(engine, project, input)
      requireFreeAuthEmail(engine, normalizeEmail(input.email))
      const screened = screenSignUp(engine, project, { email: input.email, authMethod: 'password' })
      const hash = await hashPassword(input.password, passwordCost)
      const user = signUpUser(engine, project, current, {
        ...screened,
        password: hash,
        email: { value: input.email, isVerified: false, usedForAuth: true },
      })
      const channel = primaryChannelOf(tables, user.id)
      if (channel && verificationCallbackUrl !== undefined)
        sendVerification(engine, project, channel, verificationCallbackUrl, { inBackground: true })
      return signIn(engine, user, origin)
    },
  ),

  serve(
    passwordSignIn,
    { body: { email: laxEmail(), password: password() } },
    async ({ engine, caller: { project }, input, origin }) => {
      const { tables, passwordCost } = engine
      requirePasswords(project)
      const channel = authChannelOf(engine, input.email)
      const user = channel && tables.users.get(channel.userId)
      const isRight = await checkPassword(input.password, user?.password ?? null, passwordCost)
      if (!user || !isRight) throw known('EMAIL_PASSWORD_MISMATCH', 'Wrong e-mail address or password.')
      requireSecondFactor(engine, user)
      return signIn(engine, user, origin)
    },
  ),
]
