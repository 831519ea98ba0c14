import { base32 } from '../core/base32'
import { failed, succeeded } from '../core/result'
import type { Result } from '../core/result'
import { totpCode, totpStepMillis } from '../core/totp'
import { abortError } from '../errors/abort'
import { AuthError, invalidInput } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { anyUser$, updateUser } from '../resources/current-user'
import { project$ } from '../resources/project'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'

/** RFC 4226: as long as the hash. */
const secretBytes = 20
/** A secret may come from elsewhere, but not from nowhere. */
const maxSecretBytes = 1024

/**
 * What an authenticator app needs to know. Nothing is saved before `enableTotp`.
 *
 * @example
 * const words = ({ base32 }: TotpEnrolment) => base32.match(/.{4}/g)?.join(' ')
 */
export interface TotpEnrolment {
  readonly secret: Uint8Array
  /** `otpauth://totp/…`: the content of the QR code. */
  readonly uri: string
  /** The secret as people type it: RFC 4648 base32, without padding. */
  readonly base32: string
}

/**
 * A new secret for an authenticator app of the signed-in user: 20 random bytes, six digits every 30 seconds, named after the
 * project and the user's address, else id. Throws USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const { uri, base32 } = await app.startTotpEnrolment()
 * console.log(`Scan ${uri} or type ${base32}.`)
 */
export async function startTotpEnrolment(kit: Kit, options: CallOptions = {}): Promise<TotpEnrolment> {
  const [user, project] = await Promise.all([anyUser$(kit).get(options), project$(kit).get(options)])
  if (!user) throw new AuthError('USER_AUTHENTICATION_REQUIRED', 'nobody is signed in who could enrol an authenticator')
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
  const [issuer, account] = [project.displayName, user.primaryEmail ?? user.id].map(encodeURIComponent)
  const text = base32(secret)
  const query = `issuer=${issuer}&algorithm=SHA1&secret=${text}&period=${totpStepMillis / 1000}&digits=6`
  return { secret, uri: `otpauth://totp/${issuer}:${account}?${query}`, base32: text }
}

/**
 * Asks for a second factor at every sign-in from now on. `totp` are the digits that the authenticator shows for `secret`.
 *
 * The platform takes any secret without asking for digits, and a mistake would lock the user out; so they are checked here
 * first, and INVALID_TOTP_CODE comes back before anything is sent. Digits of the step before and after count too.
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
  const { secret } = input
  const { length } = secret
  if (length === 0 || length > maxSecretBytes)
    throw invalidInput('secret', `must have 1 to ${maxSecretBytes} bytes, not ${length}`)
  const isRight = () => isShown(kit, secret, input.totp)
  if (!(await isRight()) && !((await learnsTime(kit, options)) && (await isRight())))
    return failed(new AuthError('INVALID_TOTP_CODE', 'these digits do not belong to this secret, or are too old'))
  await updateUser(kit, { totpSecretBase64: btoa(String.fromCharCode(...secret)) }, options)
  return succeeded(undefined)
}

/**
 * Signs in without a second factor from now on.
 *
 * @example
 * await app.disableTotp()
 */
export async function disableTotp(kit: Kit, options?: CallOptions): Promise<void> {
  await updateUser(kit, { totpSecretBase64: null }, options)
}

/**
 * Whether the platform's time has become known: the clock of this machine may be wrong, and nothing may have told so yet. A
 * new access token does.
 */
async function learnsTime(kit: Kit, { signal }: CallOptions = {}): Promise<boolean> {
  const { session } = coreOf(kit)
  const { accessToken, refreshToken } = session.tokens ?? {}
  if (session.skew.isKnown || !accessToken || !refreshToken) return false
  session.refused(accessToken)
  await session.tokensFor(session.identity, signal)
  return session.skew.isKnown
}

async function isShown(kit: Kit, secret: Uint8Array, totp: unknown): Promise<boolean> {
  if (typeof totp !== 'string') throw invalidInput('totp', 'must be a text of six digits')
  // The platform's time is the one that will count.
  const now = coreOf(kit).session.skew.now()
  const shown = await Promise.all([-1, 0, 1].map(step => totpCode(secret, now + step * totpStepMillis)))
  return shown.includes(totp.replace(/\s/g, ''))
}
