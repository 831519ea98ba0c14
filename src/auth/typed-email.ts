import { invalidInput } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'

/** What the platform demands at least of an address that is about to sign in: one @, and a domain with a dot. */
const form = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/

/** Why a typed address is refused before a request, if it is: the platform would answer an error of the request's form. */
export function refusalOfEmail(email: string): AuthErrorOf<'INVALID_INPUT'> | null {
  // What is no text is refused like any other wrong input.
  if (typeof email !== 'string' || form.test(email.trim())) return null
  return invalidInput('email', 'is no e-mail address: it needs a name, an @ and a domain with a dot')
}
