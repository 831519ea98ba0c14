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
 * The tokens of one request: from its `x-stack-auth` header, else from `Authorization: Bearer` (see `authHeaders`), else
 * from its cookies. All calls for one request (one headers object, however wrapped) return the same store.
 *
 * `Authorization` holds only an access token: the request acts as its user until it expires, and is then signed out.
 *
 * `write` is called when tokens are replaced, with the cookies to set on the response and headers that keep caches from
 * storing it. The last function passed for a request is called. Without it, a new access token and the end of a session
 * apply to this request only, and a new refresh token throws TOKENS_UNAVAILABLE, since the browser would keep one that no
 * longer works. The same applies if `write` throws, as in frameworks that allow no cookies during rendering. A returned
 * promise is awaited.
 *
 * The cookies are `Secure` if the request came by https: by its `url`, its socket, or `x-forwarded-proto`.
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

// Module state holds nothing of an app: entries are collected with their requests.
const stores = /* @__PURE__ */ new WeakMap<RequestLike['headers'], Map<string, RequestStore>>()

function createStore(request: RequestLike, projectId: TokenContext['projectId']): RequestStore {
  if (typeof request.headers.get !== 'function' && isThenable(request.headers))
    throw invalidInput('request.headers', 'is a promise; await it first')
  const cookies = header(request, 'cookie')
  const { given, inCookies } = tokensOf(request, projectId)
  let tokens = usableTokens(given)
  // An expired access token in a header says nothing about the session in the cookies.
  let writesCookies = inCookies
  const turns = new Turns()
  const store: RequestStore = {
    write: undefined,
    secure: false,
    read: () => tokens,
    // One after the other: an asynchronous `write` would let another replace begin.
    replace: (expected, next) =>
      turns.take(() => {
        const { write } = store
        if (!holdsSame(tokens, expected)) return false
        const checked = next && checkedTokens(next)
        const isNew = checked !== null && checked.refreshToken !== tokens?.refreshToken
        if (!write && isNew)
          throw new AuthError(
            'TOKENS_UNAVAILABLE',
            'the refresh token has changed and cannot be stored; pass a function that sets cookies on the response: requestTokens(request, write)',
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
            // As without `write`: frameworks refuse cookies during rendering.
            if (!isNew) return keep()
            throw new AuthError(
              'TOKENS_UNAVAILABLE',
              'the refresh token has changed, and the function that sets cookies has thrown; refresh where the framework allows cookies to be set',
              { cause },
            )
          },
        )
      }),
  }
  return store
}

/** The tokens of the first of the three that the request has, and whether they may be written to the browser's cookies. */
function tokensOf(request: RequestLike, projectId: string): { given: Tokens | null; inCookies: boolean } {
  const stack = header(request, 'x-stack-auth')
  if (stack) return { given: tokensInHeader(stack), inCookies: true }
  const accessToken = bearerIn(request)
  // Also if the token is not the platform's: the cookies may belong to another user than the header.
  if (accessToken !== null) return { given: { accessToken, refreshToken: null }, inCookies: false }
  return { given: tokensInCookies(header(request, 'cookie'), projectId), inCookies: true }
}

/** The tokens in an `x-stack-auth` header. */
export function tokensInHeader(text: string): Tokens {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Reported below without the cause, whose text contains tokens.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput('x-stack-auth', 'must be the JSON that authHeaders() gives')
  const { accessToken = null, refreshToken = null } = value as Partial<Tokens>
  return { accessToken, refreshToken }
}
