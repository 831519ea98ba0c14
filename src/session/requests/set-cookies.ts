import { isThenable, thenSync } from '../../core/promises'
import { encodeCookie } from '../stores/cookie-format'
import type { TokenCookie } from '../token-store'
import { header, hostsOf, isEncrypted, isHttps, type RequestLike } from './request-like'

/** A cookie to set on a response, for `Set-Cookie` or a framework's own API. `maxAge` in seconds; 0 deletes it, none lets it end with the browser. */
export interface CookieWrite {
  readonly name: string
  /** Unencoded; the framework encodes it. */
  readonly value: string
  readonly options: {
    readonly maxAge?: number
    readonly path: string
    readonly sameSite: 'lax' | 'none'
    readonly secure: boolean
    readonly domain?: string
    /** Set by an app with `partitioned`, or to delete what another kit has set. */
    readonly partitioned?: true
  }
}

/**
 * Headers for a response that sets such a cookie, without which a cache in front of the app would give one user's session to
 * other users.
 */
export interface CookieHeaders {
  readonly 'cache-control': 'private, no-store'
  /** To be added to the response's `vary`. */
  readonly vary: 'Cookie'
}

/** Sets a cookie and its headers on the response to a request. A returned promise is awaited. */
export type WriteCookie = (cookie: CookieWrite, headers: CookieHeaders) => unknown

export const cookieHeaders: CookieHeaders = { 'cache-control': 'private, no-store', vary: 'Cookie' }

/**
 * Headers that caches in front of an app read before `cache-control` (RFC 9213), each with the value that forbids them to store an
 * answer: for an answer from which no header can be removed.
 */
export const cacheHeaders: Readonly<Record<string, string>> = {
  'cdn-cache-control': 'private, no-store',
  'cloudflare-cdn-cache-control': 'private, no-store',
  'netlify-cdn-cache-control': 'private, no-store',
  'vercel-cdn-cache-control': 'private, no-store',
  'surrogate-control': 'private, no-store',
  'edge-control': 'no-store',
  'x-accel-expires': '0',
  expires: '0',
}

/**
 * Whether a header of an answer allows caches to store it, whatever its `cache-control` says: `CDN-Cache-Control` and the like,
 * `Surrogate-Control`, `X-Accel-Expires`, `Expires`. An answer that sets the cookies of a session must not have it.
 *
 * @example
 * const forbid = (headers: Headers) => {
 *   for (const name of [...headers.keys()].filter(isCacheHeader)) headers.delete(name)
 * }
 */
export function isCacheHeader(name: string): boolean {
  const header = name.toLowerCase()
  return header.endsWith('-cache-control') || Object.hasOwn(cacheHeaders, header)
}

/** The value of `Set-Cookie`. */
export function cookieLine({ name, value, options }: CookieWrite): string {
  const { maxAge, path, sameSite, secure, domain, partitioned } = options
  const flags = `${domain === undefined ? '' : `; Domain=${domain}`}${partitioned ? '; Partitioned' : ''}${secure ? '; Secure' : ''}`
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return `${name}=${encodeCookie(value)}${age}; Path=${path}; SameSite=${sameSite === 'none' ? 'None' : 'Lax'}${flags}`
}

/** The kind of cookies that the browser of a request keeps. */
interface CookieJarOf {
  readonly isSecure: boolean
  readonly isPartitioned: boolean
}

/** Sets the cookies in order, which matters; synchronous while `write` is. */
export function setCookies(
  cookies: readonly TokenCookie[],
  request: RequestLike,
  jar: CookieJarOf,
  write: WriteCookie,
): unknown {
  let done: unknown
  for (const cookie of fitting(placed(cookies, domainsOf(request), jar)))
    done = thenSync(
      () => done,
      () => promised(write(cookie, cookieHeaders)),
    )
  return done
}

/**
 * The limits of one answer, since a request can name any number of cookies. Below the 200 headers and 40 KB that an answer should
 * have at most: the session may change again before it is sent.
 */
const maxHeaders = 190
const maxBytes = 35_000

/** A cookie and how soon it is written: own ones at once, the last ones only if there is room. */
interface PlacedCookie {
  readonly cookie: CookieWrite
  readonly rank: number
}

