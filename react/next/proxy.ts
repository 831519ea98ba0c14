import { NextResponse } from 'next/server'
import { decide, isAuthError, requestTokens, type CookieWrite, type Decision, type Need } from 'rxauth'
import type { RequestApp, ServerApp, Verified } from 'rxauth/server'
import { cacheHeaders, isPreflight, pathBelow } from '../../src/inside'
import { decodedSegments, invalidOption, needsOf, type PathNeeds } from './needs'

/** The header in which the proxy tells a page its address, to which a sign-in returns. */
export const addressHeader = 'x-rxauth-url'

/** The request that `proxy` gets: a `NextRequest`. */
export interface ProxyRequest {
  readonly url: string
  readonly method: string
  readonly headers: { get(name: string): string | null }
  readonly nextUrl?: { readonly basePath: string }
}

/** The answer of `proxy`: a `NextResponse`. */
export type ProxyResponse = NonNullable<Verified<unknown>['refusal']>

interface ProxyParts {
  readonly server: () => ServerApp
  readonly needs: PathNeeds | undefined
  readonly forbidden: string | undefined
  readonly basePath: string
}

/** `proxy`, with what `nextApp` knows. */
export function proxyOf({ server, needs = {}, forbidden, basePath }: ProxyParts) {
  const needOf = needsOf(needs)
  return async function proxy(request: ProxyRequest): Promise<ProxyResponse> {
    const { nextUrl = { basePath }, url } = request
    // Or no pattern would be that of a path.
    if (nextUrl.basePath !== basePath)
      throw invalidOption('basePath', `is not that of next.config, which is "${nextUrl.basePath}"`)
    const address = new URL(url)
    const pathname = address.pathname.slice(basePath.length)
    const pages = pagesOf(pathname)
    const [path = ''] = pages
    const found = pages.map(needOf)
    const all = found.filter(need => !!need)
    // A file of the app is the same for everyone, and caches keep it.
    const isFile =
      path.startsWith('/_next/') ||
      (found.every(need => need === undefined) && fileEnding.test(path) && !pathname.endsWith('/'))
    // Next.js renders no page for a preflight.
    if (isFile || isPreflight(request)) return goOn(request.headers, null)
    const written: CookieWrite[] = []
    const own = server().withTokens(requestTokens(request, cookie => void written.push(cookie)))
    try {
      const [isOfUser, decision] = await look(own, all, url)
      const response = decision
        ? refused(decision, request, { basePath, path, forbidden: forbidden && basePath + forbidden })
        : goOn(request.headers, address.pathname + address.search, written)
      for (const { name, value, options } of written) response.cookies.set(name, value, options)
      // The page of a visitor is the same for all of them, if the app says so.
      if (all.length > 0 || isOfUser || written.length > 0) {
        // Headers of next.config and of route handlers cannot be removed here: these take their places.
        const headers = { ...cacheHeaders, 'cache-control': 'private, no-store' }
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
        response.headers.append('vary', 'Cookie')
      }
      return response
    } finally {
      own.dispose()
    }
  }
}

type RefusedVisit = Exclude<Decision, { readonly decision: 'allow' }>

/** Refreshes the session, since pages cannot set cookies. Whether there is one, and why the page may not be shown. */
async function look(own: RequestApp, all: readonly Need[], url: string): Promise<[boolean, RefusedVisit?]> {
  let isOfUser: boolean
  try {
    isOfUser = (await own.accessToken()) !== null
  } catch (error) {
    // Without the platform: a page without a need may show what it has.
    if (all.length > 0 || !isAuthError(error)) throw error
    return [true]
  }
  for (const need of all) {
    // With the signal of the request, Next.js would print an error when a visitor leaves while the proxy waits.
    const decision = await decide(own, need, { url })
    if (decision.decision !== 'allow') return [isOfUser, decision]
  }
  return [isOfUser]
}

/**
 * The paths of the pages that may answer, written in one way: `/%69ndex/` is `/index`. Parts of a page, which the router fetches, have
 * addresses of their own on some hosts, and so have its data with `skipProxyUrlNormalize`: the needs of each of these pages count.
 */
function pagesOf(pathname: string): string[] {
  const path = `/${decodedSegments(pathname).map(encodeURIComponent).join('/')}`
  const [, ofData] = /^\/_next\/data\/[^/]+(\/.*)\.json$/.exec(path) ?? []
  const end = /\.segment(?:\.rsc)?$/.test(path) ? path.lastIndexOf('.segments/') : -1
  const pages = [ofData ?? path, ...(end < 0 ? [] : [path.slice(0, end)])]
  return pages.includes('/index') ? [...pages, '/'] : pages
}

