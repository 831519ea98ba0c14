import type { AuthErrorOf, AnyAuthError } from 'rxauth'

/** The text for an error by its code. A text that names a limit takes it from the error. */
export type ErrorWords = { readonly [C in AnyAuthError['code']]?: string | ((error: AuthErrorOf<C>) => string) }

/** Every text of the screens in English. */
export const en = {
  /** As in the attribute `lang`: dates and lists are written in it, too. */
  language: 'en',
  /** An error's own message is for developers. */
  errors: {
    EMAIL_PASSWORD_MISMATCH: 'Wrong e-mail or password.',
    USER_EMAIL_ALREADY_EXISTS: 'An account with this e-mail address already exists.',
    PASSWORD_TOO_SHORT: error => `The password is too short: use at least ${error.details.minLength} characters.`,
    PASSWORD_TOO_LONG: error => `The password is too long: use at most ${error.details.maxLength} characters.`,
    MULTI_FACTOR_AUTHENTICATION_REQUIRED: 'Enter the code of your authenticator app.',
    PASSWORD_CONFIRMATION_MISMATCH: error =>
      error.status === undefined ? 'The two passwords are not the same.' : 'Wrong current password.',
    VERIFICATION_CODE_NOT_FOUND: 'Wrong code. Check it, or ask for a new e-mail.',
    VERIFICATION_CODE_EXPIRED: 'This code has expired. Ask for a new e-mail.',
    VERIFICATION_CODE_ALREADY_USED: 'This code has been used already. Ask for a new e-mail.',
    VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'There were too many attempts with this code. Ask for a new e-mail.',
    INVALID_TOTP_CODE: 'Wrong code. Codes change every 30 seconds.',
    EMAIL_ALREADY_VERIFIED: 'This address is verified already.',
    SIGN_UP_NOT_ENABLED: 'There is no account with this address, and new accounts cannot be created here.',
    REDIRECT_URL_NOT_WHITELISTED: 'Links in e-mails may not lead to this website. Please tell its owner.',
    PASSKEY_WEBAUTHN_ERROR: 'No passkey was used. You can try again.',
    PASSKEY_REGISTRATION_FAILED: 'This passkey was not accepted.',
    PASSKEY_AUTHENTICATION_FAILED: 'This passkey was not accepted.',
    ANOTHER_USER:
      'That is the sign-in of another account, so nothing has happened. You are still signed in with yours.',
    POPUP_BLOCKED: 'Your browser has blocked the window. Allow it, and try again.',
    ANONYMOUS_ACCOUNTS_NOT_ENABLED: 'You need an account to use this app.',
    OAUTH_PROVIDER_ACCESS_DENIED: 'You cancelled, so you have not been signed in.',
    OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER: 'That account is connected to another user here.',
    OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN: 'Another user signs in with that account here.',
    USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION: 'You have connected another account of this provider already.',
    CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE:
      'There is an account with this address already. Sign in to it first.',
    OUTER_OAUTH_TIMEOUT: 'That took too long. Please sign in again.',
    INVALID_AUTHORIZATION_CODE: 'That took too long. Please sign in again.',
    USER_AUTHENTICATION_REQUIRED: 'Please sign in first.',
    CANNOT_DELETE_CURRENT_SESSION: 'This is the session that you are using.',
    REDIRECT_LOOP: 'This page and the sign-in page send you back and forth. Does your browser block cookies?',
    TEAM_PERMISSION_REQUIRED: 'You no longer have permission to do this.',
    TEAM_NOT_FOUND: 'This team no longer exists, or you are not in it.',
    TEAM_MEMBERSHIP_NOT_FOUND: 'This team no longer exists, or you are not in it.',
    TEAM_INVITATION_EMAIL_MISMATCH:
      'This invitation was sent to an address that is not a verified one of your account. Add and verify that address, or use the account that has it.',
    TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED: error => restricted(error.details.restrictedReason.type),
    API_KEY_NOT_FOUND: 'This key no longer exists, or you have no permission to use it.',
    REQUIRES_CUSTOM_EMAIL_SERVER: 'This needs a mail server of your own. Set it up under “Mail server” first.',
    EMAIL_NOT_EDITABLE: 'This mail has gone out already.',
    EMAIL_RENDERING_ERROR: error => `The e-mail cannot be shown: ${error.details.error}.`,
    ABORTED: 'This was cancelled.',
    NETWORK_ERROR: error =>
      error.details.offline
        ? 'You are offline. Try again when you are connected.'
        : 'The server cannot be reached. Please try again.',
    TIMED_OUT: 'The server did not answer in time. Please try again.',
    RATE_LIMITED: 'Too many attempts. Please wait a moment.',
    INVALID_INPUT: 'This was not accepted. Please check what you have entered.',
    SCHEMA_ERROR: 'This was not accepted. Please check what you have entered.',
  } satisfies ErrorWords,
  /** For an error without a text of its own. */
  otherError: 'Something went wrong. Please try again.',
}

/** The texts of one language. */
export type Words = Texts<typeof en>

/** What has the same texts in any wording. */
type Texts<T> = T extends string
  ? string
  : T extends (...values: infer A) => infer R
    ? (...values: A) => R extends string ? string : R
    : { readonly [K in keyof T]: Texts<T[K]> }

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
