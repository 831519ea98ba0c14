import type { Identity } from '../session/identity'
import { coreOf } from '../store/core'
import type { Kit } from '../store/kit'
import { readAccessToken } from '../transport/access-token'

/**
 * The anonymous identity that signs up, by its access token: the sign-up carries the token, so that a newer platform keeps
 * the user's id. Undefined for other users, and if tokens do not say: 2.8.18 creates another user anyway.
 */
export async function anonymousOwner(kit: Kit<never>, signal?: AbortSignal): Promise<Identity | undefined> {
  const { session } = coreOf(kit)
  await session.sync()
  if (!session.tokens || isOrdinary(session.tokens.accessToken)) return undefined
  const tokens = await session.current(undefined, signal)
  if (!tokens || isOrdinary(tokens.accessToken)) return undefined
  session.store.assertOwn?.()
  return session.identity
}

/** False without an access token: it is not known yet. */
function isOrdinary(accessToken: string | null): boolean {
  return accessToken !== null && readAccessToken(accessToken)?.isAnonymous !== true
}
