import type { Identity } from '../session/identity'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { readAccessToken } from '../transport/access-token'

/**
 * The anonymous user who signs up, as the access token says: the sign-up carries the token, so that a newer platform keeps
 * the user's id. Undefined for any other user, and where tokens do not tell: 2.8.18 would make another user anyway.
 */
export async function anonymousOwner(kit: Kit<never>, signal?: AbortSignal): Promise<Identity | undefined> {
  const { session } = coreOf(kit)
  await session.sync()
  if (!session.tokens || isOrdinary(session.tokens.accessToken)) return undefined
  const tokens = await session.current(undefined, signal)
  return tokens && !isOrdinary(tokens.accessToken) ? session.identity : undefined
}

/** Without an access token it is not known yet. */
function isOrdinary(accessToken: string | null): boolean {
  return accessToken !== null && readAccessToken(accessToken)?.isAnonymous !== true
}
