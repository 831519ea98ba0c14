import { parseUrl } from '../core/parse-url'
import type { HandlerUrls } from './urls'

/** What decides where a sign-in may lead. */
export interface Navigation {
  readonly urls: HandlerUrls
  /** Origins besides our own: `https://app.example.com`, `https://*.example.com`. Ports count. */
  readonly trustedDomains: readonly string[]
  /** The address of the page; undefined outside a browser. */
  readonly href: () => string | undefined
  /** Goes there; undefined: this kit never navigates. */
  readonly go?: ((url: string, options: { readonly replace: boolean }) => void) | undefined
}

/** Origins that nobody has, so that only relative targets stay on them; a server does not know how its page is reached. */
const nowhere = ['https://relative.invalid', 'http://relative.invalid'] as const

/**
 * Whether an app may send people to `target`: it is relative, of the page's own origin, or on a trusted domain.
 *
 * Judged by a real URL parser, since backslashes, tabs, `//host` and `javascript:` all look harmless as text; and
 * `https:host` is relative to a page on https, but absolute to one on http.
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

/** What one parser takes for a slash or leaves out, and another does not, where the scheme is not the web's own. */
const unclear = /[\\\t\n\r]/

/** Where targets are relative to: the page's origin, or the page itself if its origin is opaque. */
function baseOf(page: string): string {
  const url = new URL(page)
  return isOpaque(url) ? page : url.origin
}

/** An app in a web view or of a file: `capacitor://localhost`, `tauri://localhost`, `file://`. */
function isOpaque(url: URL): boolean {
  return url.origin === 'null'
}

/** Whether there are other pages beside it: `about:blank` and `data:` have none. */
function hasPlaces(url: URL): boolean {
  return url.host !== '' || url.protocol === 'file:'
}

/** By scheme and host, since all opaque origins read the same. */
function isSameSite(one: URL, other: URL): boolean {
  return one.origin === other.origin && one.protocol === other.protocol && one.host === other.host
}

function isOnDomain(url: URL, domain: string): boolean {
  // A label stands in for the wildcard, because not every URL parser takes a star.
  const isWildcard = domain.includes('://*.')
  const trusted = parseUrl(domain.replace('://*.', '://any.'))
  // Without a host there is nothing to trust but a scheme: `localhost:3000`, `javascript:x`.
  if (!trusted || trusted.hostname === '' || url.protocol !== trusted.protocol || url.port !== trusted.port)
    return false
  if (!isWildcard) return url.hostname === trusted.hostname
  const dot = url.hostname.indexOf('.')
  return dot > 0 && url.hostname.slice(dot) === trusted.hostname.slice('any'.length)
}

/** Where a redirect to sign-in or sign-up has remembered to come back to. */
export const returnParameter = 'after_auth_return_to'

/** Where the page's own address says to come back to; null if it says nothing, or something that is not trusted. */
export function rememberedReturn(navigation: Navigation): string | null {
  const page = navigation.href()
  const returnTo = page === undefined ? null : new URL(page).searchParams.get(returnParameter)
  return returnTo && isTrustedTarget(navigation, returnTo) ? returnTo : null
}

/** Where to go after a sign-in: where the person came from, if that is trusted, else the app's page for it. */
export function afterAuth(navigation: Navigation, isNewUser: boolean, remembered?: string | null): string {
  const returnTo = rememberedReturn(navigation) ?? remembered
  if (returnTo && isTrustedTarget(navigation, returnTo)) return returnTo
  return isNewUser ? navigation.urls.afterSignUp : navigation.urls.afterSignIn
}

/** The pages of a sign-in itself: coming back to one of them would end nowhere. */
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

/** The present page, as a place to come back to; null where there is none, or none that makes sense. */
export function presentPage(navigation: Navigation, target: string): string | null {
  const href = navigation.href()
  if (href === undefined) return null
  const page = new URL(href)
  // Another origin could not come back to a relative address.
  const going = parseUrl(target, href)
  if (!going || !isSameSite(going, page)) return null
  const isAuthPage = authPages.some(key => {
    const url = parseUrl(navigation.urls[key], href)
    return url !== null && isSameSite(url, page) && url.pathname === page.pathname
  })
  return isAuthPage ? null : page.pathname + page.search + page.hash
}

/** The target with the place to come back to; without its origin if that is the page's own. */
export function withReturn({ href }: Navigation, target: string, returnTo: string | null): string {
  const base = href() ?? nowhere[0]
  const url = parseUrl(target, base)
  if (returnTo === null || !url) return target
  url.searchParams.set(returnParameter, returnTo)
  return isSameSite(url, new URL(base)) ? url.pathname + url.search + url.hash : url.href
}

/** The absolute address of a page of the app, for a mail; undefined where the page's own address is unknown. */
export function absoluteUrl({ href }: Navigation, path: string): string | undefined {
  const page = href()
  if (page === undefined) return parseUrl(path) ? path : undefined
  // A page like about:blank has nothing relative to it.
  const url = parseUrl(path, page)
  if (!url) return undefined
  const returnTo = new URL(page).searchParams.get(returnParameter)
  if (returnTo) url.searchParams.set(returnParameter, returnTo)
  url.hash = ''
  return url.href
}
