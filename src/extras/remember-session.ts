import { AuthError, misuse } from '../errors/auth-error'
import { setKind } from '../session/stores/session-kind'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'

/**
 * Whether the session of this browser outlasts the browser, for the box "Remember me". Call it before a sign-in of any kind: the
 * choice survives the redirect of OAuth. It counts for a session that is there too, in all tabs, until a sign-out or the next call;
 * without a call a session lasts for a year.
 *
 * With false, the session is over when the browser has been closed, for every kit and server that uses rxauth, also where another
 * kit has renewed its cookie meanwhile. A browser that continues where it left off restores the session.
 *
 * Throws TOKENS_UNAVAILABLE where the browser keeps no cookies, and INVALID_INPUT for a token store that has one kind of session: each
 * but `cookieTokens`, `storageTokens(localStorage)` and, on a server, `requestTokens`.
 *
 * @example
 * await rememberSession(app, false)
 * await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' })
 */
export async function rememberSession(app: Kit, lasts: boolean): Promise<void> {
  const core = coreOf(app)
  core.assertAlive()
  if (typeof lasts !== 'boolean') throw misuse('lasts', `must be true or false, not ${String(lasts)}`)
  const { store, transport } = core.session
  const isSet = setKind(store.own, { projectId: transport.config.projectId, host: core.host }, lasts)
  if (isSet === undefined)
    throw misuse('tokens', 'has one kind of session: use cookieTokens() or storageTokens(localStorage)')
  if (await isSet) return
  throw new AuthError('TOKENS_UNAVAILABLE', 'this browser keeps no cookies, so the session cannot end with it')
}