/**
 * Lets Next.js answer. Anyone can send the header of the address: the page gets what is true, or none. It gets the cookies of the
 * answer too: one that runs in another process than the proxy would refresh once more.
 */
function goOn(
  given: ProxyRequest['headers'],
  address: string | null,
  written: readonly CookieWrite[] = [],
): NextResponse {
  // The headers are those of a request.
  const headers = new Headers(given as Headers)
  if (written.length > 0) headers.set('cookie', withCookies(headers.get('cookie') ?? '', written))
  if (address === null) headers.delete(addressHeader)
  else headers.set(addressHeader, address)
  return NextResponse.next({ request: { headers } })
}

/** The `cookie` header of a browser that has these cookies too. Of one at several places the last one counts. */
function withCookies(header: string, written: readonly CookieWrite[]): string {
  const values = new Map(written.map(({ name, value }) => [name, value]))
  const others = header.split(/; ?/).filter(part => part !== '' && !values.has(part.slice(0, part.indexOf('='))))
  const kept = [...values].flatMap(([name, value]) => (value === '' ? [] : `${name}=${encodeURIComponent(value)}`))
  return [...others, ...kept].join('; ')
}

/** Other paths with a dot are pages: `/users/john.doe`. A page that ends like a file is named in `needs`. */
const fileEnding =
  /\.(avif|bmp|css|csv|eot|gif|gz|html?|ico|jpe?g|js|json|map|mjs|mov|mp[34]|ogg|otf|pdf|png|svg|ttf|txt|wasm|wav|web[mp]|webmanifest|woff2?|xml|zip)$/i

interface RequestedPath {
  readonly basePath: string
  /** Below the base path. */
  readonly path: string
  /** With the base path. */
  readonly forbidden: string | undefined
}

function refused(
  decision: RefusedVisit,
  request: ProxyRequest,
  { basePath, path, forbidden }: RequestedPath,
): NextResponse {
  const { headers, method, url } = request
  const to = 'to' in decision ? new URL(decision.to, url) : undefined
  const isAction = headers.get('next-action') !== null
  const isRead = method === 'GET' || method === 'HEAD'
  const isByScript = headers.get('sec-fetch-dest') === 'empty'
  // Browsers post the form of a page, and accept a page.
  const isForm = method === 'POST' && !isByScript && /\btext\/html\b/.test(headers.get('accept') ?? '')
  if (isApi(path, headers) || !(isAction || isRead || isForm))
    return decision.decision === 'sign-in' ? refusal(401) : refusal(403)
  // A server action, called by the page.
  if (isAction) return to ? empty({ 'x-action-redirect': `${forRouter(to, url, basePath)};push` }) : refusal(403)
  // The router of Next.js, which fetches a page before its link is followed: it must not keep a redirect as the page's content. If
  // the link is followed, it loads the page that has no content for it.
  if (isByScript) return empty()
  if (to) return NextResponse.redirect(to, isRead ? 307 : 303)
  return forbiddenPage(forbidden)
}

/** The router adds the base path to a path, and takes any other address as it is. */
function forRouter({ href, origin, pathname, search, hash }: URL, url: string, basePath: string): string {
  const isBelow = origin === new URL(url).origin && `${pathname}/`.startsWith(`${basePath}/`)
  return (isBelow && pathBelow(basePath, pathname + search + hash)) || href
}

/** A rewrite to the app's page would have its status: this one leads there, without JavaScript too. */
function forbiddenPage(forbidden: string | undefined): NextResponse {
  const next = forbidden === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${encodeURI(forbidden)}">`
  const html = `<!doctype html><html lang="en"><head><title>Forbidden</title>${next}</head><body>Forbidden</body></html>`
  return new NextResponse(html, { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function isApi(path: string, headers: ProxyRequest['headers']): boolean {
  return /^\/api(\/|$)/.test(path) || /^application\/json\b/.test(headers.get('accept') ?? '')
}

/** Not 204, of which the router makes a warning in the console. */
const empty = (headers = {}) => new NextResponse('', { headers: { 'content-type': 'text/plain', ...headers } })

/** As `verify.request` refuses. */
function refusal(status: 401 | 403): NextResponse {
  const code = status === 401 ? 'USER_AUTHENTICATION_REQUIRED' : 'FORBIDDEN'
  return NextResponse.json({ code }, { status, ...(status === 401 && { headers: { 'www-authenticate': 'Bearer' } }) })
}
