import { checkSignInCode, codeSignIn, sendSignInCode } from '../../sign-in/magic-link'
import { authChannelOf, existsAlready } from '../directory/accounts'
import type { Engine } from '../model/engine'
import { absoluteUrl, code, shortEmail, strictEmail } from '../model/limits'
import { sendMagicLink } from '../mail/mail'
import { knowsLinksOnly } from './old-apps'
import { known, plain } from '../model/refusal'
import { requireSecondFactor } from '../directory/second-factor'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'
import { signUpUser } from '../directory/sign-up'
import { challengeFields, requireChallenge, screenSignUp } from '../directory/sign-up-screen'
import { typedLength } from '../model/code-tables'
import type { ProjectRow } from '../model/projects'
import type { UserRow } from '../model/user-tables'
import { requireTrustedUrl } from '../directory/trusted-url'
import { codeNotFound, consumeCode, lookUpCode } from '../directory/verification-codes'

export const magicLinkRoutes = [
  serve(
    sendSignInCode,
    {
      body: { email: strictEmail(), callbackUrl: absoluteUrl() },
      newer: { body: { ...challengeFields, email: shortEmail() } },
    },
    ({ engine, caller: { project }, input, headers }) => {
      if (!project.config.magicLinkEnabled)
        throw plain(403, 'This project does not have sign-in by e-mailed code: switch on magicLinkEnabled.')
      requireTrustedUrl(engine, input.callbackUrl, project)
      const user = userToSignIn(engine, project, input.email)
      // A sign-up is challenged when the mail is requested, not when its code is used.
      if (!user) requireChallenge(engine, project, input)
      if (user) engine.tables.users.patch(user.id, { otpAuthEnabled: true })
      const linkOnly = knowsLinksOnly(headers)
      const code = sendMagicLink(engine, project, input.email, input.callbackUrl, { linkOnly })
      return { nonce: code.slice(typedLength) }
    },
  ),

  serve(checkSignInCode, { body: { code: code() } }, ({ engine, input }) => {
    lookUpCode(engine, 'magic-link', input.code)
    return { isCodeValid: true as const }
  }),

  serve(
    codeSignIn,
    { body: { code: code() } },
    async ({ engine, caller: { project, user: current }, input, origin }) => {
      const { email = '', userId } = consumeCode(engine, 'magic-link', input.code)
      // A link from the console signs in as that user: no address is verified, and no second factor is needed.
      if (userId !== undefined) {
        const chosen = engine.tables.users.get(userId)
        if (!chosen) throw codeNotFound()
        return { ...(await signIn(engine, chosen, origin)), isNewUser: false }
      }
      const known = userToSignIn(engine, project, email)
      const user = known
        ? engine.tables.users.patch(known.id, { otpAuthEnabled: true })
        : signUpUser(engine, project, current, {
            ...screenSignUp(engine, project, { email, authMethod: 'otp' }),
            otpAuthEnabled: true,
            email: { value: email, isVerified: true, usedForAuth: true },
          })
      requireSecondFactor(engine, user)
      return { ...(await signIn(engine, user, origin)), isNewUser: !known }
    },
  ),
]

/**
 * The user that signs in with the address; null if signing in creates one. Throws if neither is possible.
 *
 *  The reference release compares the address case-sensitively: with another case it counts as new, and creating its user
 * then fails because the address is taken.
 */
function userToSignIn(engine: Engine, project: ProjectRow, email: string): UserRow | null {
  const channel = authChannelOf(engine, email)
  const user = channel && engine.tables.users.get(channel.userId)
  if (user && !channel.isVerified) throw existsAlready(engine, email, true)
  if (user) return user
  if (!project.config.signUpEnabled)
    throw known('SIGN_UP_NOT_ENABLED', 'This project does not accept new users: switch on signUpEnabled.')
  return null
}
