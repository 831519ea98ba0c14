import { eitherOf } from '../../core/signals'
import { fromOutside } from '../../core/tap'
import { failed, succeeded, withoutValue, type Result } from '../../core/result'
import { abortError, unlessAborted, isAuthError, type AuthErrorOf } from '../../errors/auth-error'
import { anyUser$ } from '../../entities/users/client'
import { coreOf, tellCall } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import type { CodeError } from '../../entities/mailed-code'
import { firstFactor } from '../first-factor'
import { sessionStart } from '../session-start'
import { signInsOf } from '../sign-ins'
import {
  browserPasskeys,
  ceremonyError,
  optionsFor,
  siteOf,
  passkeySignIn,
  registerPasskeyCredential,
  startPasskeyRegistration,
  startPasskeySignIn,
} from './authenticator'
import type { PasskeyAuthenticator, PasskeyCeremony, PasskeyInput, Site } from './authenticator'
import { signalsOf } from './signals'
import { passkeyTurns } from './turns'
import type { SignedIn } from '../answers'

export const startRegistration = mutation(startPasskeyRegistration, { refreshes: () => [] })
export const register = mutation(registerPasskeyCredential, { refreshes: () => [anyUser$] })
export const start = mutation(startPasskeySignIn, { refreshes: () => [] })
const signIn = sessionStart(passkeySignIn)

type RegistrationError =
  | CodeError
  | 'PASSKEY_REGISTRATION_FAILED'
  | 'PASSKEY_AUTHENTICATION_FAILED'
  | 'PASSKEY_WEBAUTHN_ERROR'

/** The error codes of a sign-in by passkey. */
export type PasskeySignInError =
  | CodeError
  | 'PASSKEY_AUTHENTICATION_FAILED'
  | 'PASSKEY_WEBAUTHN_ERROR'
  | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'

/**
 * Creates a passkey for the signed-in user, replacing an existing one.
 *
 * PASSKEY_WEBAUTHN_ERROR: the user or the browser refused; `details.code` is the browser's name for it (`NotAllowedError`).
 * PASSKEY_REGISTRATION_FAILED and …_AUTHENTICATION_FAILED: the platform refused; it accepts passkeys of trusted domains
 * only, written without path or slash. A VERIFICATION_… error: it took longer than 65 seconds.
 *
 * Call it in a click: browsers require one.
 *
 * @example
 * const result = await app.registerPasskey()
 * if (!result.ok) console.log(result.error.message)
 */
export async function registerPasskey(
  kit: Kit,
  input: PasskeyInput = {},
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<RegistrationError>>> {
  const { session } = coreOf(kit)
  const { authenticator, site } = setUp(kit, input)
  const signals = signalsOf(kit, authenticator, site)
  return passkeyTurns(kit).press(async () => {
    const { optionsJson, code } = await startRegistration(kit, options)
    const { owner } = session.identity
    const end = signals.registering()
    let registered: object | undefined
    try {
      const made = await ceremony(kit, options, signal =>
        authenticator.create(optionsFor(site.hostname, optionsJson), { ...site, signal }),
      )
      if (!made.ok) return made
      // Another user may have signed in during the ceremony.
      session.assertPresent(owner)
      const result = await register(kit, { credential: made.value, code }, options)
      if (result.ok) registered = made.value
      return withoutValue(result)
    } finally {
      end(registered)
    }
  })
}

/**
 * Signs in with a passkey of this site, chosen in the browser's dialog. Errors as in `registerPasskey`. Call it in a click.
 *
 * @example
 * const result = await app.signInWithPasskey()
 * await app.navigateAfterAuth(result)
 */
export async function signInWithPasskey(
  kit: Kit,
  input: PasskeyInput = {},
  options?: CallOptions,
): Promise<Result<SignedIn, AuthErrorOf<PasskeySignInError>>> {
  const { authenticator, site } = setUp(kit, input)
  return passkeyTurns(kit).press(() => passkeyFactor(kit, authenticator, site, options))
}

/** The authenticator and the site of a call, by the app's options where the input names none. */
export function setUp(
  kit: Kit,
  input: PasskeyInput,
): { readonly authenticator: PasskeyAuthenticator; readonly site: Site } {
  const { navigation } = coreOf(kit)
  const passkeys = optionOf(kit)
  const { authenticator = passkeys.authenticator ?? browserPasskeys, hostname = passkeys.hostname } = input
  return { authenticator, site: siteOf({ ...(hostname !== undefined && { hostname }) }, navigation.href()) }
}

/** The first factor itself; `alone`: an abort ends the ceremony, and not the sign-in after it. */
export function passkeyFactor(
  kit: Kit,
  authenticator: Pick<PasskeyAuthenticator, 'get' | 'signal'>,
  site: Site,
  options: CallOptions | undefined,
  alone?: Pick<PasskeyCeremony, 'autofill'>,
): Promise<Result<SignedIn, AuthErrorOf<PasskeySignInError>>> {
  tellCall(kit, 'passkeyFactor', options)
  return firstFactor<AuthErrorOf<PasskeySignInError>>(kit, {
    method: 'passkey',
    isByHand: !alone?.autofill,
    signal: options?.signal,
    run: async turn => {
      const { optionsJson, code } = await start(kit, options)
      const get = (signal: AbortSignal) =>
        authenticator.get(optionsFor(site.hostname, optionsJson), { ...site, ...alone, signal })
      const answer = await ceremony(kit, options, get, alone?.autofill)
      if (!answer.ok) return answer
      // A password may have been typed while the form offered the passkey.
      Object.assign(turn, signInsOf(kit).begin('passkey'))
      const signals = signalsOf(kit, authenticator, site)
      const since = coreOf(kit).clock.now()
      // From here on the sign-in takes effect even if the caller aborts.
      const result = await signIn(kit, { authenticationResponse: answer.value, code }, alone ? undefined : options)
      if (result.ok) signals.proved(result.value.userId, answer.value, since)
      return result
    },
    // The button can be pressed again.
    isTypo: error => isAuthError(error, 'PASSKEY_WEBAUTHN_ERROR'),
  })
}

/** Errors of the authenticator are returned, unless the caller's abort or the kit's disposal caused them. */
async function ceremony(
  kit: Kit,
  options: CallOptions | undefined,
  run: (signal: AbortSignal) => Promise<object>,
  mayWait?: boolean,
): Promise<Result<object, AuthErrorOf<'PASSKEY_WEBAUTHN_ERROR'>>> {
  const { session, transport } = coreOf(kit)
  const { signal, release } = eitherOf(session.ended, options?.signal)
  try {
    // Password managers replace the browser's functions by some that never answer.
    const work = () => unlessAborted(Promise.resolve(run(signal)), signal)
    return succeeded(await fromOutside(transport.clock.tap, work, mayWait))
  } catch (error) {
    if (signal.aborted) throw abortError(signal)
    if (isAuthError(error)) throw error
    return failed(ceremonyError(error))
  } finally {
    release()
  }
}

function optionOf(kit: Kit): PasskeyInput {
  return coreOf(kit).passkeys
}

/** Signals what becomes known before the first call with passkeys, where the browser or the app's authenticator takes signals. */
export function watchPasskeys(kit: Kit): void {
  const { authenticator = browserPasskeys, hostname } = optionOf(kit)
  if (!authenticator.signal || (hostname === undefined && coreOf(kit).navigation.href() === undefined)) return
  const { site } = setUp(kit, {})
  signalsOf(kit, authenticator, site)
}
