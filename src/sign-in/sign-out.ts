import { revokeSession, sessions$ } from '../entities/sessions/client'
import { misuse } from '../errors/auth-error'
import { revokeTokens, signOutSession, type LeavingStore } from '../session/sign-out'
import { onOver } from '../session/stores/session-kind'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'

/** How a sign-out goes. */
export interface SignOutOptions {
  /** Ends the other sessions of the user first. Default false. */
  readonly everywhere?: boolean
  /** With `accountTokens`, whom to sign out of: all people of this browser, or one of them. Default: the active one. */
  readonly accounts?: 'all' | { readonly userId: string }
}

/**
 * Signs out, also an anonymous user: first here and in the other tabs, then on the platform. Resolves when the platform has
 * revoked the session, or after 2 s without an answer.
 *
 * Rejects if the token store can neither delete nor overwrite the tokens (TOKENS_UNAVAILABLE; `onUnhandled` is told, too): the
 * user is signed out here, and signed in again at the next start. On a server it rejects with INVALID_INPUT for the cookies of
 * a request from a foreign page.
 *
 * With `everywhere` the other sessions of the user are revoked first, because that takes a session. If one of them cannot be
 * revoked, this rejects and the user stays signed in here. What it cannot do: access tokens that were given out before work
 * until they expire, ten minutes at most, and an impersonation by the team of the project goes on.
 *
 * With `accountTokens`, the other people of this browser stay, and none of them becomes active. `accounts` names whom to sign out
 * of instead; INVALID_INPUT with another token store.
 *
 * @example
 * await app.signOut()
 *
 * @example
 * // On every device; a failure is thrown, and can be tried again.
 * await app.signOut({ everywhere: true })
 */
export async function signOut(kit: Kit, { everywhere, accounts }: SignOutOptions = {}): Promise<void> {
  const { session, onUnhandled } = coreOf(kit)
  const { '~leave': leave }: LeavingStore = session.store.own
  const end = () => signOutSession(session, onUnhandled)
  const out = () => (everywhere ? endAll(kit, end) : end())
  if (!accounts) return out()
  if (!leave) throw misuse('accounts', 'takes the token store accountTokens(cookieTokens())')
  return leave(session, accounts, out)
}

/** Revokes the other sessions of the user, then ends this one. */
async function endAll(kit: Kit, end: () => Promise<void>): Promise<void> {
  const { session } = coreOf(kit)
  const all = await sessions$(kit).refresh()
  const { tokens, identity } = session
  const others = all.filter(({ isCurrentSession }) => !isCurrentSession)
  await Promise.all(others.map(({ id }) => revokeSession(kit, { sessionId: id })))
  await session.sync()
  if (session.identity.kind === 'signed-out') {
    // Another tab has signed out of it, or of one that has taken its place. A sign-in that comes now is not ended.
    if (tokens) await revokeTokens(session, tokens).catch(() => undefined)
    return
  }
  // The session to end is the one that began, not that of another sign-in meanwhile.
  session.assertPresent(identity.owner)
  await end()
}

/** Has a session revoked that was to end with the browser, and whose cookie another kit has kept. */
export function revokeOver(kit: Kit): void {
  const { session } = coreOf(kit)
  onOver(session.store.own, tokens => {
    // A session that cannot be revoked expires; its tokens are no longer here.
    revokeTokens(session, tokens).catch(() => undefined)
  })
}
