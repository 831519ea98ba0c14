import { pastedCode } from '../../core/urls'
import { failed, type Result } from '../../core/result'
import { isAuthError, developerError, type AnyAuthError, type AuthError } from '../../errors/auth-error'
import { anyUser$ } from '../../entities/users/client'
import { signInWithMagicLink } from '../../sign-in/magic-link'
import { throughPopup } from '../../sign-in/oauth/popup'
import { assertEnabled, wireProviderId } from '../../sign-in/oauth/start'
import type { PasskeyAuthenticator } from '../../sign-in/passkey/authenticator'
import { passkeyFactor, setUp } from '../../sign-in/passkey/passkey'
import { passkeyTurns } from '../../sign-in/passkey/turns'
import { signInWithPassword } from '../../sign-in/password/password'
import { signInsOf } from '../../sign-in/sign-ins'
import { continueSignIn } from '../../sign-in/second-factor'
import type { Owner } from '../../transport/access-token'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { attemptsOf, type ConfirmInput } from './attempts'

type Signed = Result<unknown, AnyAuthError>

/** The first factor, in the session of `beside`. */
export async function firstFactor(kit: Kit, beside: Kit, asked: ConfirmInput, options: CallOptions): Promise<Signed> {
  switch (asked.method) {
    case 'password': {
      const user = await anyUser$(kit).get(options)
      if (!user || user.isAnonymous) throw notSignedIn()
      const { hasPassword, primaryEmail: email } = user
      if (!hasPassword || email === null)
        return failed(
          developerError(
            'USER_DOES_NOT_HAVE_PASSWORD',
            'the signed-in user has no password, or no address to sign in with',
          ),
        )
      return signInWithPassword(beside, { email, password: asked.password })
    }
    case 'passkey': {
      const { authenticator, site } = setUp(kit, asked)
      // The platform prefers it only, so that a touch of a key would do at an unlocked screen.
      const verifying: Pick<PasskeyAuthenticator, 'get'> = {
        get: (optionsJson, ceremony) =>
          authenticator.get({ ...(optionsJson as object), userVerification: 'required' }, ceremony),
      }
      // The session of a sign-in that was sent is ended when its answer comes.
      return passkeyTurns(kit).press(() => passkeyFactor(beside, verifying, site, options, {}))
    }
    case 'magic-link':
      return withMailedCode(kit, beside, asked)
    case 'oauth-popup':
      assertEnabled(kit, wireProviderId(asked.provider))
      return throughPopup(beside, { provider: asked.provider }, { isLink: false, isPopup: 'only' }, options)
  }
}

/** The mail was requested by the kit itself, whose flow waits for its code. */
async function withMailedCode(
  kit: Kit,
  beside: Kit,
  { code, nonce: asked }: ConfirmInput & { readonly method: 'magic-link' },
): Promise<Signed> {
  const signIns = signInsOf(kit)
  const turn = signIns.begin()
  const sent = signIns.nonce
  const nonce = asked ?? sent
  const result = await signInWithMagicLink(beside, { code, ...(nonce !== undefined && { nonce }) })
  const isUsed = result.ok || isAuthError(result.error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
  const text = pastedCode(code).toLowerCase()
  const isTheLast = sent !== undefined && (text.length > sent.length ? text.endsWith(sent) : sent === nonce)
  if (isUsed && isTheLast) signIns.end(turn, { status: 'idle' })
  return result
}

/** The first factor, unless it waits for its second one, and that. */
export async function bothFactors(
  kit: Kit,
  beside: Kit,
  asked: ConfirmInput,
  owner: Owner,
  first: () => Promise<Signed>,
): Promise<Signed> {
  const attempts = attemptsOf(kit)
  const kept = attempts.find(asked)
  const result = kept ? failed(kept.error) : await first()
  if (result.ok || !isAuthError(result.error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) return result
  if (!kept) attempts.keep(asked, owner, result.error)
  const { totp } = asked
  if (totp === undefined) return result
  const second = await continueSignIn(beside, { totp, attemptCode: result.error.details.attemptCode })
  if (second.ok || !isAuthError(second.error, 'INVALID_TOTP_CODE')) attempts.forget()
  return second
}

/** No user who could sign in again. */
export function notSignedIn(): AuthError<'USER_AUTHENTICATION_REQUIRED'> {
  return developerError(
    'USER_AUTHENTICATION_REQUIRED',
    'no user is signed in to be confirmed; an anonymous user has nothing to sign in with',
    { what: 'no user is signed in' },
  )
}
