import type { WebUrl } from '../core/web-types'
import { withoutEnding } from '../core/urls'
import { toAuthError, misuse } from '../errors/auth-error'
import { isBrowser } from '../core/host'

/** The URLs of an app's pages: paths, or absolute URLs on a trusted domain. */
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
 * The option `urls`: texts as in `HandlerUrls`, or functions of the address that is judged, for an app whose pages depend on it.
 * That address is the `url` of `decide` and the `appUrl` of a login of a program, elsewhere the page's own, and
 * `https://relative.invalid/` where there is no page.
 * undefined is the default; what a function throws is CALLBACK_FAILED.
 */
export type UrlOptions = {
  readonly [Name in keyof HandlerUrls]?: string | ((url: WebUrl) => string | undefined)
}

/** A page of the app, by its name in `urls`. */
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

/** Unused origins, on which only relative targets stay; a server does not know the URL of its page. */
export const nowhere = ['https://relative.invalid', 'http://relative.invalid'] as const

/** An app's URLs, and the address for which they are asked. */
export interface Pages {
  readonly urls: UrlOptions
  /** Undefined outside a browser. */
  readonly href: () => string | undefined
}

/** A URL of an app: its own, else the default; undefined counts as missing. */
export function urlOf(pages: Pages, name: keyof HandlerUrls): string {
  const url = ownUrl(pages, name)
  switch (name) {
    case 'handler':
      return withoutEnding(url ?? '/handler', '/')
    case 'home':
      return url ?? '/'
    case 'afterSignUp':
      return url ?? urlOf(pages, 'afterSignIn')
    case 'afterSignIn':
    case 'afterSignOut':
      return url ?? urlOf(pages, 'home')
    default:
      // A page below the handler has its name as its path: `signIn` is `/handler/sign-in`.
      return url ?? `${urlOf(pages, 'handler')}/${name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase())}`
  }
}

function ownUrl({ urls, href }: Pages, name: keyof HandlerUrls): string | undefined {
  const own = urls[name]
  if (typeof own !== 'function') return own
  let url: unknown
  try {
    url = own(new URL(href() ?? nowhere[0]))
  } catch (error) {
    throw toAuthError(error)
  }
  // In JavaScript anything may be returned, a promise for example.
  if (url === undefined || typeof url === 'string') return url
  throw misuse(`urls.${name}`, 'returns neither a text nor undefined')
}

/**
 * How a redirect leaves the page: with `window.location`, not at all, or with a router's function. `replace` leaves no entry
 * in the history.
 */
export type Navigate = 'window' | 'none' | ((url: string, options: { readonly replace: boolean }) => void)

/** The function that a kit navigates with; undefined if it never does. */
export function navigator(
  navigate: Navigate = isBrowser() ? 'window' : 'none',
): ((url: string, options: { readonly replace: boolean }) => void) | undefined {
  if (typeof navigate === 'function') return navigate
  if (navigate === 'none' || !isBrowser()) return undefined
  return (url, { replace }) => {
    // As the target was judged: the base of the document may be of another origin, and to a blob nothing is relative.
    const { href } = new URL(url, window.location.href.replace(/^blob:/, ''))
    if (replace) window.location.replace(href)
    else window.location.assign(href)
  }
}
