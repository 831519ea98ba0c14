import { parseUrl } from '../core/urls'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { developerError, type AuthError } from '../errors/auth-error'

/**
 * Fetches, and follows redirects to the same origin only, with the same method, headers and body: tokens, keys and passwords
 * reach no other origin. A redirect to another origin is REDIRECT_REFUSED; so is every redirect in a browser, which does not
 * reveal its target. `redirect: 'error'` follows none. After five hops the redirect itself is the answer, a failure.
 */
export const fetchFromOrigin: typeof fetchOnce = OUTSIDE_BROWSERS
  ? async (fetch, url, init) => {
      const { method = 'GET', redirect } = init
      for (let address = url, hops = 0; ; hops++) {
        const response = await fetchOnce(fetch, address, init)
        const target = targetOf(response, address)
        // The older statuses turn the request into a GET.
        const isRepeated = redirect !== 'error' && (response.status > 303 || method === 'GET')
        if (!target || response.redirected || hops === 5 || !isRepeated) return response
        // Unless it is read, its connection stays open.
        await response.text()
        address = target.href
      }
    }
  : fetchOnce

async function fetchOnce(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
  const { origin } = new URL(url)
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const target = targetOf(response, url)
  if (response.type === 'opaqueredirect' || (target && target.origin !== origin))
    throw redirectRefused(origin, target, response, true)
  return response
}

/** Where a response to a request of `address` redirects to, or has been redirected; null: nowhere, or it is hidden. */
export function targetOf({ status, headers, redirected, url }: Response, address: string): URL | null {
  // Some fetches follow every redirect (React Native); it is detected only afterwards.
  if (redirected) return parseUrl(url)
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  return location === null ? null : parseUrl(location, address)
}

/** `isPlatform`: the platform redirects, and not a backend of the app. */
export function redirectRefused(
  from: string,
  target: URL | null,
  { status }: Response,
  isPlatform: boolean,
): AuthError<'REDIRECT_REFUSED'> {
  // URLs without an origin (data:, file:) have the text "null" for it.
  const to = target && (target.origin === 'null' ? target.protocol : target.origin)
  return developerError(
    'REDIRECT_REFUSED',
    `${from} redirects this request to ${to ?? 'an address that the browser hides'}; it was not followed; ${isPlatform ? "set baseUrl to the platform's final address" : 'send it to the final address'}`,
    { details: { from, to }, status: status || undefined },
  )
}
