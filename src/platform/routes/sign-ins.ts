import { anonymousSignUp } from '../../sign-in/anonymous'
import { createUser, authChannelOf, existsAlready } from '../directory/users'
import { grantingDefaults } from '../directory/permissions'
import { hostedFailure, known, plain, refuse } from '../model/refusal'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'
import { mfaSignIn } from '../../sign-in/second-factor'
import { code, absoluteUrl, shortEmail, strictEmail } from '../model/limits'
import {
  isTotpCode,
  checking,
  lookUpCode,
  markUsed,
  requireSecondFactor,
  codeNotFound,
  consumeCode,
  createCode,
} from '../directory/verification-codes'
import { checkSignInCode, codeSignIn, sendSignInCode } from '../../sign-in/magic-link'
import type { Engine } from '../model/engine'
import { send, withCode } from '../mail/mail'
import { signUpUser, challengeFields, requireChallenge, requireSignUps, screenSignUp } from '../directory/sign-up'
import { typedLength } from '../model/sessions'
import { normalizeEmail, type UserRow } from '../model/users'
import { requireTrustedUrl } from '../directory/trusted-url'

/** The last version of @stackframe/stack that supports only the link of a sign-in mail. */
const lastWithLinksOnly = '2.5.37'

/** Whether the calling app supports only the link of a sign-in mail, by its header `x-stack-client-version`. */
function knowsLinksOnly(headers: Headers): boolean {
  const sent = headers.get('x-stack-client-version') ?? ''
  const [, version] = /^\w+\s+@stackframe\/stack@([\d.]+)$/.exec(sent) ?? []
  return version !== undefined && version.localeCompare(lastWithLinksOnly, 'en', { numeric: true }) <= 0
}

export const routes = [
  serve(
    sendSignInCode,
    {
      body: { email: strictEmail, callbackUrl: absoluteUrl },
      newer: { body: { ...challengeFields, email: shortEmail } },
    },
    async ({ engine, input, headers }) => {
      if (!engine.settings.magicLinkEnabled)
        throw plain(403, 'This project does not have sign-in by e-mailed code: switch on magicLinkEnabled.')
      requireTrustedUrl(engine, input.callbackUrl)
      const user = userToSignIn(engine, input.email)
      // A sign-up is challenged when the mail is requested, not when its code is used.
      if (!user) requireChallenge(engine, input)
      if (user) engine.tables.users.patch(user.id, { otpAuthEnabled: true })
      const code = createCode(engine, 'magic-link', { email: input.email })
      const typed = code.slice(0, typedLength).toUpperCase()
      const linkOnly = knowsLinksOnly(headers)
      await send(engine, 'magic_link', normalizeEmail(input.email), linkOnly ? code : typed, {
        userDisplayName: user?.displayName || undefined,
        ...(!linkOnly && { otp: typed }),
        magicLink: withCode(input.callbackUrl, code),
      })
      return { nonce: code.slice(typedLength) }
    },
  ),

  serve(checkSignInCode, { body: { code } }, checking('magic-link')),

  serve(codeSignIn, { body: { code } }, async ({ engine, caller: { user: current }, input, origin }) => {
    const { email = '', userId } = consumeCode(engine, 'magic-link', input.code)
    // A link from the console signs in as that user: no address is verified, and no second factor is needed.
    if (userId !== undefined) {
      const chosen = engine.tables.users.get(userId) ?? refuse(codeNotFound())
      return { ...(await signIn(engine, chosen, origin)), isNewUser: false }
    }
    const known = userToSignIn(engine, email)
    const user = known
      ? engine.tables.users.patch(known.id, { otpAuthEnabled: true })
      : signUpUser(engine, current, {
          ...(await screenSignUp(engine, { email, authMethod: 'otp' })),
          otpAuthEnabled: true,
          email: { value: email, isVerified: true, usedForAuth: true },
        })
    requireSecondFactor(engine, user)
    return { ...(await signIn(engine, user, origin)), isNewUser: !known }
  }),

  serve(anonymousSignUp, {}, ({ engine, origin }) => {
    const { keepsAnonymousUsers } = engine.rules
    if (!keepsAnonymousUsers && !engine.settings.anonymousSignUpEnabled)
      throw known(
        'ANONYMOUS_ACCOUNTS_NOT_ENABLED',
        'This project does not have anonymous users: switch on anonymousSignUpEnabled.',
      )
    const displayName = keepsAnonymousUsers ? null : 'Anonymous user'
    const user = grantingDefaults(() => createUser(engine, { displayName, isAnonymous: true }))
    return signIn(engine, user, origin)
  }),

  serve(mfaSignIn, { body: { code } }, async ({ engine, input, origin }) => {
    const { tables, clock } = engine
    const attempt = lookUpCode(engine, 'mfa-attempt', input.code)
    const user = tables.users.get(attempt.subject.userId ?? '') ?? refuse(hostedFailure('The user has been deleted.'))
    const secret = user.totpSecretBase64
    // A wrong code keeps the attempt, unlike for other codes: users mistype six digits.
    if (secret === null || !(await isTotpCode(secret, input.totp, clock.now())))
      throw known('INVALID_TOTP_CODE', 'The six digits are wrong, or no longer valid.')
    markUsed(engine, attempt)
    return { ...(await signIn(engine, user, origin)), isNewUser: false }
  }),
]

/**
 * The user that signs in with the address; null if signing in creates one. Throws if neither is possible.
 *
 * The reference release compares the address case-sensitively: with another case it counts as new, and creating its user
 * then fails because the address is taken.
 */
function userToSignIn(engine: Engine, email: string): UserRow | null {
  const channel = authChannelOf(engine, email)
  const user = channel && engine.tables.users.get(channel.userId)
  if (user && !channel.isVerified) throw existsAlready(engine, email, true)
  if (user) return user
  requireSignUps(engine)
  return null
}
