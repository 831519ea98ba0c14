export { createClientApp } from './app'
export type { Bound, ClientApp } from './app'
export { createKit } from './kit'
export type { ClientOptions } from './kit'

export { accessToken, authHeaders, tokens$ } from './auth/tokens'
export { disableTotp, enableTotp, startTotpEnrolment } from './auth/totp'
export type { TotpEnrolment } from './auth/totp'
export { signUpAnonymously } from './auth/anonymous'
export { cliLogin$, completeCliLogin, promptCliLogin } from './auth/cli'
export type { CliLogin } from './auth/cli'
export type { CliLoginInput } from './auth/cli-input'
export type { CliLoginError, CliWaiting } from './auth/cli-polling'
export { continueSignIn } from './auth/continue-sign-in'
export { flow$ } from './auth/flow'
export type { Flow, FlowStore } from './auth/flow'
export { connectAccount, signInWithOAuth } from './auth/oauth'
export { connectedAccountToken } from './auth/oauth-account-token'
export { handleOAuthCallback } from './auth/oauth-callback'
export type { OAuthCallback } from './auth/oauth-callback'
export { connectAccountPopup, signInWithOAuthPopup } from './auth/oauth-popup'
export type { OAuthFailure, OAuthRefusal } from './auth/oauth-refusal'
export type { OAuthInput } from './auth/oauth-start'
export {
  checkEmailVerificationCode,
  sendContactChannelVerification,
  sendVerificationEmail,
  verifyEmail,
} from './auth/email-verification'
export { checkMagicLinkCode, sendMagicLinkEmail, signInWithMagicLink } from './auth/magic-link'
export { setPassword, signInWithPassword, signUpWithPassword, updatePassword } from './auth/password'
export { registerPasskey, signInWithPasskey } from './auth/passkey'
export type { PasskeySignInError } from './auth/passkey'
export type { PasskeyAuthenticator, PasskeyCeremony, PasskeyInput } from './auth/passkey-authenticator'
export { passkeyAutofill$ } from './auth/passkey-autofill'
export { checkPasswordResetCode, resetPassword, sendPasswordResetEmail } from './auth/password-reset'
export {
  navigateAfterAuth,
  redirectToAccountSettings,
  redirectToAfterSignIn,
  redirectToAfterSignOut,
  redirectToAfterSignUp,
  redirectToCliAuthConfirm,
  redirectToEmailVerification,
  redirectToError,
  redirectToForgotPassword,
  redirectToHome,
  redirectToMagicLinkCallback,
  redirectToMfa,
  redirectToOAuthCallback,
  redirectToPasswordReset,
  redirectToSignIn,
  redirectToSignOut,
  redirectToSignUp,
  redirectToTeamInvitation,
} from './auth/redirect-to-pages'
export type { RedirectOptions } from './auth/redirect-to-pages'
export { signOut } from './auth/sign-out'
export type { SignedIn } from './auth/signed-in'
export { auth$ } from './resources/auth-state'
export type { Auth, AuthStore } from './resources/auth-state'
export { anyUser$, CurrentUser, deleteUser, updateUser, user$ } from './resources/current-user'
export { Project, project$ } from './resources/project'
export { revokeSession, sessions$ } from './resources/sessions'
export { Session } from './resources/sessions-endpoints'
export type { GeoInfo } from './resources/sessions-endpoints'
export { Team } from './resources/teams'
export { inspect, trace$ } from './store/inspect'
export type { Inspection } from './store/inspect'

export { mutation, only, patch } from './store/mutation'
export type { CallOptions, Effects, Mutation, Outcome } from './store/mutation'
export { query, view } from './store/query'
export type { LoaderOptions, QueryOptions } from './store/query'
export type { Arguments, Narrowed, Patch, Query, Target } from './store/definition'
export { derive } from './store/derive'
export type { Read } from './store/derive'
export { slot } from './store/kit'
export type { Kit } from './store/kit'
export type { RefreshOn } from './store/revive'
export type { Snapshot } from './store/snapshot'
export type { ReadOptions, Store } from './store/store'
export { endpoint } from './transport/endpoint'
export type { Access, Endpoint, Method, Place, Route } from './transport/endpoint'
export type { TraceEvent } from './transport/trace'

export { cookieTokens } from './session/cookie-tokens'
export { memoryTokens } from './session/token-store'
export { noTokens } from './session/no-tokens'
export { requestTokens } from './session/request-tokens'
export type { CookieWrite, RequestLike } from './session/request-tokens'
export { storageTokens } from './session/storage-tokens'
export type { TokenStorage } from './session/storage-tokens'
export type { TokenContext, TokenSource, TokenStore } from './session/token-store'
export type { SignedOutReason } from './session/identity'
export type { Tokens } from './transport/credentials'

export { AuthError, isAuthError } from './errors/auth-error'
export type { AnyAuthError, AuthErrorOf } from './errors/auth-error'
export type { ErrorCode, LocalCode } from './errors/codes'
export type { DetailsOf, ErrorDetails } from './errors/details'
export { orThrow } from './core/result'
export type { Result } from './core/result'

export { systemClock } from './core/clock'
export type { Clock } from './core/clock'
export type { Host, OpenedWindow } from './core/host'
export type { Navigate } from './navigation/navigate'
export type { HandlerUrls } from './navigation/urls'
export type { Shape } from './core/wire'
export type {
  ClientMetadata,
  ClientReadOnlyMetadata,
  PermissionId,
  ProviderId,
  Register,
  ServerMetadata,
} from './core/register'
