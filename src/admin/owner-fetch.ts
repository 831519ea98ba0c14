import { randomText } from '../core/random'
import type { Fetch } from '../core/web-types'
import { AuthError } from '../errors/auth-error'
import { isErrorCode, isInFamily } from '../errors/codes'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { readAccessToken } from '../transport/access-token'

/** The token's header, which takes the place of all keys. */
const header = 'x-stack-admin-access-token'

/**
 * Sends requests with the access token of whoever is signed in to `owner`. A token that the platform refuses is discarded,
 * and the request sent once more with another one; what is refused then is refused.
 *
 * The first person whose token is sent is the one whom the requests belong to: for anybody else nothing is sent, and
 * `onChange` is called, which ends whatever had sent it.
 */
export function ownerFetch(owner: Kit, onChange: () => void): Fetch {
  const { session, transport } = coreOf(owner)
  let userId: string | undefined
  const tokenFor = async (signal: AbortSignal | null | undefined) => {
    const token = (await session.current(undefined, signal ?? undefined))?.accessToken
    if (!token)
      throw (
        session.identity.refusal ??
        new AuthError('USER_AUTHENTICATION_REQUIRED', 'this admin app acts for a project owner, who is signed out')
      )
    const present = readAccessToken(token)?.userId
    userId ??= present
    if (present === userId) return token
    onChange()
    throw new AuthError(
      'SESSION_CHANGED',
      'this admin app acts for a project owner, and somebody else is signed in now; make an app for them',
    )
  }
  const send: Fetch = async (input, init) => {
    const token = await tokenFor(init?.signal)
    // In the headers of the attempt itself, since what stands there is told in no message.
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    headers.set(header, token)
    return transport.fetch(input, { ...init, headers })
  }
  return async (input, init) => {
    const response = await send(input, init)
    const code = response.headers.get('x-stack-known-error')
    if (code === null || !isErrorCode(code)) return response
    // The platform also says so of a key set that an owner's session has no part in.
    if (!isInFamily(code, 'INVALID_ADMIN_ACCESS_TOKEN') && code !== 'API_KEY_NOT_FOUND') return response
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    const sent = headers.get(header)
    if (sent) transport.credentials.refused(sent)
    // Another request, as caches see it.
    headers.set('x-stack-random-nonce', randomText())
    return send(input, { ...init, headers })
  }
}
