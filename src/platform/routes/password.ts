import * as reset from '../../sign-in/password/reset'
import { authChannelOf, requireFreeAuthEmail } from '../directory/users'
import { requireOwnUser } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { absoluteUrl, code, laxEmail, password, shortEmail, strictEmail } from '../model/limits'
import { nameOf, send, sendVerification, withCode } from '../mail/mail'
import { requireLongEnough, requirePasswords, checkPassword, hashPassword } from '../directory/passwords'
import { hostedFailure, known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import { endSessionsOf, signIn } from '../directory/sessions'
import { normalizeEmail } from '../model/users'
import { requireTrustedUrl } from '../directory/trusted-url'
import { consumeCode, createCode, checking, requireSecondFactor } from '../directory/verification-codes'
import * as v from 'valibot'
import { passwordSignIn, passwordSignUp } from '../../sign-in/password/password'
import { primaryChannelOf } from '../model/restriction'
import { signUpUser, challengeFields, requireChallenge, requireSignUps, screenSignUp } from '../directory/sign-up'

/** The answer for every address, so that it does not show whether a user has it. Source: endpoints, send-reset-code. */
const nonCommittal = 'maybe, only if user with e-mail exists'

/** Sets the password and ends all sessions, except that of the refresh token `survivor`. */
async function replacePassword(
  engine: Engine,
  userId: string,
  newPassword: string,
  survivor: string | null = null,
): Promise<void> {
  const { tables, passwordCost } = engine
  const hash = await hashPassword(newPassword, passwordCost)
  if (!tables.users.get(userId)) throw hostedFailure('The user has been deleted.')
  tables.users.patch(userId, { password: hash })
  const exceptSessionId = survivor === null ? undefined : tables.refreshTokens.get(survivor)?.sessionId
  endSessionsOf(engine, userId, exceptSessionId)
}

export const routes = [
  serve(
    passwordSignUp,
    {
      body: { email: strictEmail, password, verificationCallbackUrl: absoluteUrl },
      newer: {
        body: { ...challengeFields, email: shortEmail, verificationCallbackUrl: v.optional(absoluteUrl) },
      },
    },
    async ({ engine, caller: { user: current }, input, origin }) => {
      const { tables, passwordCost } = engine
      const { verificationCallbackUrl } = input
      requirePasswords(engine)
      if (verificationCallbackUrl !== undefined) requireTrustedUrl(engine, verificationCallbackUrl)
      requireLongEnough(input.password)
      requireSignUps(engine)
      requireChallenge(engine, input)
      requireFreeAuthEmail(engine, normalizeEmail(input.email))
      const screened = await screenSignUp(engine, { email: input.email, authMethod: 'password' })
      const hash = await hashPassword(input.password, passwordCost)
      const user = signUpUser(engine, current, {
        ...screened,
        password: hash,
        email: { value: input.email, isVerified: false, usedForAuth: true },
      })
      const channel = primaryChannelOf(tables, user.id)
      if (channel && verificationCallbackUrl !== undefined)
        await sendVerification(engine, channel, verificationCallbackUrl, { inBackground: true })
      return signIn(engine, user, origin)
    },
  ),

  serve(passwordSignIn, { body: { email: laxEmail, password } }, async ({ engine, input, origin }) => {
    const { tables, passwordCost } = engine
    requirePasswords(engine)
    const channel = authChannelOf(engine, input.email)
    const user = channel && tables.users.get(channel.userId)
    const isRight = await checkPassword(input.password, user?.password ?? null, passwordCost)
    if (!user || !isRight) throw known('EMAIL_PASSWORD_MISMATCH', 'Wrong e-mail address or password.')
    requireSecondFactor(engine, user)
    return signIn(engine, user, origin)
  }),

  serve(
    reset.sendResetCode,
    { body: { email: laxEmail, callbackUrl: absoluteUrl }, takesMillis: [2000, 3000] },
    async ({ engine, input }) => {
      requirePasswords(engine)
      const channel = authChannelOf(engine, input.email)
      if (channel) {
        requireTrustedUrl(engine, input.callbackUrl)
        const code = createCode(engine, 'password-reset', { userId: channel.userId })
        await send(engine, 'password_reset', channel.value, code, {
          userDisplayName: nameOf(engine, channel.userId),
          passwordResetLink: withCode(input.callbackUrl, code),
        })
      }
      return { success: nonCommittal }
    },
  ),

  serve(reset.checkResetCode, { body: { code } }, checking('password-reset')),

  serve(reset.resetPasswordByCode, { body: { code, password } }, async ({ engine, input }) => {
    const { userId = '' } = consumeCode(engine, 'password-reset', input.code)
    requirePasswords(engine)
    requireLongEnough(input.password)
    await replacePassword(engine, userId, input.password)
  }),

  serve(
    reset.changePassword,
    { requires: ['user'], body: { oldPassword: password, newPassword: password } },
    async ({ engine, caller, input, headers }) => {
      requirePasswords(engine)
      requireLongEnough(input.newPassword)
      const current = requireOwnUser(caller)
      if (current.password === null) throw known('USER_DOES_NOT_HAVE_PASSWORD', 'The user has no password to change.')
      if (!(await checkPassword(input.oldPassword, current.password, engine.passwordCost)))
        throw known('PASSWORD_CONFIRMATION_MISMATCH', 'The old password is wrong.')
      await replacePassword(engine, current.id, input.newPassword, headers.get('x-stack-refresh-token'))
    },
  ),

  serve(reset.addPassword, { requires: ['user'], body: { password } }, async ({ engine, caller, input }) => {
    requirePasswords(engine)
    requireLongEnough(input.password)
    const { id } = requireOwnUser(caller)
    const hash = await hashPassword(input.password, engine.passwordCost)
    const current = engine.tables.users.get(id)
    if (!current || current.password !== null) throw plain(400, 'The user has a password already; change it instead.')
    engine.tables.users.patch(id, { password: hash })
  }),
]
