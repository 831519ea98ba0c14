import { base32, totpCode, totpStepMillis } from '../core/totp'
import { pastedCode } from '../core/urls'
import { failed, succeeded, type Result } from '../core/result'
import { fromOutside } from '../core/tap'
import { wellFormed } from '../core/values'
import { abortError, AuthError, given, developerError, misuse, type AuthErrorOf } from '../errors/auth-error'
import { anyUser$, updateUser } from '../entities/users/client'
import { project$ } from '../entities/projects/client'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/write/effects'

/** RFC 4226: as long as the hash. */
const secretBytes = 20
/** For secrets of the app's own. */
const maxSecretBytes = 1024

/** The data for an authenticator app. Nothing is saved before `enableTotp`. */
export interface TotpEnrolment {
  readonly secret: Uint8Array
  /** `otpauth://totp/…`: the content of the QR code. */
  readonly uri: string
  /** The secret for typing: RFC 4648 base32, without padding. */
  readonly base32: string
}

/**
 * A new secret for an authenticator app of the signed-in user: 20 random bytes, six digits every 30 seconds, labelled with
 * the project and the user's address, else id. Throws USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const { uri, base32 } = await app.startTotpEnrolment()
 * console.log(`Scan ${uri} or type ${base32}.`)
 */
export async function startTotpEnrolment(kit: Kit, options: CallOptions = {}): Promise<TotpEnrolment> {
  const [user, project] = await Promise.all([anyUser$(kit).get(options), project$(kit).get(options)])
  if (!user)
    throw developerError('USER_AUTHENTICATION_REQUIRED', 'no user is signed in to enrol an authenticator', {
      what: 'no user is signed in',
    })
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
  const [issuer, account] = [project.displayName, user.primaryEmail ?? user.id].map(labelPart)
  const text = base32(secret)
  const query = `issuer=${issuer}&algorithm=SHA1&secret=${text}&period=${totpStepMillis / 1000}&digits=6`
  return { secret, uri: `otpauth://totp/${issuer}:${account}?${query}`, base32: text }
}

/** A part of an authenticator's label, in which a colon is between the parts, also in percent-encoding. */
function labelPart(text: string): string {
  const parts = text.split(':').map(part => part.trim())
  return encodeURIComponent(wellFormed(parts.filter(Boolean).join(' ')))
}

/**
 * Requires a second factor at every sign-in from now on. `totp`: the digits that the authenticator shows for `secret`.
 *
 * The platform accepts any secret without digits, and a mistake would lock the user out. The digits are therefore checked
 * here first, and INVALID_TOTP_CODE is returned before a request. Digits of the step before and after count too.
 *
 * @example
 * const { secret } = await app.startTotpEnrolment()
 * const result = await app.enableTotp({ secret, totp: '123456' })
 */
export async function enableTotp(
  kit: Kit,
  input: { readonly secret: Uint8Array; readonly totp: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<'INVALID_TOTP_CODE'>>> {
  const signal = options?.signal
  if (signal?.aborted) throw abortError(signal)
  const { secret } = given(input)
  const length = ArrayBuffer.isView(secret) ? secret.length : 0
  if (length === 0 || length > maxSecretBytes)
    throw misuse('secret', `must have 1 to ${maxSecretBytes} bytes, not ${length}`)
  const isRight = () => isShown(kit, secret, input.totp)
  if (!(await isRight()) && !((await learnsTime(kit, options)) && (await isRight())))
    return failed(new AuthError('INVALID_TOTP_CODE', 'these digits do not belong to this secret, or are too old'))
  await updateUser(kit, { totpSecretBase64: btoa(String.fromCharCode(...secret)) }, options)
  return succeeded(undefined)
}

/**
 * Removes the second factor from sign-ins.
 *
 * @example
 * await app.disableTotp()
 */
export async function disableTotp(kit: Kit, options?: CallOptions): Promise<void> {
  await updateUser(kit, { totpSecretBase64: null }, options)
}

/**
 * Refreshes to learn the platform's time, if it is not known yet: this machine's clock may be wrong, and a new access token
 * reveals it.
 */
async function learnsTime(kit: Kit, { signal }: CallOptions = {}): Promise<boolean> {
  const { session } = coreOf(kit)
  const { accessToken, refreshToken } = session.tokens ?? {}
  if (session.serverClock.isKnown || !accessToken || !refreshToken) return false
  session.refused(accessToken)
  await session.tokensFor(session.identity.owner, signal)
  return session.serverClock.isKnown
}

async function isShown(kit: Kit, secret: Uint8Array, totp: unknown): Promise<boolean> {
  if (typeof totp !== 'string') throw misuse('totp', 'must be a text of six digits')
  // The platform checks by its own time.
  const { session, transport } = coreOf(kit)
  const now = session.serverClock.now()
  return fromOutside(transport.clock.tap, async () => {
    const shown = await Promise.all([-1, 0, 1].map(step => totpCode(secret, now + step * totpStepMillis)))
    return shown.includes(pastedCode(totp))
  })
}
