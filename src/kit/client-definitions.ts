// The definitions of a client app, with its kit bound; rxauth exports these and rarer ones. All are imported statically: with OAuth
// and TOTP enrolment behind `import()` rollup loads less at first, but esbuild keeps what they share with the rest in every bundle,
// also in that of a page that signs in with a password.
export { signUpAnonymously } from '../auth/anonymous/anonymous'
export { completeCliLogin } from '../auth/cli/cli'
export { continueSignIn } from '../auth/totp/continue-sign-in'
export {
  checkEmailVerificationCode,
  sendVerificationEmail,
  verifyEmail,
} from '../auth/email-verification/email-verification'
export { checkMagicLinkCode, sendMagicLinkEmail, signInWithMagicLink } from '../auth/magic-link/magic-link'
export { connectAccount, signInWithOAuth } from '../auth/oauth/oauth'
export { connectedAccountToken } from '../auth/oauth/account-token'
export { handleOAuthCallback } from '../auth/oauth/callback'
export type { OAuthCallback } from '../auth/oauth/callback'
export { connectAccountPopup, signInWithOAuthPopup } from '../auth/oauth/popup'
export { registerPasskey, signInWithPasskey } from '../auth/passkey/passkey'
export type { PasskeySignInError } from '../auth/passkey/passkey'
export { passkeyAutofill$ } from '../auth/passkey/autofill'
export { setPassword, signInWithPassword, signUpWithPassword, updatePassword } from '../auth/password/password'
export { checkPasswordResetCode, resetPassword, sendPasswordResetEmail } from '../auth/password/reset'
export * from '../auth/redirect-to'
export { signOut } from '../auth/sign-out'
export type { SignOutOptions } from '../auth/sign-out'
export { acceptOwnTeamInvitation } from '../definitions/client/accept-own-team-invitation'
export {
  acceptTeamInvitation,
  checkTeamInvitationCode,
  teamInvitationDetails,
} from '../definitions/client/team-invitation-code'
export type { TeamInvitationDetails } from '../definitions/client/team-invitation-code'
export { accessToken, authHeaders } from '../auth/tokens'
export { disableTotp, enableTotp, startTotpEnrolment } from '../auth/totp/totp'
export type { TotpEnrolment } from '../auth/totp/totp'
export * from '../definitions/client/api-key-validity'
export * from '../definitions/client/connected-accounts'
export * from '../definitions/client/contact-channels'
export * from '../definitions/client/current-user'
export * from '../definitions/client/feature-support'
export * from '../definitions/client/permissions'
export * from '../definitions/client/notification-preferences'
export * from '../definitions/client/own-team-invitations'
export * from '../definitions/client/project'
export * from '../definitions/client/sessions'
export * from '../definitions/client/team-api-keys'
export * from '../definitions/client/team-changes'
export * from '../definitions/client/team-invitations'
export * from '../definitions/client/team-member-changes'
export * from '../definitions/client/team-members'
export * from '../definitions/client/teams'
export * from '../definitions/client/user-api-keys'
export { inspect } from '../store/read/inspect'
export type { Inspection } from '../store/read/inspect'
