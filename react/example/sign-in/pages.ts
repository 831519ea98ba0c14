import { CliAuthConfirmPage } from '../handlers/cli-auth-confirm'
import { EmailVerificationPage } from '../handlers/email-verification'
import { ErrorPage, MagicLinkCallbackPage, MfaPage, OAuthCallbackPage, SignOutPage } from '../handlers/oauth-callback'
import { ForgotPasswordPage, PasswordResetPage } from '../handlers/password-reset'
import { SignInPage } from './sign-in-page'
import { SignUpPage } from './sign-up-page'

/** The pages of signing in, up and out by the end of their addresses, which begin with `/handler/`. */
export const signInPages = {
  'sign-in': SignInPage,
  'sign-up': SignUpPage,
  'sign-out': SignOutPage,
  'email-verification': EmailVerificationPage,
  'password-reset': PasswordResetPage,
  'forgot-password': ForgotPasswordPage,
  'oauth-callback': OAuthCallbackPage,
  'magic-link-callback': MagicLinkCallbackPage,
  mfa: MfaPage,
  error: ErrorPage,
  'cli-auth-confirm': CliAuthConfirmPage,
}
