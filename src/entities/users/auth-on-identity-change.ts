import type { Kit } from '../../store/kit'
import { coreOf } from '../../store/core'
import { toAuthError } from '../../errors/auth-error'
import { auth$ } from './auth-state'
import type { Auth } from './auth-state'

/**
 * Calls `run` after each change of who is signed in, for a router that runs its guards again: a sign-in, a sign-out (here, in
 * another tab, by the platform), another user, and a restriction of the user that begins or ends. Not for new tokens of the
 * same session, not for other changes of the user, and not while the state is unknown. What `run` throws goes to
 * `onUnhandled`. Returns a function that ends it.
 *
 * @example
 * const stop = onIdentityChange(app, () => location.reload())
 * stop()
 */
export function onIdentityChange(kit: Kit, run: () => void): () => void {
  let before: string | undefined
  const watching = auth$(kit).subscribe(auth => {
    if (auth.status === 'unknown') return
    const now = identityOf(auth)
    const isOther = before !== undefined && before !== now
    before = now
    if (!isOther) return
    try {
      run()
    } catch (error) {
      coreOf(kit).onUnhandled(toAuthError(error))
    }
  })
  return () => {
    watching.unsubscribe()
  }
}

/** Equal texts: the same user under the same restriction, or no user. */
export function identityOf(auth: Auth): string {
  if (!('user' in auth)) return ''
  const { id, isAnonymous, restriction } = auth.user
  return JSON.stringify([id, isAnonymous, restriction?.type])
}
