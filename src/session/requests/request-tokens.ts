import { isRecord, parseJson } from '../../core/values'
import { thenSync, Turns } from '../../core/promises'
import { AuthError, invalidInput } from '../../errors/auth-error'
import { cookiesOf, tokensInCookies, witnessName } from '../stores/cookie-format'
import { cookiesAs } from '../stores/session-kind'
import type { OwnStore } from '../guarded-store'
import { assertRequest, bearerIn, foreignOrigin, header, isVisit, type RequestLike } from './request-like'
import { isSecure, setCookies, type WriteCookie } from './set-cookies'
import { assertCalled, checkedTokens, holdsSame, markOfRequest, usableTokens } from '../token-store'
import type { TokenContext, TokenSource } from '../token-store'
import { readAccessToken, type Tokens } from '../../transport/access-token'

/**
 * The tokens of one request: from its `x-stack-auth` header, else from `Authorization: Bearer` (see `authHeaders`), else
 * from its cookies. All calls for one request (one headers object, however wrapped) return the same store.
 *
 * `Authorization` holds only an access token: the request acts as its user until it expires, and is then signed out.
 *
 * Cookies come with requests of foreign pages too, so such a request may read with the session of its cookies, and a write
 * or a sign-out throws INVALID_INPUT: where `Sec-Fetch-Site` is `cross-site` or `same-site` (a subdomain), or else where
 * `Origin` is not the host. A request without either header is of a program, or a GET of an old browser. A call that begins a
 * session is refused in the same way, also without cookies, unless a link has led to the request: `method` is GET.
 *
 * `write` is called when tokens are replaced, with the cookies to set on the response and headers that keep caches from
 * storing it. The last function passed for a request is called. A returned promise is awaited. Without it, or if it throws,
 * as in frameworks that allow no cookies during rendering, a new access token and the end of a session apply to this request
 * until a later caller passes a function that works. A new refresh token then waits in the process, for 60 s at most, for a
 * request that brings the old one and may write; where nothing is shared (`shareRefreshes`, and apps that `withTokens` has
 * not made), it throws TOKENS_UNAVAILABLE, since the browser would keep one that no longer works.
 *
 * The cookies are `Secure` if the request came by https: by its `url`, its socket, or `x-forwarded-proto`. Those of a server app
 * with `partitioned` are as of `cookieTokens({ partitioned: true })`.
 *
 * @example
 * const handler = async (request: Request) => {
 *   const user = await server.withTokens(requestTokens(request)).user$.get()
 *   return Response.json({ hello: user?.displayName ?? 'guest' })
 * }
 */
export function requestTokens(request: RequestLike, write?: WriteCookie): TokenSource {
  assertCalled(request, 'requestTokens(request)')
  assertRequest(request, 'requestTokens(request)')
  return markOfRequest(({ projectId, isKept, isPartitioned }: TokenContext) => {
    const known = stores.get(request.headers) ?? new Map<string, RequestStore>()
    stores.set(request.headers, known)
    const store = known.get(projectId) ?? createStore(request, projectId)
    known.set(projectId, store)
    store.isSecure ||= isSecure(request)
    store.isPartitioned ||= isPartitioned ?? false
    store.isVisit ||= isVisit(request)
    if (isKept) store.isKept = isKept
    if (write) store.writeBy(write)
    return store
  })
}

interface RequestStore extends OwnStore {
  isSecure: boolean
  isPartitioned: boolean
  isVisit: boolean
  isKept: TokenContext['isKept']
  /** Sets cookies by this function from now on, those included that an earlier one could not set. */
  writeBy(write: WriteCookie): void
}

// Module state holds nothing of an app: entries are collected with their requests.
const stores = /* @__PURE__ */ new WeakMap<RequestLike['headers'], Map<string, RequestStore>>()

