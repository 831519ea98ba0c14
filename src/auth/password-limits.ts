import { invalidInput } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'

/** Throws INVALID_INPUT, before a request, if the password breaks the kit's own `passwordLimits`; they count characters. */
export function checkPassword(kit: Kit<never>, field: string, password: string): void {
  const { min = 0, max = Infinity } = coreOf(kit).passwordLimits
  // What is no text is refused like any other wrong input.
  if (typeof password !== 'string') return
  const { length } = Array.from(password)
  if (length < min) throw invalidInput(field, `must have at least ${min} characters`)
  if (length > max) throw invalidInput(field, `must have at most ${max} characters`)
}
