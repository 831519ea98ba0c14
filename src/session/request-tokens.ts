import { AuthError, invalidInput } from '../errors/auth-error'
import type { Tokens } from '../transport/credentials'
import { cookiesOf, tokensInCookies } from './cookie-format'
import { checkedTokens, holdsSame, usableTokens } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/** A cookie that an answer should set, for `Set-Cookie` or a framework's own way. `maxAge` in seconds; 0 deletes it. */
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
  }
}

/** Fetch's `Request`, Node's and Express's requests, and whatever else has headers in one of the two forms. */
export interface RequestLike {
  readonly headers:
    { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * The tokens of one request: of its `x-stack-auth` header (see `authHeaders`), else of its cookies. One store per request
 * (per object of headers, whatever that is wrapped in), however often it is asked for.
 *
 * `write` is given the cookies that the answer should set when tokens are replaced; whoever gives it last is told, for all
 * who have asked for this request. Without it a new access token lasts for this request, a session that has ended is signed
 * out for this request, and a new refresh token throws TOKENS_UNAVAILABLE, since the browser would be left with one that no
 * longer works. So it is where `write` throws, as frameworks do that let nobody set cookies while they render.
 */
export function requestTokens(request: RequestLike, write?: (cookie: CookieWrite) => void): TokenSource {
  return ({ projectId }) => {
    const known = stores.get(request.headers) ?? new Map<string, RequestStore>()
    stores.set(request.headers, known)
    const store = known.get(projectId) ?? createStore(request, projectId)
    known.set(projectId, store)
    if (write) store.write = write
    return store
  }
}

interface RequestStore extends TokenStore {
  write: ((cookie: CookieWrite) => void) | undefined
}

// Nothing of an app is kept here: an entry is gone with its request.
const stores = /* @__PURE__ */ new WeakMap<RequestLike['headers'], Map<string, RequestStore>>()

function createStore(request: RequestLike, projectId: TokenContext['projectId']): RequestStore {
  const cookies = header(request, 'cookie')
  const given = header(request, 'x-stack-auth')
  let tokens = usableTokens(given ? fromHeader(given) : tokensInCookies(cookies, projectId))
  // Behind a proxy the request itself is plain http.
  const secure = header(request, 'x-forwarded-proto').startsWith('https') || /(^|; ?)stack-is-https=true/.test(cookies)
  const store: RequestStore = {
    write: undefined,
    read: () => tokens,
    replace(expected, next) {
      const { write } = store
      if (!holdsSame(tokens, expected)) return false
      const checked = next && checkedTokens(next)
      if (!write && checked && checked.refreshToken !== tokens?.refreshToken)
        throw new AuthError(
          'TOKENS_UNAVAILABLE',
          'this request has got a new refresh token, and there is nobody to give it to; pass requestTokens(request, write) a function that sets cookies on the answer',
        )
      try {
        for (const { name, value, maxAgeSeconds } of write ? cookiesOf(checked, projectId, cookies) : [])
          write?.({ name, value, options: { maxAge: maxAgeSeconds, path: '/', sameSite: 'lax', secure } })
      } catch (cause) {
        // As above, or as without `write`: frameworks refuse cookies while they render.
        if (checked && checked.refreshToken !== tokens?.refreshToken)
          throw new AuthError(
            'TOKENS_UNAVAILABLE',
            'this request has got a new refresh token, and the function that sets its cookies has thrown; do this where the framework lets an answer set cookies',
            { cause },
          )
      }
      tokens = checked
      return true
    },
  }
  return store
}

function fromHeader(text: string): Tokens {
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
function header({ headers }: RequestLike, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Listed)[name]
  return (typeof value === 'string' ? value : value?.join('; ')) ?? ''
}

type Listed = Readonly<Record<string, string | readonly string[] | undefined>>
