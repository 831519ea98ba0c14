import { failed, succeeded, type Result } from '../../core/result'
import { abortError, unlessAborted, invalidResponse, given, developerError, isAuthError } from '../../errors/auth-error'
import type { AnyAuthError, AuthError } from '../../errors/auth-error'
import { userIn } from '../../sign-in/user-from-token'
import { anyUser$ } from '../../entities/users/client'
import type { Owner } from '../../transport/access-token'
import { coreOf, type Core } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { attemptsOf, checkedConfirmation, type Confirmation, type ConfirmInput } from './attempts'
import { drop, keepForAWhile, lifeOf, kitBeside, type Life } from './life'
import { pastedCode } from '../../core/urls'
import { signInWithMagicLink } from '../../sign-in/magic-link'
import { throughPopup } from '../../sign-in/oauth/popup'
import { assertEnabled, wireProviderId } from '../../sign-in/oauth/start'
import type { PasskeyAuthenticator } from '../../sign-in/passkey/authenticator'
import { passkeyFactor, setUp } from '../../sign-in/passkey/passkey'
import { passkeyTurns } from '../../sign-in/passkey/turns'
import { signInWithPassword } from '../../sign-in/password/password'
import { signInsOf } from '../../sign-in/sign-ins'
import { continueSignIn } from '../../sign-in/second-factor'

/**
 * "Confirm it is you", before something that an unlocked screen must not allow: signs the same user in once more, beside the
 * session, and returns the access token of that second session as `confirmation`. Send it to your backend at once, which calls
 * `confirmed` of `rxauth/server`. The session, the stores and the cookies of `kit` stay as they are.
 *
 * A user with a second factor needs `totp`: without it, MULTI_FACTOR_AUTHENTICATION_REQUIRED is returned. Call again with the
 * same input and `totp`; a mailed code, a passkey or a provider is not asked for again, for five minutes.
 *
 * A passkey has to verify its user; PASSKEY_WEBAUTHN_ERROR is returned for a security key that cannot. A password manager may
 * fill in a password, and a provider may answer without asking: the documentation says what each method proves.
 *
 * ANOTHER_USER is returned if the passkey, the mail or the account is another user's; that session is ended at once. Other
 * errors are those of the sign-in: EMAIL_PASSWORD_MISMATCH, PASSKEY_WEBAUTHN_ERROR and so on, and USER_DOES_NOT_HAVE_PASSWORD.
 * Throws USER_AUTHENTICATION_REQUIRED while signed out and for an anonymous user, SESSION_CHANGED if the user signs out or
 * another one signs in meanwhile. With 'passkey' and 'oauth-popup', call it in the click.
 *
 * The second session ends after 60 s, when this one does, when the page is left, and with the kit.
 *
 * @example
 * const result = await confirmIdentity(app, { method: 'password', password: 'correct horse' })
 * if (result.ok) await app.fetch('/api/account', { method: 'DELETE', headers: { 'x-confirmation': result.value.confirmation } })
 */
export async function confirmIdentity(
  kit: Kit,
  input: Confirmation & { readonly totp?: string },
  options: CallOptions = {},
): Promise<Result<{ readonly confirmation: string }, AnyAuthError>> {
  const core = coreOf(kit)
  core.assertAlive()
  const { signal } = options
  if (signal?.aborted) throw abortError(signal)
  const asked = checkedConfirmation(given(input))
  const beside = kitBeside(core)
  const attempts = attemptsOf(kit)
  // Ends the dialog or the popup as soon as this call ends.
  const over = new AbortController()
  const first = () => firstFactor(kit, beside, asked, { signal: over.signal })
  // Before anything asynchronous, which would use up the click.
  const popup = asked.method === 'oauth-popup' && !attempts.has(asked) ? first() : undefined
  popup?.catch(() => undefined)
  let step: Promise<unknown> = Promise.resolve()
  let life: Life | undefined
  let isKept = false
  try {
    const owner = await unlessAborted(presentUser(kit, core, options), signal)
    life = lifeOf(core, owner)
    const run = bothFactors(kit, beside, asked, owner, popup ? () => popup : first)
    step = run
    const result = await unlessAborted(unlessAborted(run, life.gone), signal)
    if (!result.ok) return result
    // Another tab may have signed in another user.
    await core.session.capture()
    core.session.assertPresent(owner)
    const { identity, tokens } = coreOf(beside).session
    if (identity.userId !== core.session.identity.userId) return failed(anotherUser())
    if (!tokens?.accessToken) throw invalidResponse('access_token', 'the sign-in returned no access token')
    isKept = true
    keepForAWhile(core, beside, life)
    return succeeded({ confirmation: tokens.accessToken })
  } finally {
    if (!isKept) {
      over.abort()
      life?.end()
      drop(core, beside, popup ? Promise.resolve() : step)
    }
  }
}

/** The owner of the signed-in user's session; a bare refresh token is used first, since it does not tell whose it is. */
async function presentUser(kit: Kit, { session }: Core, options: CallOptions): Promise<Owner> {
  const tokens = await session.current(undefined, options.signal)
  const user = userIn(tokens?.accessToken ?? '')
  const { owner } = session.identity
  // A token of release 2.8.18 cannot say it.
  const known = user && user.isAnonymous === undefined ? await anyUser$(kit).get(options) : user
  if (!known || known.isAnonymous) throw notSignedIn()
  return owner
}

function anotherUser(): AuthError<'ANOTHER_USER'> {
  return developerError(
    'ANOTHER_USER',
    'this is the sign-in of another user than the signed-in one; the present session stays as it is',
  )
}

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
