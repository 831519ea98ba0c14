import { DEV } from '../core/dev'
import { invalidInput } from './auth-error'

/** The input of a call. Throws INVALID_INPUT where a call in JavaScript leaves it out. */
export function given<I>(input: I): I {
  if (input) return input
  throw invalidInput('input', DEV ? 'is missing: an object of named values' : '')
}
