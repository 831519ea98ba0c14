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

/** Pages below the handler, each with its name as its path: `signIn` is `/handler/sign-in`. */
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

/** All URLs: the app's own, else the defaults; undefined counts as missing. */
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
    // The keys are the names of `pages`.
    ...(Object.fromEntries(pages.map(name => [name, given[name] ?? `${handler}/${pathOf(name)}`])) as Record<
      (typeof pages)[number],
      string
    >),
  }
}

function pathOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())
}
