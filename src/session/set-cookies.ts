import { isThenable, whenThere } from '../core/thenable'
import type { TokenCookie } from './cookie-format'
import { header, hostsOf } from './request-like'
import type { RequestLike } from './request-like'

/**
 * A cookie to set on a response, for `Set-Cookie` or a framework's own API. `maxAge` in seconds; 0 deletes it.
 *
 * @example
 * const header = ({ name, value, options }: CookieWrite) => `${name}=${value}; Max-Age=${options.maxAge}; Path=${options.path}`
 */
export interface CookieWrite {
  readonly name: string
  /** Unencoded; the framework encodes it. */
  readonly value: string
  readonly options: {
    readonly maxAge: number
    readonly path: string
    readonly sameSite: 'lax'
    readonly secure: boolean
    readonly domain?: string
    /** Deletes a partitioned cookie that another kit has set. */
    readonly partitioned?: true
  }
}

/**
 * Headers for a response that sets such a cookie, without which a cache in front of the app would give one user's session to
 * other users.
 *
 * @example
 * const set = (answer: Headers, headers: CookieHeaders) => answer.set('cache-control', headers['cache-control'])
 */
export interface CookieHeaders {
  readonly 'cache-control': 'private, no-store'
  /** To be added to the response's `vary`. */
  readonly vary: 'Cookie'
}

/**
 * Sets a cookie and its headers on the response to a request. A returned promise is awaited.
 *
 * @example
 * const writeTo = (answer: Headers): WriteCookie => ({ name, value, options }, headers) => {
 *   answer.append('set-cookie', `${name}=${encodeURIComponent(value)}; Max-Age=${options.maxAge}; Path=/; SameSite=Lax; Secure`)
 *   answer.set('cache-control', headers['cache-control'])
 *   answer.append('vary', headers.vary)
 * }
 */
export type WriteCookie = (cookie: CookieWrite, headers: CookieHeaders) => unknown

const cookieHeaders: CookieHeaders = { 'cache-control': 'private, no-store', vary: 'Cookie' }

/** Sets the cookies in order, which matters; synchronous while `write` is. */
export function setCookies(
  cookies: readonly TokenCookie[],
  request: RequestLike,
  secure: boolean,
  write: WriteCookie,
): unknown {
  const domains = domainsOf(request)
  let done: unknown
  for (const { name, value, maxAgeSeconds, isForeign } of cookies) {
    const options = {
      maxAge: maxAgeSeconds,
      path: '/',
      sameSite: 'lax',
      secure: secure || name.startsWith('__'),
    } as const
    // Of several cookies with one name some frameworks set only the last: the most likely place.
    const places = name.includes('--custom-') ? domains.map(domain => ({ domain })) : [{}]
    const partitions = [...places.map(place => ({ ...place, secure: true, partitioned: true as const })), ...places]
    for (const place of isForeign ? partitions : [{}])
      done = whenThere(
        () => done,
        () => promised(write({ name, value, options: { ...options, ...place } }, cookieHeaders)),
      )
  }
  return done
}

/** The limits of what a request can name, so that it does not multiply the cookies to be written. */
const maxHostLength = 253
const maxLabels = 9

/** The host of the request, and then the parent domains that may have cookies. */
function domainsOf(request: RequestLike): string[] {
  const [host = ''] = hostsOf(request)
  if (host.length > maxHostLength) return []
  const labels = host.replace(/:\d+$/, '').split('.').slice(-maxLabels)
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/**
 * A setter may return its response for chaining, which is not awaited: Fastify's reply has a `then` that waits for its end.
 */
function promised(returned: unknown): unknown {
  return isThenable(returned) && 'catch' in returned ? returned : undefined
}

/** Whether the browser used https. Behind a proxy the request itself is plain http. */
export function isSecure(request: RequestLike): boolean {
  const { url = '', socket } = request
  const isEncrypted =
    typeof socket === 'object' && socket !== null && 'encrypted' in socket && socket.encrypted === true
  const forwarded = header(request, 'x-forwarded-proto')
  return (
    isEncrypted ||
    [url, forwarded].some(text => /^\s*https\b/i.test(text)) ||
    /(^|; ?)stack-is-https=true/.test(header(request, 'cookie'))
  )
}
