import { parseUrl } from '../../core/parse-url'
import { header, hostsOf } from './request-like'
import type { RequestLike } from './request-like'

/**
 * The origin of a foreign page that has made the browser send this request, as far as the browser says; undefined: the app's
 * own page, the user, or a program.
 *
 * A page can neither leave these headers out nor change them, nor add `x-forwarded-host` to a request that carries cookies.
 * Only a GET of an old browser, or over plain http, has neither of them.
 */
export function foreignOrigin(request: RequestLike): string | undefined {
  const [site, origin] = [header(request, 'sec-fetch-site'), header(request, 'origin')]
  // Compared by the browser, which knows its address behind any proxy.
  if (site === 'same-origin' || site === 'none') return undefined
  const url = parseUrl(origin)
  if (site === 'cross-site' || site === 'same-site') return url?.origin ?? (origin ? 'null' : site)
  if (!origin) return undefined
  const isOwn = (host: string) => url !== null && parseUrl(`${url.protocol}//${host}`)?.host === url.host
  return hostsOf(request).some(isOwn) ? undefined : (url?.origin ?? 'null')
}

/** Whether a link, or a redirect of a provider, has led the user here. A form that posts has the same two headers. */
export function isVisit(request: RequestLike): boolean {
  const [mode, dest] = [header(request, 'sec-fetch-mode'), header(request, 'sec-fetch-dest')]
  return request.method === 'GET' && mode === 'navigate' && dest === 'document'
}
