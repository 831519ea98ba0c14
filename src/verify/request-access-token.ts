import { isThenable } from '../core/thenable'
import { invalidInput } from '../errors/auth-error'
import { bearerIn, header } from '../session/request-like'
import type { RequestLike } from '../session/request-like'
import { tokensInHeader } from '../session/request-tokens'

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
  // In JavaScript anything may be given.
  const { headers } = (request ?? {}) as { readonly headers?: unknown }
  if (isThenable(headers)) throw invalidInput('request.headers', 'is a promise; await it first')
  if (typeof headers !== 'object' || headers === null)
    throw invalidInput('request.headers', 'is missing; pass a request, or { headers }')
  const bearer = bearerIn(request)
  if (bearer !== null) return bearer
  const given = header(request, 'x-stack-auth')
  if (given === '') return null
  const tokens = tokensInHeader(given)
  return tokens && (tokens.accessToken === null || typeof tokens.accessToken === 'string') ? tokens.accessToken : ''
}
