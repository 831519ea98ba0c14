import { isThenable } from '../core/thenable'
import { invalidInput } from '../errors/auth-error'
import type { RequestLike } from '../session/request-tokens'
import { header, tokensInHeader } from '../session/request-tokens'

/**
 * The access token that a request carries: in `authorization: Bearer`, else in `x-stack-auth`, as the client's
 * `authHeaders()` gives them. Null without one. It is not verified.
 *
 * @example
 * const { userId } = await server.verifyAccessToken(requestAccessToken(request))
 */
export function requestAccessToken(request: RequestLike): string | null {
  if (isThenable(request.headers))
    throw invalidInput('request.headers', 'is a promise; await it first, or every request would be without a user')
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(header(request, 'authorization')) ?? []
  if (bearer !== undefined) return bearer
  const given = header(request, 'x-stack-auth')
  return given ? tokensInHeader(given).accessToken : null
}
