import type { AnyAuthError } from 'rxauth'

/** What to tell a person. Known errors by their code; a message is for developers. */
export function wordsFor(error: AnyAuthError): string {
  switch (error.code) {
    case 'EMAIL_PASSWORD_MISMATCH':
      return 'Wrong e-mail or password.'
    case 'USER_EMAIL_ALREADY_EXISTS':
      return 'There is an account with this e-mail already. Sign in instead?'
    case 'PASSWORD_TOO_SHORT':
      return `The password is too short: use at least ${error.details.minLength} characters.`
    case 'PASSWORD_TOO_LONG':
      return `The password is too long: use at most ${error.details.maxLength} characters.`
    case 'MULTI_FACTOR_AUTHENTICATION_REQUIRED':
      return 'This account asks for a second factor, which this example does not have yet.'
    case 'NETWORK_ERROR':
      return error.details.offline ? 'You are offline. Try again when you are back.' : 'The platform cannot be reached.'
    case 'TIMED_OUT':
      return 'The platform did not answer in time. Please try again.'
    case 'RATE_LIMITED':
      return 'Too many attempts. Please wait a moment.'
    case 'INVALID_INPUT':
    case 'SCHEMA_ERROR':
      return 'The platform does not accept this. Please check what you have entered.'
    default:
      return `Something went wrong (${error.code}). Please try again.`
  }
}
