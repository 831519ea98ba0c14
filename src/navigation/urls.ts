import { withoutEnding } from '../core/without-ending'

/**
 * The addresses of an app's pages: paths, or absolute addresses on a trusted domain.
 *
 * @example
 * const urls: Partial<HandlerUrls> = { signIn: '/login', afterSignIn: '/home' }
 * const app = createClientApp({ tokens: cookieTokens(), urls })
 */
export interface HandlerUrls {
  readonly handler: string
  readonly home: string
  readonly signIn: string
  readonly signUp: string
  readonly afterSignIn: string
  readonly afterSignUp: string
  readonly signOut: string
  readonly afterSignOut: string
  readonly emailVerification: string
  readonly passwordReset: string
  readonly forgotPassword: string
  readonly oauthCallback: string
  readonly magicLinkCallback: string
  readonly accountSettings: string
  readonly error: string
  readonly teamInvitation: string
  readonly mfa: string
  readonly cliAuthConfirm: string
}

/** Every address, the app's own ones before the defaults; what is undefined counts as not given. */
export function resolveUrls(given: Partial<HandlerUrls> = {}): HandlerUrls {
  const handler = withoutEnding(given.handler ?? '/handler', '/')
  const home = given.home ?? '/'
  const afterSignIn = given.afterSignIn ?? home
  return {
    handler,
    home,
    signIn: given.signIn ?? `${handler}/sign-in`,
    signUp: given.signUp ?? `${handler}/sign-up`,
    afterSignIn,
    afterSignUp: given.afterSignUp ?? afterSignIn,
    signOut: given.signOut ?? `${handler}/sign-out`,
    afterSignOut: given.afterSignOut ?? home,
    emailVerification: given.emailVerification ?? `${handler}/email-verification`,
    passwordReset: given.passwordReset ?? `${handler}/password-reset`,
    forgotPassword: given.forgotPassword ?? `${handler}/forgot-password`,
    oauthCallback: given.oauthCallback ?? `${handler}/oauth-callback`,
    magicLinkCallback: given.magicLinkCallback ?? `${handler}/magic-link-callback`,
    accountSettings: given.accountSettings ?? `${handler}/account-settings`,
    error: given.error ?? `${handler}/error`,
    teamInvitation: given.teamInvitation ?? `${handler}/team-invitation`,
    mfa: given.mfa ?? `${handler}/mfa`,
    cliAuthConfirm: given.cliAuthConfirm ?? `${handler}/cli-auth-confirm`,
  }
}
