import { AuthError, isAuthError, type AuthErrorOf } from '../../errors/auth-error'
import { isErrorCode } from '../../errors/codes'
import { decodeDetails } from '../../errors/details'
import { parseNote } from '../../store/tabs/tab-notes'
import { redact } from '../../core/urls'
import { signUpRefusals } from '../answers'

/** Refusals that the user can act on. */
const expected = [
  'OAUTH_PROVIDER_ACCESS_DENIED',
  'OUTER_OAUTH_TIMEOUT',
  'SIGN_UP_NOT_ENABLED',
  'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
  'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
  'OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN',
  'OAUTH_PROVIDER_TEMPORARILY_UNAVAILABLE',
  ...signUpRefusals,
] as const

/** The platform's refusal of an OAuth flow, as a value. */
export type OAuthRefusal = AuthErrorOf<(typeof expected)[number]>

/** All results of an OAuth flow other than a session. */
export type OAuthFailure = OAuthRefusal | AuthErrorOf<'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>

/** The error in a URL, unparsed. */
export interface ErrorInAddress {
  readonly code: string
  readonly message: string | null
  readonly details: string | null
}

/** The error parameters of the platform and of OAuth servers. */
export const errorParameters = ['errorCode', 'message', 'details', 'error', 'error_description', 'error_uri']

/** The error in a URL, or null. */
export function errorIn(parameters: URLSearchParams): ErrorInAddress | null {
  const errorCode = parameters.get('errorCode')
  if (errorCode) return { code: errorCode, message: parameters.get('message'), details: parameters.get('details') }
  const error = parameters.get('error')
  if (!error) return null
  const code = error === 'access_denied' ? 'OAUTH_PROVIDER_ACCESS_DENIED' : error
  return { code, message: parameters.get('error_description'), details: null }
}

/**
 * The AuthError of an error in a URL. Anyone can craft a URL, so its message and details are used only if it ends a flow of
 * this browser (`isOwn`); otherwise only its code.
 */
export function refusalOf({ code, message, details }: ErrorInAddress, isOwn: boolean): AuthError {
  const told = (isOwn && message && redact(message)) || `the sign-in at the provider did not succeed (${label(code)})`
  if (isErrorCode(code))
    // The code, known only at run time, determines the type of the details.
    return new AuthError(code, told, { details: (isOwn ? decodeDetails(parseNote(details)) : undefined) as never })
  return new AuthError('UNSUPPORTED_ERROR', told, { status: 500, details: { originalErrorCode: label(code) } })
}

export function isRefusal(error: unknown): error is OAuthRefusal {
  return isAuthError(error, ...expected)
}

/** Codes are words; any other text is kept out of messages. */
function label(code: string): string {
  return /^[\w.:-]{1,80}$/.test(code) ? redact(code) : 'unreadable'
}
