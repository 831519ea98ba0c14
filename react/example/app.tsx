import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { Boundary } from './components/boundary'
import { AccountSettingsPage } from './pages/account-settings'
import { CliAuthConfirmPage } from './pages/cli-auth-confirm'
import { EmailVerificationPage } from './pages/email-verification'
import { ErrorPage } from './pages/error'
import { ForgotPasswordPage } from './pages/forgot-password'
import { HomePage } from './pages/home'
import { MagicLinkCallbackPage } from './pages/magic-link-callback'
import { MfaPage } from './pages/mfa'
import { NotFoundPage } from './pages/not-found'
import { OAuthCallbackPage } from './pages/oauth-callback'
import { PasswordResetPage } from './pages/password-reset'
import { SignInPage } from './pages/sign-in'
import { SignOutPage } from './pages/sign-out'
import { usePath } from './router'
import { NotKnownYet } from './components/not-known-yet'

/** A page per address of the kit's `urls`. */
const pages: Readonly<Record<string, () => ReactNode>> = {
  '/': HomePage,
  '/handler/sign-in': () => <SignInPage mode="sign-in" />,
  '/handler/sign-up': () => <SignInPage mode="sign-up" />,
  '/handler/sign-out': SignOutPage,
  '/handler/email-verification': EmailVerificationPage,
  '/handler/password-reset': PasswordResetPage,
  '/handler/forgot-password': ForgotPasswordPage,
  '/handler/oauth-callback': OAuthCallbackPage,
  '/handler/magic-link-callback': MagicLinkCallbackPage,
  '/handler/account-settings': AccountSettingsPage,
  '/handler/error': ErrorPage,
  '/handler/mfa': MfaPage,
  '/handler/cli-auth-confirm': CliAuthConfirmPage,
}

export function App(): ReactNode {
  const path = usePath()
  const Page = pages[path] ?? NotFoundPage
  return (
    <Boundary key={path}>
      <Suspense fallback={<NotKnownYet />}>
        <Page />
      </Suspense>
    </Boundary>
  )
}
