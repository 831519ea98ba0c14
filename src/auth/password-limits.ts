import { AuthError } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'

/** The platform refuses more, as a request of a wrong form, wherever a password stands. */
const maxUnits = 70
const maxBytes = 71

/** Why a password is not taken; the family where the platform says no more. */
export type PasswordRefusal = 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | 'PASSWORD_REQUIREMENTS_NOT_MET'

/** Whether nobody can have this password. Decided here: the platform would not say what is wrong, or fail. */
export function isOverlong(kit: Kit<never>, password: string): boolean {
  coreOf(kit).assertAlive()
  // What is no text is refused like any other wrong input.
  if (typeof password !== 'string') return false
  return password.length > maxUnits || new TextEncoder().encode(password).length > maxBytes
}

/**
 * Why a new password is refused before a request, if it is: by the kit's own `passwordLimits`, which count characters, or
 * because the platform takes none that is so long. A person has chosen it, so that it is a value.
 */
export function refusalOfPassword(
  kit: Kit<never>,
  password: string,
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
    return new AuthError('PASSWORD_TOO_LONG', `the password may have ${max} characters at most`, {
      details: { maxLength: max },
    })
  if (!overlong) return null
  return new AuthError(
    'PASSWORD_TOO_LONG',
    `the password is longer than the platform takes: ${maxUnits} characters, and ${maxBytes} bytes in UTF-8`,
    { details: { maxLength: maxUnits } },
  )
}
