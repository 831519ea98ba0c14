import type { AnyAuthError } from 'rxauth'

/** The text for an error. Known errors have one by code; an error's own message is for developers. */
export function wordsFor(error: AnyAuthError): string {
  switch (error.code) {
    case 'EMAIL_PASSWORD_MISMATCH':
      return 'Wrong e-mail or password.'
    case 'USER_EMAIL_ALREADY_EXISTS':
      return 'An account with this e-mail address already exists.'
    case 'PASSWORD_TOO_SHORT':
      return `The password is too short: use at least ${error.details.minLength} characters.`
    case 'PASSWORD_TOO_LONG':
      return `The password is too long: use at most ${error.details.maxLength} characters.`
    case 'MULTI_FACTOR_AUTHENTICATION_REQUIRED':
      return 'Enter the code of your authenticator app.'
    case 'PASSWORD_CONFIRMATION_MISMATCH':
      return error.status === undefined ? 'The two passwords are not the same.' : 'Wrong current password.'
    case 'VERIFICATION_CODE_NOT_FOUND':
      return 'Wrong code. Check it, or ask for a new e-mail.'
    case 'VERIFICATION_CODE_EXPIRED':
      return 'This code has expired. Ask for a new e-mail.'
    case 'VERIFICATION_CODE_ALREADY_USED':
      return 'This code has been used already. Ask for a new e-mail.'
    case 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED':
      return 'There were too many attempts with this code. Ask for a new e-mail.'
    case 'INVALID_TOTP_CODE':
      return 'Wrong code. Codes change every 30 seconds.'
    case 'EMAIL_ALREADY_VERIFIED':
      return 'This address is verified already.'
    case 'SIGN_UP_NOT_ENABLED':
      return 'There is no account with this address, and new accounts cannot be created here.'
    case 'REDIRECT_URL_NOT_WHITELISTED':
      return 'Links in e-mails may not lead to this website. Please tell its owner.'
    case 'PASSKEY_WEBAUTHN_ERROR':
      return 'No passkey was used. You can try again.'
    case 'PASSKEY_REGISTRATION_FAILED':
    case 'PASSKEY_AUTHENTICATION_FAILED':
      return 'This passkey was not accepted.'
    case 'ANOTHER_USER':
      return 'That is the sign-in of another account, so nothing has happened. You are still signed in with yours.'
    case 'POPUP_BLOCKED':
      return 'Your browser has blocked the window. Allow it, and try again.'
    case 'ANONYMOUS_ACCOUNTS_NOT_ENABLED':
      return 'You need an account to use this app.'
    case 'OAUTH_PROVIDER_ACCESS_DENIED':
      return 'You cancelled, so you have not been signed in.'
    case 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER':
      return 'That account is connected to another user here.'
    case 'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN':
      return 'Another user signs in with that account here.'
    case 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION':
      return 'You have connected another account of this provider already.'
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
      return 'This page and the sign-in page send you back and forth. Does your browser block cookies?'
    case 'TEAM_PERMISSION_REQUIRED':
      return 'You no longer have permission to do this.'
    case 'TEAM_NOT_FOUND':
    case 'TEAM_MEMBERSHIP_NOT_FOUND':
      return 'This team no longer exists, or you are not in it.'
    case 'TEAM_INVITATION_EMAIL_MISMATCH':
      return 'This invitation was sent to an address that is not a verified one of your account. Add and verify that address, or use the account that has it.'
    case 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED':
      return restricted(error.details.restrictedReason.type)
    case 'API_KEY_NOT_FOUND':
      return 'This key no longer exists, or you have no permission to use it.'
    case 'REQUIRES_CUSTOM_EMAIL_SERVER':
      return 'This needs a mail server of your own. Set it up under “Mail server” first.'
    case 'EMAIL_NOT_EDITABLE':
      return 'This mail has gone out already.'
    case 'EMAIL_RENDERING_ERROR':
      return `The e-mail cannot be shown: ${error.details.error}.`
    case 'ABORTED':
      return 'This was cancelled.'
    case 'NETWORK_ERROR':
      return error.details.offline
        ? 'You are offline. Try again when you are connected.'
        : 'The server cannot be reached. Please try again.'
    case 'TIMED_OUT':
      return 'The server did not answer in time. Please try again.'
    case 'RATE_LIMITED':
      return 'Too many attempts. Please wait a moment.'
    case 'INVALID_INPUT':
    case 'SCHEMA_ERROR':
      return 'This was not accepted. Please check what you have entered.'
    default:
      return 'Something went wrong. Please try again.'
  }
}

/** What a person can do about a restriction before joining a team. */
function restricted(type: string): string {
  switch (type) {
    case 'anonymous':
      return 'A guest cannot join a team. Create an account first.'
    case 'email_not_verified':
      return 'Verify your e-mail address first, then join the team.'
    default:
      return 'Your account is restricted, so it cannot join a team. Ask the support of this app.'
  }
}
