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

/** Pages of the handler, each named like its path: `signIn` is `/handler/sign-in`. */
const pages = [
  'signIn',
  'signUp',
  'signOut',
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
] as const

/** Every address, the app's own ones before the defaults; what is undefined counts as not given. */
export function resolveUrls(given: Partial<HandlerUrls> = {}): HandlerUrls {
  const handler = withoutEnding(given.handler ?? '/handler', '/')
  const home = given.home ?? '/'
  const afterSignIn = given.afterSignIn ?? home
  return {
    handler,
    home,
    afterSignIn,
    afterSignUp: given.afterSignUp ?? afterSignIn,
    afterSignOut: given.afterSignOut ?? home,
    // Made of the very names.
    ...(Object.fromEntries(pages.map(name => [name, given[name] ?? `${handler}/${pathOf(name)}`])) as Record<
      (typeof pages)[number],
      string
    >),
  }
}

function pathOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())
}
