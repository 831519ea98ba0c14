import { AuthError, type AuthErrorOf } from '../errors/auth-error'
import { coreOf, type Kit } from '../store/kit-parts'

/** The platform's limits for any password field, above which the request is malformed. */
const maxUnits = 70
const maxBytes = 71

/** Why a password is refused; the family if the platform does not say which. */
export type PasswordRefusal = 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | 'PASSWORD_REQUIREMENTS_NOT_MET'

/** Whether the password is too long to exist. Decided here: the platform would fail, or not say what is wrong. */
export function isOverlong(kit: Kit<never>, password: unknown): boolean {
  coreOf(kit).assertAlive()
  // Values of other types are left to the input's own check.
  if (typeof password !== 'string') return false
  return password.length > maxUnits || new TextEncoder().encode(password).length > maxBytes
}

/**
 * Why a new password is refused before a request: by the kit's `passwordLimits`, which count characters, or by the
 * platform's maximum. Returned as a value, since the user has chosen it.
 */
export function refusalOfPassword(
  kit: Kit<never>,
  password: unknown,
): AuthErrorOf<'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'> | null {
  const overlong = isOverlong(kit, password)
  if (typeof password !== 'string') return null
  const { min = 0, max = Infinity } = coreOf(kit).passwordLimits
  const { length } = Array.from(password)
  if (length < min)
    return new AuthError('PASSWORD_TOO_SHORT', `the password needs at least ${min} characters`, {
      details: { minLength: min },
    })
  if (length > max)
    return new AuthError('PASSWORD_TOO_LONG', `the password must have at most ${max} characters`, {
      details: { maxLength: max },
    })
  if (!overlong) return null
  return new AuthError(
    'PASSWORD_TOO_LONG',
    `the password is longer than the platform's limit of ${maxUnits} characters and ${maxBytes} bytes in UTF-8`,
    { details: { maxLength: maxUnits } },
  )
}
