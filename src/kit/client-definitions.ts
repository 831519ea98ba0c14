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
export { acceptOwnTeamInvitation } from '../entities/team-invitations/client-accept-own-team-invitation'
export {
  acceptTeamInvitation,
  checkTeamInvitationCode,
  teamInvitationDetails,
} from '../entities/team-invitations/client-team-invitation-code'
export type { TeamInvitationDetails } from '../entities/team-invitations/client-team-invitation-code'
export { accessToken, authHeaders } from '../auth/tokens'
export { disableTotp, enableTotp, startTotpEnrolment } from '../auth/totp/totp'
export type { TotpEnrolment } from '../auth/totp/totp'
export * from '../entities/api-keys/shape-api-key-validity'
export * from '../entities/connected-accounts/client-connected-accounts'
export * from '../entities/contact-channels/client-contact-channels'
export * from '../entities/users/client-current-user'
export * from '../entities/projects/client-feature-support'
export * from '../entities/permissions/client'
export * from '../entities/notification-preferences/client'
export * from '../entities/team-invitations/client-own-team-invitations'
export * from '../entities/projects/client-project'
export * from '../entities/sessions/client'
export * from '../entities/api-keys/client-team'
export * from '../entities/teams/client-writes'
export * from '../entities/team-invitations/client-team-invitations'
export * from '../entities/team-members/client-writes'
export * from '../entities/team-members/client'
export * from '../entities/teams/client'
export * from '../entities/api-keys/client-user'
export { inspect } from '../store/read/inspect'
export type { Inspection } from '../store/read/inspect'
