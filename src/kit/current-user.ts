import { userIn, type UserInToken } from '../sign-in/user-from-token'
import type { Signal } from '../core/web-types'
import { anyUser$, type CurrentUser } from '../entities/users/client'
import { invalidInput, isAuthError } from '../errors/auth-error'
import { assertRequest, type RequestLike } from '../session/requests/request-like'
import { requestTokens } from '../session/requests/request-tokens'
import type { WriteCookie } from '../session/requests/set-cookies'
import { coreOf, type Kit } from '../store/kit-parts'
import { assertMaker, type Maker } from './requests'
import { verifierOf } from './verifier-of'

/** How `currentUser` finds the user. */
export interface CurrentUserOptions {
  /** Sets the cookies of a renewed or ended session, as for `requestTokens`. */
  readonly write?: WriteCookie
  /**
   * 'platform' (default): as the platform knows the user now, by one request. 'token': as the access token says, which is
   * verified here, without a request.
   */
  readonly from?: 'platform' | 'token'
  /** Whether an anonymous user is one. Default false: null. */
  readonly anonymous?: boolean
  /** With `from: 'token'`: asks the platform whether the user is anonymous, where the token cannot say it; see `VerifyOptions`. */
  readonly askAnonymous?: boolean
  readonly signal?: Signal
}

/**
 * The user of a request, for rendering: by its headers (`authHeaders()`), else by its cookies. Null without a session, if it
 * has ended, and for an anonymous user unless `anonymous`. Also a restricted user (`restriction`).
 *
 * An expired access token is refreshed, once for all renders of the process that bring the same cookies. The new cookies are
 * set by `write`; where a render may set none, it goes on with the new tokens, and the next request that may set them does.
 * Rejects with NETWORK_ERROR and the like if the platform cannot be asked, which says nothing about the session.
 *
 * With `from: 'token'` the result is what the token says, a `UserInToken`: up to ten minutes old, of a session that may have
 * ended meanwhile, and with tokens of release 2.8.18 only the id. These cannot say that their user is anonymous, who is then a
 * user too, unless `askAnonymous`.
 *
 * A guard of an API reads headers alone: `verifyAccessToken(requestAccessToken(request))`. Any page can make a browser send
 * its cookies.
 *
 * @example
 * const page = async (request: Request) => {
 *   const user = await currentUser(server, request)
 *   return new Response(user ? `Hello ${user.displayName ?? user.id}` : 'Sign in first')
 * }
 */
export function currentUser(
  server: Kit<'server'>,
  request: RequestLike,
  options?: CurrentUserOptions & { readonly from?: 'platform' },
): Promise<CurrentUser | null>
export function currentUser(
  server: Kit<'server'>,
  request: RequestLike,
  options: CurrentUserOptions & { readonly from: 'token' },
): Promise<UserInToken | null>
export function currentUser(
  server: Kit<'server'>,
  request: RequestLike,
  options?: CurrentUserOptions,
): Promise<CurrentUser | UserInToken | null>
export async function currentUser(
  server: Kit<'server'>,
  request: RequestLike,
  { write, from = 'platform', anonymous = false, askAnonymous = false, signal }: CurrentUserOptions = {},
): Promise<CurrentUser | UserInToken | null> {
  if (!Object.hasOwn(readers, from)) throw invalidInput('from', "must be 'platform' or 'token'")
  assertRequest(request, 'currentUser(server, request)')
  assertMaker(server)
  for (let tries = 1; ; tries++) {
    let app: Kit | undefined
    try {
      app = server.withTokens(requestTokens(request, write))
      const user = await readers[from](app, { server, anonymous, askAnonymous, ...(signal && { signal }) })
      return anonymous || !user?.isAnonymous ? user : null
    } catch (error) {
      // Another app of this request has signed in or out.
      if (!isAuthError(error, 'SESSION_CHANGED') || tries === maxTries) throw error
    } finally {
      app?.dispose()
    }
  }
}

/** The limit of tries, each of which needs another sign-in of the same request. */
const maxTries = 10

interface Reading {
  readonly server: Maker
  readonly anonymous: boolean
  readonly askAnonymous: boolean
  readonly signal?: Signal
}

const readers = {
  platform: (app: Kit, { signal }: Reading) => anyUser$(app).get({ ...(signal && { signal }) }),

  async token(app: Kit, { server, anonymous, askAnonymous, signal }: Reading): Promise<UserInToken | null> {
    const { session } = coreOf(app)
    const verify = verifierOf(server)
    const current = () => session.current(undefined, signal)
    const admits = { allowAnonymous: anonymous, allowRestricted: true, askAnonymous, ...(signal && { signal }) }
    const verified = async (token: string) => {
      const { isAnonymous } = await verify(token, admits)
      const user = userIn(token)
      return user && { ...user, isAnonymous }
    }
    try {
      const { accessToken, refreshToken } = (await current()) ?? {}
      if (!accessToken) return null
      try {
        return await verified(accessToken)
      } catch (error) {
        if (!isAuthError(error, 'INVALID_ACCESS_TOKEN')) throw error
        // No token of the platform, so it says nothing about the session.
        if (!refreshToken) return null
        session.refused(accessToken)
      }
      const renewed = await current()
      return renewed?.accessToken ? await verified(renewed.accessToken) : null
    } catch (error) {
      if (isAuthError(error, 'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')) return null
      throw error
    }
  },
}