function createStore(request: RequestLike, projectId: TokenContext['projectId']): RequestStore {
  const cookies = header(request, 'cookie')
  const stack = header(request, 'x-stack-auth')
  const bearer = bearerIn(request)
  const isInHeader = stack !== '' || bearer !== null
  /** The browser's cookies are those of the request, and these tokens are not. */
  let isBehind = false
  const over = () => void (isBehind = !isInHeader)
  const inCookies = sendable(tokensInCookies(cookies, projectId, over))
  // Text in a header that is no token is no session: the cookies beside it may belong to another user.
  const inHeader = stack === '' ? { accessToken: bearer, refreshToken: null } : tokensInHeader(stack)
  let tokens = isInHeader ? sendable(inHeader) : inCookies
  let write: WriteCookie | undefined
  // The end of another session, or an expired access token, says nothing about the session in the cookies.
  let writesCookies = !isInHeader || (stack !== '' && (inCookies === null || holdsSame(inCookies, tokens)))
  // A page can make the browser send its cookies to another origin, but no headers.
  let foreign = isInHeader ? undefined : foreignOrigin(request)
  let lasts: boolean | undefined
  const turns = new Turns()
  /** The answer deletes the cookies of other kits. */
  let isSwept = false
  const set = (next: Tokens | null, by: WriteCookie) =>
    thenSync(
      () => {
        const all =
          lasts === undefined ? cookiesOf(next, projectId, cookies) : cookiesAs(lasts, next, projectId, cookies)
        const wanted = all.filter(({ isForeign }) => !(isForeign && isSwept))
        return setCookies(wanted, request, store, by)
      },
      () => void (isSwept = true),
    )
  const store: RequestStore = {
    isSecure: false,
    isPartitioned: false,
    isVisit: false,
    isKept: undefined,
    writeBy(by) {
      write = by
      const catchUp = () =>
        thenSync(
          () => isBehind && set(tokens, by),
          () => void (isBehind = false),
          () => undefined,
        )
      void turns.take(catchUp)
    },
    read: () => tokens,
    // Turns keep the order: an asynchronous `write` would let another replace begin.
    replace: (expected, next) =>
      turns.take(() => {
        if (!holdsSame(tokens, expected)) return false
        const checked = next && checkedTokens(next)
        // The marks of a session that ends here are in the request, or already in the answer.
        if (tokens && !checked && (lasts === false || cookies.includes(witnessName(projectId)))) lasts = true
        const isNew = checked !== null && checked.refreshToken !== tokens?.refreshToken
        const mustBeSet = isNew && !store.isKept?.(checked.refreshToken ?? '')
        if (!write && mustBeSet)
          throw new AuthError(
            'TOKENS_UNAVAILABLE',
            'the refresh token has changed and cannot be stored; pass a function that sets cookies on the response: requestTokens(request, write)',
          )
        const keep = (isSet: boolean) => {
          if (isNew && !isRenewal(tokens, checked)) foreign = undefined
          tokens = checked
          writesCookies ||= isNew
          isBehind = writesCookies && !isSet
          return true
        }
        const by = write
        if (!by || !(writesCookies || isNew)) return keep(false)
        return thenSync(
          () => set(checked, by),
          () => keep(true),
          cause => {
            // As without `write`: frameworks refuse cookies during rendering.
            if (!mustBeSet) return keep(false)
            throw new AuthError(
              'TOKENS_UNAVAILABLE',
              'the refresh token has changed, and the function that sets cookies has thrown; refresh where the framework allows cookies to be set',
              { cause },
            )
          },
        )
      }),
    '~remember'(as) {
      store['~assertOwn']?.(true)
      lasts = as
      return store.replace(tokens, tokens)
    },
    '~assertOwn'(begins = false) {
      if (foreign === undefined || (begins ? store.isVisit : !tokens)) return
      const what = begins ? 'begin a session of this browser' : 'write with the session of the cookies'
      throw invalidInput(
        'origin',
        `${foreign} may not ${what}; a page there sends authHeaders(), and a backend that trusts it passes the cookie header alone to requestTokens()`,
      )
    },
  }
  return store
}

/** Whether the new refresh token is of the same session, as far as is known. */
function isRenewal(before: Tokens | null, next: Tokens): boolean {
  const sessions = [before, next].map(tokens => readAccessToken(tokens?.accessToken ?? '')?.sessionId)
  return before !== null && (before.accessToken === null || sessions[0] === sessions[1])
}

/** The tokens that a call can carry; null: none. Anyone can write the headers of a request. */
function sendable(given: Tokens | null): Tokens | null {
  const tokens = usableTokens(given)
  return /^[!-~]*$/.test(tokens?.refreshToken ?? '') ? tokens : null
}

/** The tokens in an `x-stack-auth` header; null: none. */
export function tokensInHeader(text: string): Tokens | null {
  const value = parseJson(text)
  if (!isRecord(value)) return null
  // Unchecked, like the fields of stored tokens.
  const { accessToken = null, refreshToken = null } = value as Partial<Tokens>
  return { accessToken, refreshToken }
}
