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
      return 'One more step: the digits of your authenticator.'
    case 'PASSWORD_CONFIRMATION_MISMATCH':
      return error.status === undefined
        ? 'The two new passwords are not the same.'
        : 'The present password is not right.'
    case 'VERIFICATION_CODE_NOT_FOUND':
      return 'This code does not exist. Please check it, or ask for a new mail.'
    case 'VERIFICATION_CODE_EXPIRED':
      return 'This code is too old. Please ask for a new one.'
    case 'VERIFICATION_CODE_ALREADY_USED':
      return 'This code has been used already. Please ask for a new one.'
    case 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED':
      return 'This code was tried too often. Please ask for a new one.'
    case 'INVALID_TOTP_CODE':
      return 'These digits are not right. They change every 30 seconds.'
    case 'EMAIL_ALREADY_VERIFIED':
      return 'This address is verified already.'
    case 'SIGN_UP_NOT_ENABLED':
      return 'There is no account with this address, and no new ones are made.'
    case 'REDIRECT_URL_NOT_WHITELISTED':
      return 'This page is not one of the project, so no link can lead to it.'
    case 'PASSKEY_WEBAUTHN_ERROR':
      return 'The passkey was not used. You can try again.'
    case 'PASSKEY_REGISTRATION_FAILED':
    case 'PASSKEY_AUTHENTICATION_FAILED':
      return 'This passkey was not accepted.'
    case 'ANONYMOUS_ACCOUNTS_NOT_ENABLED':
      return 'One has to sign in here.'
    case 'OAUTH_PROVIDER_ACCESS_DENIED':
      return 'You have not been signed in: the provider was told no.'
    case 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER':
      return 'That account belongs to somebody else here already.'
    case 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION':
      return 'You have connected another account of this provider.'
    case 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE':
      return 'There is an account with this address already. Sign in to it first.'
    case 'OUTER_OAUTH_TIMEOUT':
    case 'INVALID_AUTHORIZATION_CODE':
      return 'That took too long. Please sign in again.'
    case 'USER_AUTHENTICATION_REQUIRED':
      return 'Please sign in first.'
    case 'CANNOT_DELETE_CURRENT_SESSION':
      return 'This is the session that you are using.'
    case 'REDIRECT_LOOP':
      return 'This page and the sign-in page send you back and forth. Does this browser keep cookies?'
    case 'ABORTED':
      return 'You have come back before it was done.'
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
