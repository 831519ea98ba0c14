import { parseUrl } from '../core/parse-url'
import { isThenable, whenThere } from '../core/thenable'
import { Turns } from '../core/turns'
import { AuthError, invalidInput } from '../errors/auth-error'
import type { Tokens } from '../transport/credentials'
import { cookiesOf, tokensInCookies } from './cookie-format'
import type { TokenCookie } from './cookie-format'
import { checkedTokens, holdsSame, usableTokens } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/**
 * A cookie that an answer should set, for `Set-Cookie` or a framework's own way. `maxAge` in seconds; 0 deletes it.
 *
 * @example
 * const header = ({ name, value, options }: CookieWrite) => `${name}=${value}; Max-Age=${options.maxAge}; Path=${options.path}`
 */
export interface CookieWrite {
  readonly name: string
  /** As it is; the framework encodes it. */
  readonly value: string
  readonly options: {
    readonly maxAge: number
    readonly path: string
    readonly sameSite: 'lax'
    readonly secure: boolean
    readonly domain?: string
    /** To delete a cookie that another kit has set so. */
    readonly partitioned?: true
  }
}

/**
 * Fetch's `Request`, Node's and Express's requests, and whatever else has headers in one of the two forms.
 *
 * @example
 * const tokenOf = (request: RequestLike) => requestTokens(request)
 * tokenOf({ headers: { cookie: 'stack-access=…' } })
 */
export interface RequestLike {
  readonly headers:
    { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Tells of https where it is the whole address, as a fetch `Request` has it. */
  readonly url?: string | undefined
  /** Node's: an encrypted one tells of https. */
  readonly socket?: object | null | undefined
}

/**
 * The tokens of one request: of its `x-stack-auth` header (see `authHeaders`), else of its cookies. One store per request
 * (per object of headers, whatever that is wrapped in), however often it is asked for.
 *
 * `write` is given the cookies that the answer should set when tokens are replaced; whoever gives it last is told, for all
 * who have asked for this request. Without it a new access token lasts for this request, a session that has ended is signed
 * out for this request, and a new refresh token throws TOKENS_UNAVAILABLE, since the browser would be left with one that no
 * longer works. So it is where `write` throws, as frameworks do that let nobody set cookies while they render. A promise
 * that it returns is waited for.
 *
 * The cookies are `Secure` if the request has come by https: by its `url`, its socket, or `x-forwarded-proto`.
 *
 * @example
 * const handler = async (request: Request) => {
 *   const user = await server.withTokens(requestTokens(request)).user$.get()
 *   return Response.json({ hello: user?.displayName ?? 'guest' })
 * }
 */
export function requestTokens(request: RequestLike, write?: (cookie: CookieWrite) => unknown): TokenSource {
  return ({ projectId }) => {
    const known = stores.get(request.headers) ?? new Map<string, RequestStore>()
    stores.set(request.headers, known)
    const store = known.get(projectId) ?? createStore(request, projectId)
    known.set(projectId, store)
    if (write) store.write = write
    store.secure ||= isSecure(request)
    return store
  }
}

interface RequestStore extends TokenStore {
  write: ((cookie: CookieWrite) => unknown) | undefined
  secure: boolean
}

// Nothing of an app is kept here: an entry is gone with its request.
const stores = /* @__PURE__ */ new WeakMap<RequestLike['headers'], Map<string, RequestStore>>()

function createStore(request: RequestLike, projectId: TokenContext['projectId']): RequestStore {
  if (typeof request.headers.get !== 'function' && isThenable(request.headers))
    throw invalidInput('request.headers', 'is a promise; await it first, or everybody would be signed out')
  const cookies = header(request, 'cookie')
  const given = header(request, 'x-stack-auth')
  let tokens = usableTokens(given ? tokensInHeader(given) : tokensInCookies(cookies, projectId))
  const turns = new Turns()
  const store: RequestStore = {
    write: undefined,
    secure: false,
    read: () => tokens,
    // One after the other, since a `write` that takes its time lets another one begin.
    replace: (expected, next) =>
      turns.take(() => {
        const { write } = store
        if (!holdsSame(tokens, expected)) return false
        const checked = next && checkedTokens(next)
        const isNew = checked !== null && checked.refreshToken !== tokens?.refreshToken
        if (!write && isNew)
          throw new AuthError(
            'TOKENS_UNAVAILABLE',
            'this request has got a new refresh token, and there is nobody to give it to; pass requestTokens(request, write) a function that sets cookies on the answer',
          )
        const keep = () => {
          tokens = checked
          return true
        }
        return whenThere(
          () =>
            write ? setAll(cookiesOf(checked, projectId, cookies), store.secure, domainsOf(request), write) : undefined,
          keep,
          cause => {
            // As without `write`: frameworks refuse cookies while they render.
            if (!isNew) return keep()
            throw new AuthError(
              'TOKENS_UNAVAILABLE',
              'this request has got a new refresh token, and the function that sets its cookies has thrown; do this where the framework lets an answer set cookies',
              { cause },
            )
          },
        )
      }),
  }
  return store
}

/** In their order, which counts; at once as long as `write` is done at once. */
function setAll(
  cookies: readonly TokenCookie[],
  secure: boolean,
  domains: readonly string[],
  write: (cookie: CookieWrite) => unknown,
): unknown {
  let done: unknown
  for (const { name, value, maxAgeSeconds, isForeign } of cookies) {
    const options = {
      maxAge: maxAgeSeconds,
      path: '/',
      sameSite: 'lax',
      secure: secure || name.startsWith('__'),
    } as const
    // Of several cookies with one name some frameworks set the last one only: the likeliest place.
    const places = name.includes('--custom-') ? domains.map(domain => ({ domain })) : [{}]
    const partitions = [...places.map(place => ({ ...place, secure: true, partitioned: true as const })), ...places]
    for (const place of isForeign ? partitions : [{}])
      done = whenThere(
        () => done,
        () => promised(write({ name, value, options: { ...options, ...place } })),
      )
  }
  return done
}

/** The host that the browser has asked, and the domains above it that may have cookies; those last. */
function domainsOf(request: RequestLike): string[] {
  const named = header(request, 'x-forwarded-host') || header(request, 'host')
  const host = named || (parseUrl(request.url ?? '')?.host ?? '')
  const labels = host.trim().toLowerCase().replace(/:\d+$/, '').split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/** What a framework's setter returns to be chained is not waited for: Fastify's reply has a `then` that waits for the answer. */
function promised(returned: unknown): unknown {
  return isThenable(returned) && 'catch' in returned ? returned : undefined
}

/** Whether the browser has asked by https. Behind a proxy the request itself is plain http. */
function isSecure(request: RequestLike): boolean {
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

/** The tokens in an `x-stack-auth` header. */
export function tokensInHeader(text: string): Tokens {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Said below; the text holds tokens.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput('x-stack-auth', 'must be the JSON that authHeaders() gives')
  const { accessToken = null, refreshToken = null } = value as Partial<Tokens>
  return { accessToken, refreshToken }
}

/** The header's text; empty if there is none. Node joins repeated cookie headers itself, others may give a list. */
export function header({ headers }: RequestLike, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Listed)[name]
  return (typeof value === 'string' ? value : value?.join('; ')) ?? ''
}

type Listed = Readonly<Record<string, string | readonly string[] | undefined>>
