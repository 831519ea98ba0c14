import { assertRequest, bearerIn, header } from '../session/requests/request-like'
import type { RequestLike } from '../session/requests/request-like'
import { tokensInHeader } from '../session/requests/request-tokens'

/**
 * The access token of a request: from `authorization: Bearer`, else from `x-stack-auth`, as the client's `authHeaders()`
 * sends it. Null without one, and if a header contains something else. It is not verified. Cookies are not read, so a page load has none:
 * `withTokens(requestTokens(request))` reads them.
 *
 * @example
 * const { userId } = await server.verifyAccessToken(requestAccessToken(request))
 */
export function requestAccessToken(request: RequestLike): string | null {
  return tokenIn(request) || null
}

/** The same; empty if `x-stack-auth` contains something else. */
export function tokenIn(request: RequestLike): string | null {
  assertRequest(request, 'requestAccessToken(request)')
  const bearer = bearerIn(request)
  if (bearer !== null) return bearer
  const given = header(request, 'x-stack-auth')
  if (given === '') return null
  const tokens = tokensInHeader(given)
  return tokens && (tokens.accessToken === null || typeof tokens.accessToken === 'string') ? tokens.accessToken : ''
}
