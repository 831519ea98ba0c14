import { parseUrl } from '../../core/urls'
import { isThenable } from '../../core/promises'
import { misuse } from '../../errors/auth-error'

/** Requests of fetch, Node and Express, and other objects with headers in one of the two forms. */
export interface RequestLike {
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>
  /** A whole URL, as in a fetch `Request`, shows whether the request came by https. */
  readonly url?: string | undefined
  /** GET, with the headers of a navigation, shows that the user has followed a link. */
  readonly method?: string | undefined
  /** Node's socket: an encrypted one shows that the request came by https. */
  readonly socket?: object | null | undefined
}

/** Refuses what has no headers, which JavaScript lets through. `call` takes the request. */
export function assertRequest(request: RequestLike, call: string): void {
  // In JavaScript anything may be given.
  const { headers } = (request ?? {}) as { readonly headers?: unknown }
  const isObject = typeof headers === 'object' && headers !== null
  if (isObject && ('get' in headers || !isThenable(headers))) return
  throw misuse(
    'request.headers',
    isObject ? 'is a promise; await it first' : `is missing; write ${call}, with a request or { headers }`,
  )
}

/** The header's text; empty if absent, and where it is no text. Node joins repeated headers, other servers may give a list. */
export function header({ headers }: RequestLike, name: string): string {
  const value: unknown = typeof headers.get === 'function' ? headers.get(name) : listed(headers as Listed, name)
  if (Array.isArray(value)) return value.join(name === 'cookie' ? '; ' : ', ')
  return typeof value === 'string' ? value : ''
}

/** Node writes names in lower case, other servers as they came. */
function listed(headers: Listed, name: string): Listed[string] {
  return headers[name] ?? Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1]
}

type Listed = Readonly<Record<string, string | readonly string[] | undefined>>

/** The hosts that the request names, without those of proxies after the first: the one in the browser's address comes first. */
export function hostsOf(request: RequestLike): string[] {
  const [forwarded = ''] = header(request, 'x-forwarded-host').split(',')
  const names = [forwarded, header(request, 'host'), authorityOf(request), parseUrl(request.url ?? '')?.host ?? '']
  return names.map(name => name.trim().toLowerCase()).filter(name => name !== '')
}

/** The authority of a request over HTTP/2 in Node; headers of fetch refuse the name. */
function authorityOf(request: RequestLike): string {
  return typeof request.headers.get === 'function' ? '' : header(request, ':authority')
}

/** The text after `Authorization: Bearer`, whether or not it can be a token; null if there is none. */
export function bearerIn(request: RequestLike): string | null {
  return /^Bearer\s(.*)$/is.exec(header(request, 'authorization'))?.[1]?.trim() || null
}

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
  const isPlain = url?.protocol === 'http:' && cameByHttps(request)
  const isOwn = (host: string) => url !== null && !isPlain && parseUrl(`${url.protocol}//${host}`)?.host === url.host
  return hostsOf(request).some(isOwn) ? undefined : (url?.origin ?? 'null')
}

/** Whether the browser used https, as far as that is known. A proxy may also speak https to this server alone. */
function cameByHttps(request: RequestLike): boolean {
  const forwarded = header(request, 'x-forwarded-proto')
  return forwarded ? isHttps(forwarded) : isEncrypted(request)
}

/** Whether the request came to this process by https, by its address or its socket. */
export function isEncrypted({ url = '', socket }: RequestLike): boolean {
  const isTls = typeof socket === 'object' && socket !== null && 'encrypted' in socket && socket.encrypted === true
  return isTls || isHttps(url)
}

/** Whether a text begins with https: a URL, or a list of the protocols of proxies. */
export function isHttps(text: string): boolean {
  return /^\s*https\b/i.test(text)
}

/** Whether a link, or a redirect of a provider, has led the user here. A form that posts has the same two headers. */
export function isVisit(request: RequestLike): boolean {
  const [mode, dest] = [header(request, 'sec-fetch-mode'), header(request, 'sec-fetch-dest')]
  return request.method === 'GET' && mode === 'navigate' && dest === 'document'
}

/** A browser's question whether a page of another origin may ask: without cookies, tokens and a body. */
export function isPreflight(request: RequestLike): boolean {
  return request.method === 'OPTIONS' && header(request, 'access-control-request-method') !== ''
}
