import { withoutEnding } from '../core/without-ending'

/**
 * The URLs of an app's pages: paths, or absolute URLs on a trusted domain.
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

/**
 * A page of the app, by its name in `urls`.
 *
 * @example
 * const go = (page: Page) => app.redirectTo(page)
 * await go('accountSettings')
 */
export type Page = Exclude<keyof HandlerUrls, 'handler'>

/** The names of all URLs. */
export const urlNames = [
  'handler',
  'home',
  'signIn',
  'signUp',
  'afterSignIn',
  'afterSignUp',
  'signOut',
  'afterSignOut',
  'emailVerification',
  'passwordReset',
  'forgotPassword',
  'oauthCallback',
  'magicLinkCallback',
  'accountSettings',
  'error',
  'teamInvitation',
  'mfa',
  'cliAuthConfirm',
] as const satisfies readonly (keyof HandlerUrls)[]

/** One of an app's URLs: its own, else the default; undefined counts as missing. */
export function urlOf(own: Partial<HandlerUrls>, name: keyof HandlerUrls): string {
  const url = own[name]
  switch (name) {
    case 'handler':
      return withoutEnding(url ?? '/handler', '/')
    case 'home':
      return url ?? '/'
    case 'afterSignUp':
      return url ?? urlOf(own, 'afterSignIn')
    case 'afterSignIn':
    case 'afterSignOut':
      return url ?? urlOf(own, 'home')
    default:
      // A page below the handler has its name as its path: `signIn` is `/handler/sign-in`.
      return url ?? `${urlOf(own, 'handler')}/${name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())}`
  }
}
