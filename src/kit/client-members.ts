// The definitions of a client app, with its kit bound; rxauth exports these and rarer ones. All are imported statically: with OAuth
// and TOTP enrolment behind `import()` rollup loads less at first, but esbuild keeps what they share with the rest in every bundle,
// also in that of a page that signs in with a password.
export { signUpAnonymously } from '../sign-in/anonymous'
export { completeCliLogin } from '../sign-in/cli/cli'
export { continueSignIn } from '../sign-in/second-factor'
export { checkEmailVerificationCode, sendVerificationEmail, verifyEmail } from '../sign-in/email-verification'
export { checkMagicLinkCode, sendMagicLinkEmail, signInWithMagicLink } from '../sign-in/magic-link'
export { connectAccount, signInWithOAuth } from '../sign-in/oauth/oauth'
export { connectedAccountToken } from '../sign-in/oauth/account-token'
export { handleOAuthCallback } from '../sign-in/oauth/callback'
export type { OAuthCallback } from '../sign-in/oauth/callback'
export { connectAccountPopup, signInWithOAuthPopup } from '../sign-in/oauth/popup'
export { registerPasskey, signInWithPasskey } from '../sign-in/passkey/passkey'
export type { PasskeySignInError } from '../sign-in/passkey/passkey'
export { passkeyAutofill$ } from '../sign-in/passkey/autofill'
export { setPassword, signInWithPassword, signUpWithPassword, updatePassword } from '../sign-in/password/password'
export { checkPasswordResetCode, resetPassword, sendPasswordResetEmail } from '../sign-in/password/reset'
export * from '../sign-in/redirect-to'
export { signOut } from '../sign-in/sign-out'
export type { SignOutOptions } from '../sign-in/sign-out'
export { acceptOwnTeamInvitation } from '../entities/team-invitations/client-accept'
export {
  acceptTeamInvitation,
  checkTeamInvitationCode,
  teamInvitationDetails,
} from '../entities/team-invitations/client-accept'
export type { TeamInvitationDetails } from '../entities/team-invitations/client-accept'
export { accessToken, authHeaders } from '../sign-in/tokens'
export { disableTotp, enableTotp, startTotpEnrolment } from '../sign-in/totp'
export type { TotpEnrolment } from '../sign-in/totp'
export { whyApiKeyInvalid } from '../entities/api-keys/shape'
export type { ApiKeyInvalidity, ApiKeyLifetime } from '../entities/api-keys/shape'
export { connectedAccounts$ } from '../entities/connected-accounts/client'
export type { ConnectedAccount } from '../entities/connected-accounts/client'
export {
  ContactChannel,
  contactChannels$,
  createContactChannel,
  updateContactChannel,
  deleteContactChannel,
  sendContactChannelVerification,
} from '../entities/contact-channels/client'
export { CurrentUser, anyUser$, user$, updateUser, deleteUser } from '../entities/users/client'
export type { Restriction } from '../entities/users/client'
export * from '../entities/projects/client'
export * from '../entities/permissions/client'
export * from '../entities/notification-preferences/client'
export * from '../entities/team-invitations/client'
export * from '../entities/sessions/client'
export * from '../entities/api-keys/client-team'
export * from '../entities/teams/client-writes'
export * from '../entities/team-members/client-writes'
export * from '../entities/team-members/client'
export * from '../entities/teams/client'
export * from '../entities/api-keys/client-user'
export { inspect } from '../store/read/inspect'
export type { Inspection } from '../store/read/inspect'
