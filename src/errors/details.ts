import { isRecord } from '../core/values'
import { localName } from '../core/wire'
import type { ErrorCode, LocalCode } from './codes'

interface OfProject {
  readonly projectId: string
}
interface OfPermission {
  readonly permissionId: string
}
interface OfTeam {
  readonly teamId: string
}
interface OfProvider {
  readonly providerId: string
}
interface OfMember {
  readonly teamId: string
  readonly userId: string
  readonly permissionId: string
}
/** Why the user is refused: `type` is `anonymous`, `email_not_verified` or `restricted_by_administrator`. */
interface OfRestriction {
  readonly restrictedReason: { readonly type: string }
}
type Level = 'client' | 'server' | 'admin'
type Scope = 'team' | 'project'
interface Expiry {
  readonly expiredAt: Date | null
}
/** In newer releases, whether the call would have worked with a verified address. */
interface OfTakenEmail {
  readonly wouldWorkIfEmailWasVerified?: boolean
}

/**
 * Details of INVALID_RESPONSE. `isDone`: the platform has answered a write as done, but the answer cannot be used. The
 * stores that the write makes stale have been refreshed; repeating the write would do it twice.
 */
export interface InvalidResponseDetails {
  readonly isDone: boolean
}

/** Details of each error in local names: `attemptCode`, `minLength`, `expiredAt: Date`. */
export interface ErrorDetails {
  NETWORK_ERROR: { readonly offline: boolean; readonly attempts: number; readonly diagnostics: string }
  TIMED_OUT: { readonly attempts: number }
  RATE_LIMITED: { readonly retryAt: Date | null }
  /** `body` is the answer's text, secrets redacted, at most 1,000 characters. */
  REQUEST_FAILED: { readonly method: string; readonly path: string; readonly status: number; readonly body: string }
  /** How often the page has gone to `url` within the last 10 s. */
  REDIRECT_LOOP: { readonly url: string; readonly count: number }
  /** Origins; `to` is null in a browser, which does not reveal the target of a redirect. */
  REDIRECT_REFUSED: { readonly from: string; readonly to: string | null }
  /** `forged`: signed with another secret, or altered. */
  WEBHOOK_REJECTED: {
    readonly reason: 'unsigned' | 'too-old' | 'too-new' | 'too-large' | 'incomplete' | 'forged' | 'replayed'
  }
  INVALID_RESPONSE: InvalidResponseDetails
  /** The part that this release of the platform lacks: the call, such as `GET /email-templates`, or one of its fields. */
  NOT_ON_THIS_PLATFORM: { readonly call: string; readonly field?: string }
  /** The name of the store, and its arguments. */
  NOT_DEHYDRATED: { readonly store: string }
  INVALID_INPUT: { readonly field: string; readonly reason: string }
  TEST_EMAIL_FAILED: { readonly errorMessage: string }
  RESTRICTED_USER_NOT_ALLOWED: OfRestriction
  TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED: OfRestriction
  CURRENT_PROJECT_NOT_FOUND: OfProject
  PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT: OfProject
  SIGN_UP_REJECTED: { readonly message: string }
  BOT_CHALLENGE_FAILED: { readonly message: string }
  OAUTH_ACCESS_TOKEN_NOT_AVAILABLE: { readonly provider: string; readonly details: string }
  INVALID_EXTERNAL_AUTH_TOKEN: { readonly reason: string }
  UNSUPPORTED_ERROR: { readonly originalErrorCode: string }
  SCHEMA_ERROR: { readonly message: string }
  /** The errors of the endpoint's variants, in their wire form. */
  ALL_OVERLOADS_FAILED: { readonly overloadErrors: readonly unknown[] }
  INSUFFICIENT_ACCESS_TYPE: { readonly actualAccessType: Level; readonly allowedAccessTypes: readonly Level[] }
  ACCESS_TYPE_WITHOUT_PROJECT_ID: { readonly requestType: Level }
  INVALID_PUBLISHABLE_CLIENT_KEY: OfProject
  INVALID_SECRET_SERVER_KEY: OfProject
  INVALID_SUPER_SECRET_ADMIN_KEY: OfProject
  PROJECT_NOT_FOUND: OfProject
  BRANCH_DOES_NOT_EXIST: { readonly branchId: string }
  /** The owner of the token is named by newer releases only. */
  ACCESS_TOKEN_EXPIRED: Expiry & {
    readonly projectId?: string
    readonly userId?: string
    readonly refreshTokenId?: string | null
  }
  ADMIN_ACCESS_TOKEN_EXPIRED: Expiry
  INVALID_PROJECT_FOR_ACCESS_TOKEN: { readonly expectedProjectId: string; readonly actualProjectId: string }
  USER_EMAIL_ALREADY_EXISTS: OfTakenEmail & { readonly email: string }
  USER_ID_DOES_NOT_EXIST: { readonly userId: string }
  PASSWORD_TOO_SHORT: { readonly minLength: number }
  PASSWORD_TOO_LONG: { readonly maxLength: number }
  PASSKEY_WEBAUTHN_ERROR: { readonly message: string; readonly code: string }
  MULTI_FACTOR_AUTHENTICATION_REQUIRED: { readonly attemptCode: string }
  EMAIL_IS_NOT_PRIMARY_EMAIL: { readonly email: string; readonly primaryEmail: string | null }
  TEAM_NOT_FOUND: OfTeam
  TEAM_ALREADY_EXISTS: OfTeam
  TEAM_MEMBERSHIP_NOT_FOUND: { readonly teamId: string; readonly userId: string }
  TEAM_PERMISSION_REQUIRED: OfMember
  TEAM_PERMISSION_NOT_FOUND: OfMember
  PROJECT_PERMISSION_REQUIRED: { readonly userId: string; readonly permissionId: string }
  PERMISSION_NOT_FOUND: OfPermission
  CONTAINED_PERMISSION_NOT_FOUND: OfPermission
  PERMISSION_ID_ALREADY_EXISTS: OfPermission
  WRONG_PERMISSION_SCOPE: {
    readonly permissionId: string
    readonly expectedScope: Scope
    readonly actualScope: Scope | null
  }
  INVALID_OAUTH_CLIENT_ID_OR_SECRET: { readonly clientId: string | null }
  INVALID_SHARED_OAUTH_PROVIDER_ID: OfProvider
  INVALID_STANDARD_OAUTH_PROVIDER_ID: OfProvider
  CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE: OfTakenEmail & {
    readonly type: 'email'
    readonly contactChannelValue: string | null
  }
  WRONG_API_KEY_TYPE: { readonly expectedType: string; readonly actualType: string }
  EMAIL_RENDERING_ERROR: { readonly error: string }
  EMAIL_NOT_EDITABLE: { readonly emailId: string; readonly status: string }
}

/** The details of one code; unknown for codes without details, since later releases may send some. */
export type DetailsOf<C extends ErrorCode | LocalCode> = C extends keyof ErrorDetails ? ErrorDetails[C] : unknown

/** Wire details in local names: `attempt_code` → `attemptCode`, `expired_at_millis: number` → `expiredAt: Date`. */
export function decodeDetails(details: unknown): unknown {
  if (!isRecord(details)) return details
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      const [name, isMillis] = localName(key)
      return [name, isMillis && typeof value === 'number' ? new Date(value) : value]
    }),
  )
}
