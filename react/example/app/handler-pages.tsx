import { Route } from 'wouter'
import { CliAuthConfirmPage } from '../handlers/cli-auth-confirm'
import { EmailVerificationPage } from '../handlers/email-verification'
import { ErrorPage } from '../handlers/error'
import { ForgotPasswordPage } from '../handlers/forgot-password'
import { MagicLinkCallbackPage } from '../handlers/magic-link-callback'
import { MfaPage } from '../handlers/mfa'
import { OAuthCallbackPage } from '../handlers/oauth-callback'
import { PasswordResetPage } from '../handlers/password-reset'
import { SignOutPage } from '../handlers/sign-out'
import { TeamInvitationPage } from '../handlers/team-invitation'
import { WelcomePage } from '../home/welcome-page'
import { AccountSettingsPage } from '../settings/account-settings-page'
import { SignInPage } from '../sign-in/sign-in-page'
import { SignUpPage } from '../sign-in/sign-up-page'

/** A page per address of the kit's `urls`: the same for the product and for the admin area. */
export const handlerPages = (
  <>
    <Route path="/welcome" component={WelcomePage} />
    <Route path="/handler/sign-in" component={SignInPage} />
    <Route path="/handler/sign-up" component={SignUpPage} />
    <Route path="/handler/sign-out" component={SignOutPage} />
    <Route path="/handler/email-verification" component={EmailVerificationPage} />
    <Route path="/handler/password-reset" component={PasswordResetPage} />
    <Route path="/handler/forgot-password" component={ForgotPasswordPage} />
    <Route path="/handler/oauth-callback" component={OAuthCallbackPage} />
    <Route path="/handler/magic-link-callback" component={MagicLinkCallbackPage} />
    <Route path="/handler/team-invitation" component={TeamInvitationPage} />
    <Route path="/handler/mfa" component={MfaPage} />
    <Route path="/handler/error" component={ErrorPage} />
    <Route path="/handler/cli-auth-confirm" component={CliAuthConfirmPage} />
    <Route path="/handler/account-settings/:section?">
      {({ section }) => <AccountSettingsPage section={section} />}
    </Route>
  </>
)
