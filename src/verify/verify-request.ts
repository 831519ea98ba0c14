import { assertRequest, bearerIn, header, isPreflight, type RequestLike } from '../session/requests/request-like'
import { tokensInHeader } from '../session/requests/request-tokens'
import { isAuthError } from '../errors/auth-error'
import type { WebResponse } from '../core/web-types'
import type { OfflineVerifyOptions, VerifiedToken, VerifyOptions } from './verified-token'

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

/** The access token of a request; empty if `x-stack-auth` contains something else. */
function tokenIn(request: RequestLike): string | null {
  assertRequest(request, 'requestAccessToken(request)')
  const bearer = bearerIn(request)
  if (bearer !== null) return bearer
  const given = header(request, 'x-stack-auth')
  if (given === '') return null
  const tokens = tokensInHeader(given)
  return tokens && (tokens.accessToken === null || typeof tokens.accessToken === 'string') ? tokens.accessToken : ''
}

/** The user of a request, or the response that refuses it: one of the two. */
export type Verified<T> =
  | { readonly user: T; readonly refusal?: never }
  | { readonly user?: never; readonly refusal: WebResponse }

/** Verifies requests; every verifier of `tokenVerifier` does. */
export interface VerifyRequest<T, Options extends OfflineVerifyOptions = OfflineVerifyOptions> {
  /**
   * The user of the access token in the headers `authorization` or `x-stack-auth`; cookies are not read, so that no other site can
   * make the request. Otherwise `refusal`, ready to be sent, with `{ "code": … }` in its body:
   *
   * - 200 and `{}`: a browser asks with `OPTIONS` whether a page of another origin may ask (CORS); such a request has no token.
   * - 401 and `www-authenticate: Bearer`: there is no token, or one that is not valid, or one of an anonymous user.
   * - 403: the user is restricted.
   * - 503 and `retry-after`: the keys of the project could not be fetched or used, whatever the cause, or the platform could not
   *   be asked.
   *
   * Throws what the request did not cause: INVALID_INPUT for a missing project, ABORTED.
   */
  readonly request: (request: RequestLike, options?: Options) => Promise<Verified<T>>
}

/** Verifies requests by a server app, which can ask the platform about a user (`askAnonymous`). */
export type VerifyRequestOfServer<T> = VerifyRequest<T, VerifyOptions>

/** `request` of a verifier. */
export function requestVerifier(
  verify: (token: string, options?: VerifyOptions) => Promise<VerifiedToken>,
): VerifyRequestOfServer<VerifiedToken>['request'] {
  return async (request, options) => {
    assertRequest(request, 'verify.request(request)')
    try {
      const token = tokenIn(request)
      if (token === null)
        return { refusal: isPreflight(request) ? passed() : refusal(401, 'USER_AUTHENTICATION_REQUIRED', 'Bearer') }
      return { user: await verify(token, options) }
    } catch (error) {
      if ((Object(options) as { readonly signal?: AbortSignal }).signal?.aborted) throw error
      return { refusal: refusalOf(error) }
    }
  }
}

function refusalOf(error: unknown): Response {
  if (isAuthError(error, 'INVALID_ACCESS_TOKEN', 'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED'))
    return challenge(401, error.code, 'invalid_token')
  if (isAuthError(error, 'RESTRICTED_USER_NOT_ALLOWED')) return challenge(403, error.code, 'insufficient_scope')
  const isMistake = isAuthError(error, 'INVALID_INPUT') && error.details.field !== 'keys'
  if (!isAuthError(error) || isMistake) throw error
  // Says nothing about the token: what it is verified with cannot be had.
  return refusal(503, error.code)
}

/** The code and no message, which may name what is meant for developers: an address within the data centre. */
function challenge(status: 401 | 403, code: string, error: 'invalid_token' | 'insufficient_scope'): Response {
  return refusal(status, code, `Bearer error="${error}", error_description="${code}"`)
}

/** Browsers send the request itself only after a success. With a body, as every refusal has one that callers read. */
function passed(): Response {
  return Response.json({}, { headers: { 'cache-control': 'no-store' } })
}

function refusal(status: 401 | 403 | 503, code: string, authenticate?: string): Response {
  const headers = {
    'cache-control': 'no-store',
    ...(authenticate ? { 'www-authenticate': authenticate } : { 'retry-after': '5' }),
  }
  return Response.json({ code }, { status, headers })
}
