import { isThenable, whenThere } from '../core/thenable'
import { Turns } from '../core/turns'
import { AuthError, invalidInput } from '../errors/auth-error'
import type { Tokens } from '../transport/credentials'
import { cookiesOf, tokensInCookies } from './cookie-format'
import { bearerIn, header } from './request-like'
import type { RequestLike } from './request-like'
import { isSecure, setCookies } from './set-cookies'
import type { WriteCookie } from './set-cookies'
import { checkedTokens, holdsSame, usableTokens } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/**
 * The tokens of one request: of its `x-stack-auth` header, else of `Authorization: Bearer` (see `authHeaders`), else of its
 * cookies. One store per request (per object of headers, whatever that is wrapped in), however often it is asked for.
 *
 * `Authorization` holds an access token alone: the request acts as its user until it expires, and is signed out then.
 *
 * `write` is given the cookies that the answer should set when tokens are replaced, and headers that keep caches from
 * storing that answer; the function that was given last is called, for all that have asked for this request. Without it a
 * new access token lasts for this request, a session that has ended is signed out for this request, and a new refresh token
 * throws TOKENS_UNAVAILABLE, since the browser would be left with one that no longer works. So it is where `write` throws, as
 * frameworks do that let nothing set cookies while they render. A promise that it returns is waited for.
 *
 * The cookies are `Secure` if the request has come by https: by its `url`, its socket, or `x-forwarded-proto`.
 *
 * @example
 * const handler = async (request: Request) => {
 *   const user = await server.withTokens(requestTokens(request)).user$.get()
 *   return Response.json({ hello: user?.displayName ?? 'guest' })
 * }
 */
export function requestTokens(request: RequestLike, write?: WriteCookie): TokenSource {
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
  write: WriteCookie | undefined
  secure: boolean
}

// Nothing of an app is kept here: an entry is gone with its request.
const stores = /* @__PURE__ */ new WeakMap<RequestLike['headers'], Map<string, RequestStore>>()

function createStore(request: RequestLike, projectId: TokenContext['projectId']): RequestStore {
  if (typeof request.headers.get !== 'function' && isThenable(request.headers))
    throw invalidInput('request.headers', 'is a promise; await it first, or everybody would be signed out')
  const cookies = header(request, 'cookie')
  const { given, inCookies } = tokensOf(request, projectId)
  let tokens = usableTokens(given)
  // That an access token in a header is over says nothing of the session in the cookies beside it.
  let writesCookies = inCookies
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
          writesCookies ||= isNew
          return true
        }
        return whenThere(
          () =>
            write && (writesCookies || isNew)
              ? setCookies(cookiesOf(checked, projectId, cookies), request, store.secure, write)
              : undefined,
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

/** The first that the request has of the three; whether its tokens are those of the browser's cookies, or may become them. */
function tokensOf(request: RequestLike, projectId: string): { given: Tokens | null; inCookies: boolean } {
  const stack = header(request, 'x-stack-auth')
  if (stack) return { given: tokensInHeader(stack), inCookies: true }
  const accessToken = bearerIn(request)
  // Also where it is no token of the platform: the cookies may be of another person than the header.
  if (accessToken !== null) return { given: { accessToken, refreshToken: null }, inCookies: false }
  return { given: tokensInCookies(header(request, 'cookie'), projectId), inCookies: true }
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
