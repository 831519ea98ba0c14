import { endpoint } from '../transport/endpoint'
import { SignInAnswer, signedIn, type SignedIn } from './answers'
import { orThrow } from '../core/result'
import { learn } from '../session/identity'
import { anyUser$ } from '../entities/users/client'
import { coreOf, type Kit } from '../store/kit-parts'
import { startSession } from '../store/session-effects'
import type { CallOptions } from '../store/write/effects'
import { firstFactor, known } from './first-factor'
import { sessionStart } from './session-start'
import { shareRequest } from '../entities/as-owner'

/** Creates a user without name and address, and signs in. */
export const anonymousSignUp = endpoint('POST /auth/anonymous/sign-up', {
  access: 'client',
  returns: SignInAnswer,
  ownedBy: 'app',
})

const signUp = sessionStart(anonymousSignUp, {
  async start(kit, tokens) {
    await startSession(kit, tokens)
    const { session } = coreOf(kit)
    // Tokens of release 2.8.18 cannot say it.
    session.identity = learn(session.identity, { isAnonymous: true })
  },
})

/**
 * Creates a user without name and address, and signs in. If a user is signed in already, returns that one. Concurrent calls
 * share one request and create one user.
 *
 * An anonymous user appears in `anyUser$` and `auth$`, and counts as signed out in `user$` and in lists. Signing up later creates another
 * user; a server can turn this one into a normal user. Throws ANONYMOUS_ACCOUNTS_NOT_ENABLED if the project does not have
 * them.
 *
 * @example
 * const { userId } = await app.signUpAnonymously()
 */
export function signUpAnonymously(kit: Kit, options?: CallOptions): Promise<SignedIn> {
  return shareRequest(kit, options, () => begin(kit), 'anonymous')
}

async function begin(kit: Kit): Promise<SignedIn> {
  const present = await anyUser$(kit).get()
  if (present) return signedIn(kit, present.id, false)
  return orThrow(await firstFactor<never>(kit, { run: async () => known(await signUp(kit, {}), true) }))
}
