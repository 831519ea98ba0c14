import { AuthError, isAuthError } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation, patch } from '../store/mutation'
import { query } from '../store/query'
import { call, checkInput } from '../transport/call'
import { listSessions, revokeSessionById } from './sessions-endpoints'

/** Where the signed-in user is signed in, newest first; impersonation by the team of the project is not shown. */
export const sessions$ = query(listSessions, { signedOut: [] })

/**
 * Ends another session of the signed-in user; one that is gone already counts as ended. Its access token works until it
 * expires, for ten minutes at most.
 *
 * Throws CANNOT_DELETE_CURRENT_SESSION for the session that this kit uses itself: `signOut()` ends that one.
 */
export const revokeSession = mutation(revoke, {
  refreshes: () => [sessions$],
  optimistic: ({ sessionId }) => [
    // The present session cannot be ended this way, so it does not vanish for a moment either.
    patch(sessions$, {}, all => all.filter(session => session.id !== sessionId || session.isCurrentSession)),
  ],
  writes: ({ sessionId }) => [patch(sessions$, {}, all => all.filter(({ id }) => id !== sessionId))],
})

async function revoke(
  kit: Kit,
  input: { readonly sessionId: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const { transport, session } = coreOf(kit)
  const owner = session.identity
  try {
    await call(transport, revokeSessionById, checkInput(revokeSessionById, input), { owner, signal })
  } catch (error) {
    // What it asked for is so: somebody was faster, or an earlier attempt whose answer was lost.
    if (isAuthError(error, 'REQUEST_FAILED') && error.status === 404) return
    if (!isAuthError(error, 'CANNOT_DELETE_CURRENT_SESSION')) throw error
    throw new AuthError(error.code, 'this is the session that asks; sign out instead, with signOut()', {
      status: error.status,
      cause: error,
    })
  }
}
