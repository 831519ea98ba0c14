import { families, type ErrorCode } from '../../errors/codes'
import type { ErrorDetails } from '../../errors/details'

/** HTTP statuses of codes that differ from those of their families. Source: the platform's error catalogue. */
const unusual = {
  400: ['CANNOT_DELETE_CURRENT_SESSION', 'WRONG_API_KEY_TYPE', 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  401: [
    'INSUFFICIENT_ACCESS_TYPE',
    'INVALID_PUBLISHABLE_CLIENT_KEY',
    'INVALID_SECRET_SERVER_KEY',
    'INVALID_SUPER_SECRET_ADMIN_KEY',
    'INVALID_ADMIN_ACCESS_TOKEN',
    'PROJECT_AUTHENTICATION_REQUIRED',
    'EXPECTED_INTERNAL_PROJECT',
    'SESSION_AUTHENTICATION_ERROR',
    'REFRESH_TOKEN_ERROR',
    'USER_AUTHENTICATION_REQUIRED',
    'PROJECT_PERMISSION_REQUIRED',
    'TEAM_PERMISSION_REQUIRED',
    'TEAM_PERMISSION_NOT_FOUND',
    'API_KEY_NOT_VALID',
    'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED',
    'PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT',
    'INVALID_EXTERNAL_AUTH_TOKEN',
  ],
  403: [
    'RESTRICTED_USER_NOT_ALLOWED',
    'SIGN_UP_REJECTED',
    'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED',
    'TEAM_INVITATION_EMAIL_MISMATCH',
  ],
  404: [
    'USER_NOT_FOUND',
    'PROJECT_NOT_FOUND',
    'VERIFICATION_CODE_NOT_FOUND',
    'PERMISSION_NOT_FOUND',
    'WRONG_PERMISSION_SCOPE',
    'TEAM_NOT_FOUND',
    'TEAM_MEMBERSHIP_NOT_FOUND',
    'API_KEY_NOT_FOUND',
  ],
  408: ['OUTER_OAUTH_TIMEOUT'],
  409: [
    'USER_EMAIL_ALREADY_EXISTS',
    'VERIFICATION_CODE_ALREADY_USED',
    'EMAIL_ALREADY_VERIFIED',
    'TEAM_ALREADY_EXISTS',
    'EMAIL_TEMPLATE_ALREADY_EXISTS',
    'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
    'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    'TEAM_MEMBERSHIP_ALREADY_EXISTS',
    'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
    'BOT_CHALLENGE_REQUIRED',
  ],
  500: ['UNSUPPORTED_ERROR'],
  503: ['OAUTH_PROVIDER_TEMPORARILY_UNAVAILABLE'],
} as const satisfies Readonly<Record<number, readonly ErrorCode[]>>

export function statusOf(code: ErrorCode): number {
  const [status] = Object.entries(unusual).find(([, codes]) => (codes as readonly ErrorCode[]).includes(code)) ?? []
  const family = families[code]
  return status !== undefined ? Number(status) : family === '' ? 400 : statusOf(family)
}

type Details = Readonly<Record<string, unknown>>

/** Codes of calls that the kit does not make; its table has none of them. */
type ForeignCode = 'EMAIL_CAPACITY_BOOST_ALREADY_ACTIVE'

/** A refused request; thrown anywhere in a handler. */
export class RefusedRequest extends Error {
  readonly status: number
  /** Null: plain text without a known-error header. */
  readonly code: ErrorCode | ForeignCode | null
  /** In wire names; undefined if the error has none. */
  readonly details: Details | undefined

  constructor(status: number, code: ErrorCode | ForeignCode | null, message: string, details?: Details) {
    super(shortened(message))
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Details are typed where the kit declares them, and then required. */
type RefusalDetails<C extends ErrorCode> = C extends keyof ErrorDetails
  ? [details: ErrorDetails[C]]
  : [details?: Details]

/** A refusal with a known code; details in local names. */
export function known<C extends ErrorCode>(code: C, message: string, ...[details]: RefusalDetails<C>): RefusedRequest {
  return new RefusedRequest(statusOf(code), code, message, details && toWireDetails(code, details))
}

/** A refusal of a request whose fields do not fit; the message names them by their names on the wire, the first twenty. */
export function schemaError(what: string, failures: readonly string[] = []): RefusedRequest {
  const named = failures.slice(0, maxNamed).map(failure => failure.slice(0, 200))
  const more = failures.length > maxNamed ? [`and ${failures.length - maxNamed} more`] : []
  const message = [what, ...named, ...more].join('\n  - ')
  return known('SCHEMA_ERROR', message, { message })
}

const maxNamed = 20

/** A refusal in plain text, without a code. */
export function plain(status: number, message: string): RefusedRequest {
  return new RefusedRequest(status, null, message)
}

/** Refuses in place of a missing value: `users.get(id) ?? refuse(known(…))`. */
export function refuse(refusal: RefusedRequest): never {
  throw refusal
}

/** A refusal where the hosted platform answers 500. */
export function hostedFailure(what: string): RefusedRequest {
  return plain(500, `${what} The hosted platform fails here, too.`)
}

function toWireDetails(code: ErrorCode, details: object): Details {
  const entries = Object.entries(details).map(([name, value]: [string, unknown]) => {
    // The only known error whose detail is camelCase on the wire.
    const onWire = code === 'PASSWORD_TOO_LONG' ? name : name.replace(/[A-Z]/g, letter => '_' + letter.toLowerCase())
    const shown = value instanceof Date ? value.getTime() : typeof value === 'string' ? shortened(value) : value
    return [onWire.replace(/_at$/, '_at_millis'), shown] as const
  })
  return Object.fromEntries(entries)
}

/** At most 4,000 characters, since messages and details quote requests of any size. */
function shortened(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text
}
