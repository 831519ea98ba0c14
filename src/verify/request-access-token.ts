import { assertRequest, bearerIn, header } from '../session/request-like'
import type { RequestLike } from '../session/request-like'
import { tokensInHeader } from '../session/request-tokens'

/**
 * The access token of a request: from `authorization: Bearer`, else from `x-stack-auth`, as the client's `authHeaders()`
 * sends it. Null without one. It is not verified. Cookies are not read, so a page load has none:
 * `withTokens(requestTokens(request))` reads them.
 *
 * @example
 * const { userId } = await server.verifyAccessToken(requestAccessToken(request))
 */
export function requestAccessToken(request: RequestLike): string | null {
  assertRequest(request, 'requestAccessToken(request)')
  const bearer = bearerIn(request)
  if (bearer !== null) return bearer
  const given = header(request, 'x-stack-auth')
  return given ? tokensInHeader(given).accessToken : null
}
