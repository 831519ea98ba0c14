import type { GeoInfo } from '../../entities/sessions/client'
import { decoded } from '../../core/urls'
import { admissionHeaders } from './authenticate'
import { randomText } from '../model/random-text'
import { RefusedRequest } from '../model/refusal'
import { defaultWire, rulesOf, type WireRules } from '../model/release'

const headerOf = {
  countryCode: 'x-vercel-ip-country',
  regionCode: 'x-vercel-ip-country-region',
  cityName: 'x-vercel-ip-city',
  tzIdentifier: 'x-vercel-ip-timezone',
} as const

/**
 * The geographic place of a client's request, by the headers of a proxy in front of the platform: the first address in
 * `x-forwarded-for`, the place in `x-vercel-ip-…`. Null without an address, and for a server's request.
 */
export function locationIn(headers: Headers): GeoInfo | null {
  const ip = headers.get('x-forwarded-for')?.split(',')[0]?.trim()
  const access = headers.get('x-stack-access-type') ?? ''
  if (!ip || !['', 'client'].includes(access)) return null
  const texts = Object.entries(headerOf).flatMap(([name, header]) => {
    const text = headers.get(header)
    // City names are percent-encoded, since headers are ASCII.
    return text === null ? [] : [[name, decoded(text)] as const]
  })
  const numbers = (['latitude', 'longitude'] as const).flatMap(name => {
    const number = Number(headers.get(`x-vercel-ip-${name}`) ?? NaN)
    return Number.isFinite(number) ? [[name, number] as const] : []
  })
  return { ip, ...Object.fromEntries<string | number>([...texts, ...numbers]) }
}

const name = 'x-stack-'
const twin = 'x-hexclave-'

/** The second name of a header on the newer release, if it has one. */
function twinOf(header: string): string {
  return header.replace(new RegExp(`^${name}`), twin)
}

/** These names, each followed by its twin. */
export function withTwins(headers: readonly string[]): string[] {
  return [...new Set(headers.flatMap(header => [header, twinOf(header)]))]
}

/** The request with every header under the name that the platform reads. If both names are sent, the newer one wins. */
export function withoutTwins(request: Request): Request {
  const sent = [...request.headers].filter(([header]) => header.startsWith(twin))
  if (sent.length === 0) return request
  const headers = new Headers(request.headers)
  for (const [header, value] of sent) headers.set(name + header.slice(twin.length), value)
  return new Request(request, { headers })
}

type Body = string | Uint8Array<ArrayBuffer> | null

/** An answer before it becomes a Response. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Whether the platform itself answered: only then the status override applies. */
  readonly fromPlatform: boolean
  /** An HTML page: other origins may not read it. */
  readonly isPage?: boolean
  /** The simulated duration of the work. */
  readonly delayMillis?: number
}

/** On every answer, redirects included. The first header separates a popup on this page from the page that opened it. */
const security = {
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

const exposed = ['content-type', 'x-stack-actual-status', 'x-stack-known-error']

const allowed = [
  'content-type',
  'authorization',
  'x-stack-project-id',
  'x-stack-branch-id',
  'x-stack-override-error-status',
  'x-stack-random-nonce',
  'x-stack-client-version',
  'x-stack-disable-artificial-development-delay',
  'x-stack-access-type',
  'x-stack-publishable-client-key',
  'x-stack-secret-server-key',
  'x-stack-super-secret-admin-key',
  'x-stack-admin-access-token',
  'x-stack-refresh-token',
  'x-stack-access-token',
  'baggage',
  'sentry-trace',
  'x-vercel-protection-bypass',
  'ngrok-skip-browser-warning',
]

function corsOf({ limitsUsers, hasHeaderTwins }: WireRules): Readonly<Record<string, string>> {
  const all = limitsUsers ? [...allowed, ...admissionHeaders] : allowed
  const list = (headers: readonly string[]) => (hasHeaderTwins ? withTwins(headers) : headers).join(', ')
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-max-age': '86400',
    'access-control-expose-headers': list(exposed),
    'access-control-allow-headers': list(all),
  }
}

export const jsonType = 'application/json; charset=utf-8'
export const textType = 'text/plain; charset=utf-8'

/** An answer from outside the endpoints, such as routing or preflight. It has no request id and ignores the override. */
export function bareReply(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | null = null,
): Reply {
  return { status, headers, body, fromPlatform: false }
}

/** An answer of an endpoint; a redirect has neither type nor body. */
export function platformReply(
  status: number,
  contentType: string | null,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const type = contentType !== null && { 'content-type': contentType }
  const common = { ...type, 'cache-control': 'no-store, max-age=0', 'x-stack-request-id': randomText(80) }
  return { status, headers: { ...common, ...headers }, body, fromPlatform: true }
}

/** The reply to an error thrown by a handler. Any error but a refusal is a defect of the platform, and the reply says so. */
export function refusalReply(error: unknown): Reply {
  if (!(error instanceof RefusedRequest)) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const requestId = randomText(80)
    const body = `The local platform itself failed. ${what}\nRequest: ${requestId}`
    return platformReply(500, textType, body, { 'x-stack-request-id': requestId })
  }
  const { status, code, message, details } = error
  if (code === null) return platformReply(status, textType, message)
  const body = JSON.stringify({ code, error: message, ...(details && { details }) }, null, 2)
  return platformReply(status, jsonType, body, { 'x-stack-known-error': code })
}

/** The answer as a Response: with CORS headers, and with status 200 if the caller asked for that. */
export function toResponse(
  { status, headers, body, fromPlatform, isPage }: Reply,
  request: Request,
  rules = rulesOf(defaultWire),
): Response {
  const isOverridable = fromPlatform && status >= 400 && !(rules.keepsServerErrors && status >= 500)
  const overridden = isOverridable && request.headers.has('x-stack-override-error-status')
  const own = { ...headers, ...(overridden && { 'x-stack-actual-status': String(status) }) }
  const sent = request.method === 'HEAD' ? null : body
  // Encoded: a Response would add a content type to a text.
  return new Response(typeof sent === 'string' ? new TextEncoder().encode(sent) : sent, {
    status: overridden ? 200 : status,
    headers: {
      ...security,
      ...(!isPage && corsOf(rules)),
      ...own,
      ...(rules.hasHeaderTwins && Object.fromEntries(Object.entries(own).map(([key, value]) => [twinOf(key), value]))),
    },
  })
}
