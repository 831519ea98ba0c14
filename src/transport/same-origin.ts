import { DEV } from '../core/dev'
import { parseUrl } from '../core/parse-url'
import { AuthError } from '../errors/auth-error'

/** After this many hops, the redirect itself is the answer, a failure. */
const maxHops = 5

/**
 * Fetches, and follows redirects to the same origin only, with the same method, headers and body: tokens, keys and passwords
 * reach no other origin. A redirect to another origin is REDIRECT_REFUSED; so is every redirect in a browser, which does not
 * reveal its target. `redirect: 'error'` follows none.
 */
export async function fetchFromOrigin(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { origin } = new URL(url)
  for (let address = url, hops = 0; ; hops++) {
    const response = await fetch(address, { ...init, redirect: 'manual' })
    const target = targetOf(response, address)
    if (response.type === 'opaqueredirect' || (target && target.origin !== origin))
      throw redirectRefused(origin, target, response, DEV ? "set baseUrl to the platform's final address" : '')
    if (!target || response.redirected || hops === maxHops || !repeats(response.status, init)) return response
    // Unless it is read, its connection stays open.
    await response.text()
    address = target.href
  }
}

/** Where a response to a request of `address` redirects to, or has been redirected; null: nowhere, or it is hidden. */
export function targetOf({ status, headers, redirected, url }: Response, address: string): URL | null {
  // Some fetches follow every redirect (React Native); it is detected only afterwards.
  if (redirected) return parseUrl(url)
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  return location === null ? null : parseUrl(location, address)
}

/** Whether following repeats the request: the older statuses turn it into a GET. */
function repeats(status: number, { method = 'GET', redirect }: RequestInit): boolean {
  return redirect !== 'error' && (status > 303 || method === 'GET')
}

/** `advice`: what the developer can do. */
export function redirectRefused(
  from: string,
  target: URL | null,
  { status }: Response,
  advice: string,
): AuthError<'REDIRECT_REFUSED'> {
  // URLs without an origin (data:, file:) have the text "null" for it.
  const to = target && (target.origin === 'null' ? target.protocol : target.origin)
  return new AuthError(
    'REDIRECT_REFUSED',
    DEV
      ? `${from} redirects this request to ${to ?? 'an address that the browser hides'}; it was not followed; ${advice}`
      : '',
    { details: { from, to }, status: status || undefined },
  )
}
