import type { HandlerUrls } from './urls'

/** What decides where a sign-in may lead. */
export interface Navigation {
  readonly urls: HandlerUrls
  /** Origins besides our own: `https://app.example.com`, `https://*.example.com`. Ports count. */
  readonly trustedDomains: readonly string[]
  /** The address of the page; undefined outside a browser. */
  readonly href: () => string | undefined
}

/** Origins that nobody has, so that only relative targets stay on them; a server does not know how its page is reached. */
const nowhere = ['https://relative.invalid', 'http://relative.invalid']

/**
 * Whether an app may send people to `target`: it is relative, of the page's own origin, or on a trusted domain.
 *
 * Judged by a real URL parser, since backslashes, tabs, `//host` and `javascript:` all look harmless as text; and
 * `https:host` is relative to a page on https, but absolute to one on http.
 */
export function isTrustedTarget({ trustedDomains, href }: Navigation, target: string): boolean {
  const page = href()
  const origins = page === undefined ? nowhere : [new URL(page).origin]
  return origins.every(own => {
    if (!URL.canParse(target, own)) return false
    const url = new URL(target, own)
    if (url.username !== '' || url.password !== '') return false
    const isOwn = url.origin === own && url.protocol === new URL(own).protocol
    return isOwn || trustedDomains.some(domain => isOnDomain(url, domain))
  })
}

function isOnDomain(url: URL, domain: string): boolean {
  // A label stands in for the wildcard, because not every URL parser takes a star.
  const isWildcard = domain.includes('://*.')
  const pattern = domain.replace('://*.', '://any.')
  if (!URL.canParse(pattern)) return false
  const trusted = new URL(pattern)
  // Without a host there is nothing to trust but a scheme: `localhost:3000`, `javascript:x`.
  if (trusted.hostname === '' || url.protocol !== trusted.protocol || url.port !== trusted.port) return false
  if (!isWildcard) return url.hostname === trusted.hostname
  const dot = url.hostname.indexOf('.')
  return dot > 0 && url.hostname.slice(dot) === trusted.hostname.slice('any'.length)
}

/** Spec §2: where a redirect to sign-in or sign-up has remembered to come back to. */
const returnParameter = 'after_auth_return_to'

/** Where to go after a sign-in: where the person came from, if that is trusted, else the app's page for it. */
export function afterAuth(navigation: Navigation, isNewUser: boolean): string {
  const page = navigation.href()
  const returnTo = page === undefined ? null : new URL(page).searchParams.get(returnParameter)
  if (returnTo && isTrustedTarget(navigation, returnTo)) return returnTo
  return isNewUser ? navigation.urls.afterSignUp : navigation.urls.afterSignIn
}

/** The absolute address of a page of the app, for a mail; undefined where the page's own address is unknown. */
export function absoluteUrl({ href }: Navigation, path: string): string | undefined {
  const page = href()
  if (page === undefined) return URL.canParse(path) ? path : undefined
  const url = new URL(path, page)
  const returnTo = new URL(page).searchParams.get(returnParameter)
  if (returnTo) url.searchParams.set(returnParameter, returnTo)
  url.hash = ''
  return url.href
}
