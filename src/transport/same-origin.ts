import { parseUrl } from '../core/parse-url'
import { AuthError } from '../errors/auth-error'

/** More are a circle; the last answer is taken for what it is, a failure. */
const maxHops = 5

/**
 * Fetches, and follows a redirect to the same origin only, with the same method, headers and body: tokens, keys and
 * passwords go nowhere else. Another origin is REDIRECT_REFUSED; so is every redirect in a browser, which does not tell where
 * it leads. `redirect: 'error'` follows none at all.
 */
export async function fetchFromOrigin(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { origin } = new URL(url)
  for (let address = url, hops = 0; ; hops++) {
    const response = await fetch(address, { ...init, redirect: 'manual' })
    // Where fetch follows whatever it is told (React Native), this is the earliest that anything can be said.
    const target = response.redirected ? parseUrl(response.url) : targetOf(response, address)
    if (response.type === 'opaqueredirect' || (target && target.origin !== origin))
      throw refused(origin, target, response.status)
    if (!target || response.redirected || hops === maxHops || !repeats(response.status, init)) return response
    // Read to its end, or its connection would stay open.
    await response.text()
    address = target.href
  }
}

function targetOf({ status, headers }: Response, address: string): URL | null {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  return location === null ? null : parseUrl(location, address)
}

/** Whether following sends the same request again: the older statuses make a GET of whatever it was. */
function repeats(status: number, { method = 'GET', redirect }: RequestInit): boolean {
  return redirect !== 'error' && (status > 303 || method === 'GET')
}

function refused(from: string, target: URL | null, status: number): AuthError<'REDIRECT_REFUSED'> {
  // Addresses without an origin (data:, file:) have the text "null" for it.
  const to = target && (target.origin === 'null' ? target.protocol : target.origin)
  const where = to === null ? 'to an address that the browser does not tell' : `to ${to}`
  return new AuthError(
    'REDIRECT_REFUSED',
    `${from} redirects this request ${where}, where it does not go; set baseUrl to where the platform answers itself`,
    { details: { from, to }, status: status || undefined },
  )
}
