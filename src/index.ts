export { createClientApp, type ClientApp } from './kit/client-app'
export type { Bound } from './kit/bind'
export { confirmIdentity } from './extras/confirm/confirm-identity'
export type { Confirmation } from './extras/confirm/attempts'
export { createKit } from './kit/create-kit'
export { environmentOptions, type EnvironmentOptions } from './transport/environment'
export type { ClientOptions } from './kit/options'

export * from './kit/client-members'
export { cliLogin$, promptCliLogin, type CliLogin } from './sign-in/cli/cli'
export type { CliLoginInput } from './sign-in/cli/input'
export type { CliLoginError, CliWaiting } from './sign-in/cli/polling'
export { claimCliSession, cliSessionState } from './sign-in/cli/anonymous-session'
export { decide, type Decision, type Need } from './extras/decide'
export { flow$, type Flow$ } from './sign-in/flow'
export { liveConnection, type LiveConnection } from './extras/live/connection'
export { changesFrom, localChanges } from './extras/live/changes-from'
export type { Connection } from './extras/live/attempt'
export { ownFetch } from './backend/own-fetch'
export { rememberLastKnown } from './extras/last-known'
export { otherAccounts$, switchAccount, type Account, type AccountSwitch } from './extras/accounts'
export { endImpersonation, impersonate, impersonation$, type Impersonation } from './extras/impersonation'
export { rememberSession } from './extras/remember-session'
export { sessionLimits, type SessionLimit, type SessionLimitOptions, type SessionLimits } from './extras/session-limits'
export { forgetSignInMethod, rememberSignInMethod, signInMethods$, type SignInMethod } from './extras/sign-in-methods'
export type { Flow } from './sign-in/sign-ins'
export type { OAuthFailure, OAuthRefusal } from './sign-in/oauth/refusal'
export type { OAuthPopupInput } from './sign-in/oauth/popup'
export { signInWithAppleToken } from './sign-in/oauth/apple-token'
export { providerAccountToken } from './sign-in/oauth/account-token'
export type { OAuthInput } from './sign-in/oauth/start'
export type {
  PasskeyAuthenticator,
  PasskeyCeremony,
  PasskeyInput,
  PasskeySignal,
  SavedPassword,
} from './sign-in/passkey/authenticator'
export type { BotChallenge, SignedIn } from './sign-in/answers'
export type { PasswordRefusal } from './entities/password-limits'
export type { CodeError } from './entities/mailed-code'
export type { ListPage, Shape } from './core/wire'
export type { ListOptions } from './store/page/pages'
export type { NotificationWish } from './entities/notification-preferences/shape'
export { tokens$, type Tokens$ } from './sign-in/tokens'
export { userFromToken, type UserInToken } from './sign-in/user-from-token'
export {
  OAuthProvider,
  oauthProviders$,
  updateOAuthProvider,
  deleteOAuthProvider,
} from './entities/connected-accounts/client'
export { OwnedProject, ownedProjects$, createOwnedProject } from './entities/projects/client-owned'
export { ProviderAccount, providerAccounts$ } from './entities/connected-accounts/client'
export { transferOwnedProject } from './entities/projects/client-owned'
export type { OwnedProjectTransfer } from './entities/projects/client-owned'
export { changePrimaryEmail } from './entities/contact-channels/client'
export { auth$, onIdentityChange, whenKnown, type Auth, type Auth$ } from './entities/users/auth'
export { followChanges } from './extras/live/follow-changes'
export { trace$ } from './store/read/inspect'

export { allOf, type Groups, type PartOf, type Arguments, type Query, type Target } from './store/definition'
export { mutation, only, patch, type Mutation, type Outcome } from './store/write/mutation'
export { followIdentity, type FollowHooks, type PersonChange } from './extras/follow-identity'
export { onCommitted } from './extras/on-committed'
export type { CallOptions, Effects } from './store/write/effects'
export { query, view, type LoaderOptions, type QueryOptions } from './store/query'
export type { Narrowed, Patch } from './store/source'
export { dehydrate } from './store/page/dehydrate'
export { derive } from './store/derive/derive'
export type { Read } from './store/derive/computation'
export { slot } from './store/kit-parts'
export { hydrate } from './store/page/hydrate'
export type { Hydration, Dehydrated } from './store/page/rendered'
export type { Kit } from './store/kit'
export type { LastKnownUser } from './store/committed-session'
export type { RefreshOn } from './store/refresh-if-stale'
export type { Snapshot } from './store/snapshot'
export type { State } from './store/read/state'
export type { ReadOptions, Store } from './store/store'
export { record } from './extras/record/record'
export type { Recording } from './extras/record/tape'
export { ownedStorage } from './extras/owned-storage'
export { until, type UntilOptions } from './extras/until'
export { valuesOf } from './store/read/values-of'
export { endpoint } from './transport/endpoint'
export type { Access, Endpoint, Method, FieldPlace as Place, Route } from './transport/endpoint'
export { lacking } from './transport/lacking'
export type { TraceEvent } from './transport/transport'

export { accountTokens, type AccountOptions } from './session/stores/account-tokens'
export { cookieTokens } from './session/stores/cookie-tokens'
export { memoryTokens, noTokens, type TokenContext, type TokenSource, type TokenStore } from './session/token-store'
export { requestTokens } from './session/requests/request-tokens'
export type { RequestLike } from './session/requests/request-like'
export type { CookieHeaders, CookieWrite, WriteCookie } from './session/requests/set-cookies'
export { storageTokens, type TokenStorage } from './session/stores/storage-tokens'
export type { SignedOutReason } from './session/identity'
export type { Tokens } from './transport/access-token'

export { AuthError, isAuthError, type AnyAuthError, type AuthErrorOf } from './errors/auth-error'
export type { ErrorCode, LocalCode } from './errors/codes'
export type { DetailsOf, ErrorDetails, InvalidResponseDetails } from './errors/details'
export { orThrow, type Result } from './core/result'

export { systemClock, type Clock } from './core/clock'
export type { Host, OpenedWindow } from './core/host'
export type { Navigate, HandlerUrls, Page, UrlOptions } from './navigation/urls'
export type {
  ClientMetadata,
  ClientReadOnlyMetadata,
  PermissionId,
  ProviderId,
  Register,
  ServerMetadata,
  SystemPermissionId,
} from './core/register'
