import { isOnDomain } from '../core/domains'
import { parseUrl } from '../core/urls'
import { addParameter, dropPlace, isSameRoute, returnIn, setReturn } from './route'
import { nowhere, urlOf, type HandlerUrls, type Pages } from './urls'

/** The settings that decide where a sign-in may lead. */
export interface Navigation extends Pages {
  /** Origins trusted besides the page's own: `https://app.example.com`, `https://*.example.com:*`. Ports count. */
  readonly trustedDomains: readonly string[]
  /** Origins of the app's own backend besides the page's own, in the same syntax. */
  readonly apiOrigins?: readonly string[] | undefined
  /** Goes to a URL; undefined: this kit never navigates. */
  readonly go?: ((url: string, options: { readonly replace: boolean }) => void) | undefined
}

/**
 * Whether an app may redirect to `target`: it is relative, of the page's own origin, or on a trusted domain.
 *
 * Judged by a real URL parser, since backslashes, tabs, `//host` and `javascript:` look harmless as text, and `https:host`
 * is relative to a page on https, but absolute to one on http.
 */
export function isTrustedTarget({ trustedDomains, href }: Navigation, target: string): boolean {
  const page = href()
  const bases = page === undefined ? nowhere : [baseOf(page)]
  return bases.every(base => {
    const url = parseUrl(target, base)
    if (!url || url.username !== '' || url.password !== '') return false
    const own = new URL(base)
    const isOwn = hasPlaces(own) && isSameSite(url, own) && !(isOpaque(url) && unclear.test(target))
    return isOwn || trustedDomains.some(domain => isOnDomain(url, domain))
  })
}

/** Whether the app's own tokens may be sent to `url`: it is of the page's own origin, or of one of `apiOrigins`. */
export function isApiTarget(navigation: Navigation, url: string): boolean {
  return isTrustedTarget({ ...navigation, trustedDomains: navigation.apiOrigins ?? [] }, url)
}

/** Characters that some parsers take for a slash or drop, for schemes other than the web's own. */
const unclear = /[\\\t\n\r]/

/** The base of relative targets: the page's origin, or the page itself if its origin is opaque. */
function baseOf(page: string): string {
  const url = new URL(page)
  return isOpaque(url) ? page : url.origin
}

/** An app in a web view or from a file: `capacitor://localhost`, `tauri://localhost`, `file://`. */
function isOpaque(url: URL): boolean {
  return url.origin === 'null'
}

/** Whether relative targets exist: `about:blank` and `data:` have none. */
function hasPlaces(url: URL): boolean {
  return url.host !== '' || url.protocol === 'file:'
}

/** Compares scheme and host, since all opaque origins read "null". */
function isSameSite(one: URL, other: URL): boolean {
  return one.origin === other.origin && one.protocol === other.protocol && one.host === other.host
}

/** The return address in the page's own URL; null if it is missing or not trusted. */
export function rememberedReturn(navigation: Navigation): string | null {
  const page = navigation.href()
  const returnTo = page === undefined ? null : returnIn(new URL(page))
  return returnTo && isTrustedTarget(navigation, returnTo) ? returnTo : null
}

/** Where to go after a sign-in: to the return address if it is trusted, else to the app's page for it. */
export function afterAuth(navigation: Navigation, isNewUser: boolean, remembered?: string | null): string {
  const returnTo = rememberedReturn(navigation) ?? remembered
  if (returnTo && isTrustedTarget(navigation, returnTo)) return returnTo
  return urlOf(navigation, isNewUser ? 'afterSignUp' : 'afterSignIn')
}

/** The pages of a sign-in itself, which are no return addresses. */
const authPages = [
  'signIn',
  'signUp',
  'signOut',
  'forgotPassword',
  'passwordReset',
  'emailVerification',
  'oauthCallback',
  'magicLinkCallback',
  'mfa',
  'error',
] as const

/** The present page as a return address; null if there is none, or the target could not come back to it. */
export function presentPage(navigation: Navigation, target: string): string | null {
  const href = navigation.href()
  if (href === undefined) return null
  const page = new URL(href)
  // A relative address means another page on another origin.
  const going = parseUrl(target, href)
  if (!going || !isSameSite(going, page)) return null
  // A path that begins with two slashes is, alone, the address of a host.
  const path = page.pathname + page.search + page.hash
  return authPages.some(key => isAt(navigation, key)) || !isTrustedTarget(navigation, path) ? null : path
}

/** Whether the present page is this one of the app. */
export function isAt(navigation: Navigation, key: keyof HandlerUrls): boolean {
  const page = parseUrl(navigation.href() ?? '')
  const url = page && parseUrl(urlOf(navigation, key), page.href)
  return page !== null && url !== null && isSameSite(url, page) && isSameRoute(page, url)
}

/**
 * The same settings for a page that is not shown yet, or not here: of `url`, the path of the page's own origin. On a server, which
 * has no page, also the origin of `url`.
 */
export function at(navigation: Navigation, url: string): Navigation {
  const href = navigation.href()
  const given = parseUrl(url, href ?? nowhere[0])
  const isWeb = given !== null && /^https?:$/.test(given.protocol)
  const page = new URL(href ?? (isWeb ? given.origin : nowhere[0]))
  const { pathname, search, hash } = given ?? { pathname: '/', search: '', hash: '' }
  Object.assign(page, { pathname, search, hash })
  return { ...navigation, href: () => page.href }
}

/** The target with the return address, and with what says that it adds a person; without the origin if it is the page's own. */
export function withReturn({ href }: Navigation, target: string, returnTo: string | null, adds?: boolean): string {
  const base = href() ?? nowhere[0]
  const url = parseUrl(target, base)
  if (!url || (returnTo === null && !adds)) return target
  if (returnTo !== null) setReturn(url, returnTo)
  if (adds) setReturn(url, 'true', addParameter)
  if (!isSameSite(url, new URL(base))) return url.href
  const path = url.pathname + url.search + url.hash
  // Alone, it would begin with a host.
  return path.startsWith('//') ? `/.${path}` : path
}

/**
 * The path of this origin that a router shows for `address`: without the base path, which the router adds. Undefined if the
 * address leads elsewhere, as it came or without the base path: what is left of `/docs//host` would be the address of a host.
 */
export function pathBelow(basePath: string, address: string): string | undefined {
  const [origin] = nowhere
  // Without its slash, an address is relative to a page that is not known here.
  const url = /^[/?#]/.test(address) ? parseUrl(address, origin) : null
  if (url?.origin !== origin) return undefined
  const path = url.pathname + url.search + url.hash
  const rest = path.slice(basePath.length)
  const below = path.startsWith(basePath) && /^([/?#]|$)/.test(rest) ? rest.replace(/^(?!\/)/, '/') : path
  return below.startsWith('//') ? undefined : below
}

/** The absolute URL of a page of the app, for a mail; undefined if the page's own URL is unknown. */
export function absoluteUrl(navigation: Navigation, path: string): string | undefined {
  const page = navigation.href()
  if (page === undefined) return parseUrl(path) ? path : undefined
  // No URL is relative to a page such as about:blank.
  const url = parseUrl(path, page)
  if (!url) return undefined
  dropPlace(url)
  const returnTo = rememberedReturn(navigation)
  if (returnTo) setReturn(url, returnTo)
  return url.href
}