/** The cookies that an answer has room for, in their order. The next request names the others again. */
function fitting(all: readonly PlacedCookie[]): CookieWrite[] {
  const chosen = new Set<PlacedCookie>()
  let bytes = 0
  for (const one of [...all].sort((a, b) => a.rank - b.rank)) {
    const size = lineBytes(one.cookie)
    if (one.rank > 0 && (chosen.size === maxHeaders || bytes + size > maxBytes)) continue
    chosen.add(one)
    bytes += size
  }
  return all.filter(one => chosen.has(one)).map(({ cookie }) => cookie)
}

/** The bytes of the header, with every attribute that a framework writes. */
function lineBytes({ name, value, options: { domain = '' } }: CookieWrite): number {
  return name.length + encodeCookie(value).length + domain.length + emptyLine.length
}

const emptyLine =
  'Set-Cookie: =; Max-Age=31536000; Domain=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; SameSite=None; Partitioned\r\n'

type CookieScope = Pick<CookieWrite['options'], 'domain' | 'partitioned'>

/**
 * Each cookie at each of its places. All names of another kit come before a second place of one of them: the host, then its
 * partitioned jar, then the parent domains. Of the first name every place comes first, so that each answer clears one at least.
 */
function placed(
  cookies: readonly TokenCookie[],
  domains: readonly string[],
  { isSecure, isPartitioned }: CookieJarOf,
): PlacedCookie[] {
  const first = cookies.find(({ isForeign }) => isForeign)
  return cookies.flatMap(cookie => {
    const { name, value, maxAgeSeconds, isForeign } = cookie
    const secure = isSecure || name.startsWith('__')
    const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }
    const options = { ...age, path: '/', sameSite: 'lax', secure } as const
    const inPartition = { sameSite: 'none', secure: true } as const
    const at = (place: CookieScope, rank: number): PlacedCookie => ({
      cookie: { name, value, options: { ...options, ...(place.partitioned && inPartition), ...place } },
      rank: cookie === first ? 1 : rank,
    })
    if (!isForeign && !isPartitioned) return [at({}, 0)]
    // A copy from before, which a browser would list first. In a frame of another site it stays: it is not seen there.
    const before = { name, value: '', options: { ...options, maxAge: 0 } }
    if (!isForeign) return [{ cookie: before, rank: 0 }, at({ partitioned: true }, 0)]
    const parents = name.includes('--custom-') ? domains : []
    // The shortest domain is the most likely one of an app that shares its session.
    const rankOf = (index: number, others: number) => (index === parents.length - 1 ? 3 : others + index)
    // The most likely place is last: some frameworks set only the last of several cookies with one name.
    return [
      ...parents.map((domain, index) => at({ domain, partitioned: true }, rankOf(index, 4 + maxLabels))),
      at({ partitioned: true }, 2),
      at({}, 1),
      ...parents.map((domain, index) => at({ domain }, rankOf(index, 4))),
    ]
  })
}

/** The limits of what a request can name, so that it does not multiply the cookies to be written. */
const maxHostLength = 253
const maxLabels = 9

/** The host of the request, and then the parent domains that may have cookies. */
function domainsOf(request: RequestLike): string[] {
  const [host = ''] = hostsOf(request)
  if (host.length > maxHostLength) return []
  const labels = host.replace(/:\d+$/, '').split('.').slice(-maxLabels)
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  return domains.filter(domain => domain.split('.').every(label => isLabel.test(label)))
}

/** The parts of a domain that frameworks write: they throw at others, such as the underscore in `my_app.test`. */
const isLabel = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

/**
 * A setter may return its response for chaining, which is not awaited: Fastify's reply has a `then` that waits for its end.
 */
function promised(returned: unknown): unknown {
  return isThenable(returned) && 'catch' in returned ? returned : undefined
}

/** Whether the browser used https. Behind a proxy the request itself is plain http. */
export function isSecure(request: RequestLike): boolean {
  return (
    isEncrypted(request) ||
    isHttps(header(request, 'x-forwarded-proto')) ||
    /(^|; ?)stack-is-https=true/.test(header(request, 'cookie'))
  )
}
